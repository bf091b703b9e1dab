import { hasSource } from '#features/calendar-sources/calendar-sources.db.ts';
import type { TenantContext } from '#platform/context.ts';

/** Whether a calendar decides when this reminder is sent. */
export const hasCalendar = (
  { db, workspaceId }: Pick<TenantContext, 'db' | 'workspaceId'>,
  reminderId: string,
): Promise<boolean> => hasSource(db, { workspaceId, reminderId });
