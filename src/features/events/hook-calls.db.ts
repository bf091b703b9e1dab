import { sql } from 'kysely';
import { keptHookCalls } from '#contract/events.ts';
import { effectColumns } from '#features/events/event-effect.ts';
import type { Db } from '#platform/database.ts';

type Of = { workspaceId: string; reminderId: string };

/** Numbers a call and stores it in place of an old one. A reminder that is deleted has no calls. */
export async function insertCall(
  db: Db,
  call: Of & { status: number; problem: string | null; eventId: string | null; now: string },
): Promise<void> {
  await sql`
    with numbered as (
      insert into reminder_hooks (workspace_id, reminder_id, calls)
      select workspace_id, id, 1 from reminders where workspace_id = ${call.workspaceId} and id = ${call.reminderId}
      on conflict (workspace_id, reminder_id) do update set calls = reminder_hooks.calls + 1
      returning workspace_id, reminder_id, calls
    )
    insert into hook_calls (workspace_id, reminder_id, slot, received_at, status, problem, event_id)
    select workspace_id, reminder_id, calls % ${keptHookCalls}, ${call.now}, ${call.status}, ${call.problem}, ${call.eventId}::uuid
      from numbered
    on conflict (workspace_id, reminder_id, slot) do update
      set received_at = excluded.received_at, status = excluded.status, problem = excluded.problem, event_id = excluded.event_id`.execute(
    db,
  );
}

export const findCalls = (db: Db, { workspaceId, reminderId }: Of) =>
  db
    .selectFrom('hook_calls as c')
    .leftJoin('events as e', (join) =>
      join.onRef('e.workspace_id', '=', 'c.workspace_id').onRef('e.id', '=', 'c.event_id'),
    )
    .where('c.workspace_id', '=', workspaceId)
    .where('c.reminder_id', '=', reminderId)
    .select(['c.received_at', 'c.status', 'c.problem', 'e.id as event_id', 'e.hint'])
    .select(effectColumns(sql.ref('c.event_id'), workspaceId))
    .orderBy('c.received_at', 'desc')
    .orderBy('c.slot', 'desc')
    .execute();
