import { sql } from 'kysely';
import type { ReminderInput, ReminderStatus } from '#contract/reminders.ts';
import type { Position } from '#platform/cursor.ts';
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
const nextRun = sql<string | null>`(
  select min(last.scheduled_for)
    from (select j.scheduled_for, j.status, j.attempts from jobs j
           where j.reminder_id = r.id and j.type = 'reminder'
           order by j.scheduled_for desc limit 5) last
   where last.status = 'pending' and last.attempts = 0)`.as('next_run_at');

const selectReminders = (db: Db, workspaceId: string) =>
  db.selectFrom('reminders as r').where('r.workspace_id', '=', workspaceId).select(columns).select(nextRun);

export type ReminderRow = Awaited<ReturnType<typeof findReminder>> & {};

export const findReminder = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  selectReminders(db, workspaceId).where('r.id', '=', id).executeTakeFirst();

export function findReminders(
  db: Db,
  filter: {
    workspaceId: string;
    search?: string;
    status: ReminderStatus | 'all';
    after: Position | null;
    limit: number;
  },
) {
  let query = selectReminders(db, filter.workspaceId)
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(filter.limit + 1);
  if (filter.status !== 'all') query = query.where('r.status', '=', filter.status);
  if (filter.search !== undefined && filter.search !== '') {
    // Matched as it is written: % and _ are letters like others here.
    const pattern = `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where((or) => or.or([or('r.name', 'ilike', pattern), or('r.description', 'ilike', pattern)]));
  }
  if (filter.after !== null) {
    const { at, id } = filter.after;
    query = query.where(sql<boolean>`(r.created_at, r.id) < (${at}::timestamptz, ${id}::uuid)`);
  }
  return query.execute();
}

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
    .returning(['revision'])
    .executeTakeFirst();

export const setStatus = (db: Db, row: { workspaceId: string; id: string; now: string; status: ReminderStatus }) =>
  db
    .updateTable('reminders')
    .set({ status: row.status, updated_at: row.now })
    .where('workspace_id', '=', row.workspaceId)
    .where('id', '=', row.id)
    .returning(['revision'])
    .executeTakeFirst();

export const deleteReminderRow = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  db.deleteFrom('reminders').where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst();
