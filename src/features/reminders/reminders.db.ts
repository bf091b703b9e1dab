import { sql } from 'kysely';
import type { ReminderInput, ReminderStatus } from '#contract/reminders.ts';
import type { Db } from '#platform/database.ts';

const columns = [
  'r.id',
  'r.workspace_id',
  'r.name',
  'r.description',
  'r.status',
  'r.schedule_config',
  'r.content',
  'r.metadata',
  'r.revision',
  'r.created_by',
  'r.created_at',
  'r.updated_at',
] as const;

/**
 * The next time its engine's job comes due: what the Jobs screen shows is what will run. It is among the last ones, behind
 * which may stand what was called off ahead of its time: to look through all of a daily reminder would take longer each day.
 */
export const nextRun = sql<string | null>`(
  select min(last.scheduled_for)
    from (select j.scheduled_for, j.status, j.attempts from jobs j
           where j.reminder_id = r.id and j.type = 'reminder'
           order by j.scheduled_for desc limit 5) last
   where last.status = 'pending' and last.attempts = 0)`;

/** Reminders that are there: one that was deleted can only be restored. */
export const selectReminders = (db: Db, workspaceId: string) =>
  db
    .selectFrom('reminders as r')
    .where('r.workspace_id', '=', workspaceId)
    .where('r.status', '<>', 'deleted')
    .select(columns)
    .select(nextRun.as('next_run_at'))
    .$narrowType<{ status: ReminderStatus }>();

export type ReminderRow = Awaited<ReturnType<typeof findReminder>> & {};

export const findReminder = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  selectReminders(db, workspaceId).where('r.id', '=', id).executeTakeFirst();

const stored = (input: ReminderInput) => ({
  name: input.name,
  description: input.description,
  status: input.status,
  schedule_config: JSON.stringify(input.schedule_config),
  content: JSON.stringify(input.content),
  metadata: JSON.stringify(input.metadata),
});

export const insertReminder = (
  db: Db,
  row: { id: string; workspaceId: string; createdBy: string | null; now: string; input: ReminderInput },
) =>
  db
    .insertInto('reminders')
    .values({
      id: row.id,
      workspace_id: row.workspaceId,
      created_by: row.createdBy,
      created_at: row.now,
      updated_at: row.now,
      ...stored(row.input),
    })
    .execute();

/** Raises the revision: what was prepared from the older text does not go out. Null when there is no such reminder. */
export const replaceReminder = (db: Db, row: { workspaceId: string; id: string; now: string; input: ReminderInput }) =>
  db
    .updateTable('reminders')
    .set({ ...stored(row.input), updated_at: row.now, revision: sql`revision + 1` })
    .where('workspace_id', '=', row.workspaceId)
    .where('id', '=', row.id)
    .where('status', '<>', 'deleted')
    .returning(['revision'])
    .executeTakeFirst();

export const setStatus = (db: Db, row: { workspaceId: string; id: string; now: string; status: ReminderStatus }) =>
  db
    .updateTable('reminders')
    .set({ status: row.status, updated_at: row.now })
    .where('workspace_id', '=', row.workspaceId)
    .where('id', '=', row.id)
    .where('status', '<>', 'deleted')
    .returning(['revision'])
    .executeTakeFirst();
