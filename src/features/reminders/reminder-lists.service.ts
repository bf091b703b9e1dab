import { z } from 'zod';
import type { ReminderSort, ReminderStatus } from '#contract/reminders.ts';
import * as rows from '#features/reminders/reminder-lists.db.ts';
import { type StoredReminder, withoutRevision } from '#features/reminders/reminders.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { CursorInstant, decodeCursor, encodeCursor } from '#platform/cursor.ts';

type Query = { search?: string; status: ReminderStatus | 'all'; sort: ReminderSort; cursor?: string; limit: number };

/** A page of the reminders that fit, in the order asked for. Throws Invalid for a cursor that is of no list in that order. */
export async function listReminders(
  ctx: TenantContext,
  query: Query,
): Promise<{ data: StoredReminder[]; next_cursor: string | null }> {
  const after = decodeCursor(query.cursor, keys[query.sort]);
  const found = await rows.findReminders(ctx.db, { ...query, workspaceId: ctx.workspaceId, after });
  const data = found.slice(0, query.limit);
  const last = found.length > query.limit ? data.at(-1) : undefined;
  return {
    data: data.map(({ at: _, position: __, ...row }) => withoutRevision(row)),
    next_cursor: last === undefined ? null : encodeCursor({ at: String(last.at), id: last.position }),
  };
}

const Name = z
  .string()
  .max(200)
  .refine((text) => !text.includes('\0'));
const NextRun = z.union([z.literal(rows.withoutNextRun), CursorInstant]);
const Rank = z.enum(['1', '2', '3']);

const keys: Record<ReminderSort, z.ZodType<string>> = {
  created: CursorInstant,
  '-created': CursorInstant,
  name: Name,
  '-name': Name,
  next_run: NextRun,
  '-next_run': NextRun,
  status: Rank,
  '-status': Rank,
};
