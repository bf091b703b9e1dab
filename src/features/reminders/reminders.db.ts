import { sql } from 'kysely';
import type { ReminderInput, ReminderStatus } from '#contract/reminders.ts';
import { isDone } from '#features/reminders/done.service.ts';
import type { Db } from '#platform/database.ts';
import { type ExportedColumn, exportedColumns, reminderColumns } from '#platform/exported-columns.ts';

const columns = [
  'r.id',
  'r.workspace_id',
  ...exportedColumns(reminderColumns).map((column) => `r.${column}` as const),
  'r.paused_until',
  'r.revision',
  'r.created_by',
  'r.created_at',
  'r.updated_at',
] as const;

/** The time of the reminder's pending job, as the Jobs screen shows it. Read through the queue's index, whatever the number of other jobs. */
export const nextRun = sql<string | null>`(
  select min(j.scheduled_for)
    from queue next
    join jobs j on j.id = next.job_id
   where next.reminder_id = r.id)`;

/** The reminders that are not deleted. */
export const selectReminders = (db: Db, workspaceId: string) =>
  db
    .selectFrom('reminders as r')
    .where('r.workspace_id', '=', workspaceId)
    .where('r.status', '<>', 'deleted')
    .select(columns)
    .select([nextRun.as('next_run_at'), isDone.as('is_done')])
    .$narrowType<{ status: ReminderStatus }>();

export type ReminderRow = Awaited<ReturnType<typeof findReminder>> & {};

export const findReminder = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  selectReminders(db, workspaceId).where('r.id', '=', id).executeTakeFirst();

const stored = (input: ReminderInput) =>
  ({
    name: input.name,
    description: input.description,
    status: input.status,
    schedule_config: JSON.stringify(input.schedule_config),
    content: JSON.stringify(input.content),
    metadata: JSON.stringify(input.metadata),
  }) satisfies Record<ExportedColumn<typeof reminderColumns>, unknown>;

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

/** Replaces a reminder and increments its revision, so that messages rendered from the older text are not sent. Null when it does not exist. */
export const replaceReminder = (db: Db, row: { workspaceId: string; id: string; now: string; input: ReminderInput }) =>
  db
    .updateTable('reminders')
    .set({
      ...stored(row.input),
      // The end of a pause stays while the reminder stays paused.
      paused_until: sql`case when ${row.input.status} = 'paused' then paused_until end`,
      updated_at: row.now,
      revision: sql`revision + 1`,
    })
    .where('workspace_id', '=', row.workspaceId)
    .where('id', '=', row.id)
    .where('status', '<>', 'deleted')
    .returning(['revision'])
    .executeTakeFirst();

export const setStatus = (
  db: Db,
  row: { workspaceId: string; id: string; now: string; status: ReminderStatus; until: string | null },
) =>
  db
    .updateTable('reminders')
    .set({ status: row.status, paused_until: row.until, updated_at: row.now })
    .where('workspace_id', '=', row.workspaceId)
    .where('id', '=', row.id)
    .where('status', '<>', 'deleted')
    .returning(['revision'])
    .executeTakeFirst();
