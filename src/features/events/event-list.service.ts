import type { ListedEvent } from '#contract/events.ts';
import { findEvents } from '#features/events/event-list.db.ts';
import type { TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { pageOf } from '#platform/page.ts';

/** The events that were reported, latest first, each with what it led to. */
export async function listEvents(
  { db, workspaceId }: TenantContext,
  { event = '', limit, cursor }: { event?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<{ data: ListedEvent[]; next_cursor: string | null }> {
  const found = await findEvents(db, { workspaceId, prefix: event.trim(), after: decodeCursor(cursor), limit });
  const { data, next_cursor } = pageOf(found, { at: (row) => row.created_at });
  return { data: data.map(withSource), next_cursor };
}

type Row = Awaited<ReturnType<typeof findEvents>>['rows'][number];

const withSource = ({ reminder_id, reminder_name, api_key_id, api_key_name, ...event }: Row): ListedEvent => ({
  ...event,
  source:
    reminder_id !== null
      ? { kind: 'hook', id: reminder_id, name: reminder_name }
      : api_key_id !== null
        ? { kind: 'api_key', id: api_key_id, name: api_key_name }
        : { kind: 'api', id: null, name: null },
});
