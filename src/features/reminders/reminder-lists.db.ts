import { sql } from 'kysely';
import type { ReminderSort, ReminderState } from '#contract/reminders.ts';
import { isDone, isListed } from '#features/reminders/done.service.ts';
import { nextRun, type ReminderRow, selectReminders } from '#features/reminders/reminders.db.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { exportedColumns, reminderColumns } from '#platform/exported-columns.ts';
import { type Listed, readPage } from '#platform/page.ts';
import { patternOf } from '#platform/pattern.ts';

type ListFilter = {
  workspaceId: string;
  search?: string;
  status: ReminderState | 'all';
  sort: ReminderSort;
  after: Position | null;
  limit: number;
  /** True lists messages that are written once, too. */
  withOneOffs?: boolean | undefined;
  /** Rows that are on the page already. */
  before?: readonly unknown[];
};

/** A row with its sort values, of which `at` and `cursor_id` make the cursor after it. */
export type ListedReminder = ReminderRow & { at: string | number; cursor_id: string };

const large = exportedColumns(reminderColumns);

/** A page of reminders; each order uses its own index. */
export function findReminders(db: Db, filter: ListFilter): Promise<Listed<ListedReminder>> {
  switch (filter.sort) {
    case 'created':
    case '-created':
      return findInOrder(db, {
        ...filter,
        key: sql`r.created_at`,
        as: 'timestamptz',
        isDown: filter.sort === '-created',
      });
    case 'name':
    case '-name':
      return findInOrder(db, { ...filter, key: sql`r.sort_key`, as: 'text', isDown: filter.sort === '-name' });
    case 'status':
    case '-status':
      return findInOrder(db, { ...filter, key: sql`r.status_rank`, as: 'smallint', isDown: filter.sort === 'status' });
    case 'next_run':
    case '-next_run':
      return findByNextRun(db, { ...filter, isDown: filter.sort === '-next_run' });
    default:
      return filter.sort satisfies never;
  }
}

type Order = { key: ReturnType<typeof sql>; as: 'timestamptz' | 'text' | 'smallint'; isDown: boolean };

function findInOrder(
  db: Db,
  { key, as, isDown, after, before, ...filter }: ListFilter & Order,
): Promise<Listed<ListedReminder>> {
  const direction = isDown ? 'desc' : 'asc';
  let query = matching(db, filter)
    .select([sql<string | number>`${key}`.as('at'), 'r.id as cursor_id'])
    .orderBy(key, direction)
    .orderBy('r.id', direction)
    .limit(filter.limit + 1);
  if (after !== null) {
    const comes = isDown ? sql`<` : sql`>`;
    query = query.where(sql<boolean>`(${key}, r.id) ${comes} (${after.at}::${sql.raw(as)}, ${after.id}::uuid)`);
  }
  return readPage(db, { query, limit: filter.limit, large, before });
}

/** The cursor value after all rows with a next run. */
export const withoutNextRun = 'none';

/** Sorted by the queue, and so by time. Reminders without a pending job come last, newest first. */
async function findByNextRun(db: Db, filter: ListFilter & { isDown: boolean }): Promise<Listed<ListedReminder>> {
  const isBehind = filter.after?.at === withoutNextRun;
  const waiting = isBehind || !mayRun(filter.status) ? { rows: [], isMore: false } : await findWaiting(db, filter);
  if (waiting.isMore) return waiting;
  const others = await findOthers(db, {
    ...filter,
    limit: filter.limit - waiting.rows.length,
    after: isBehind ? filter.after : null,
    before: [...(filter.before ?? []), ...waiting.rows],
  });
  return { rows: [...waiting.rows, ...others.rows], isMore: others.isMore };
}

const mayRun = (status: ListFilter['status']) => status === 'all' || status === 'active';

function findWaiting(
  db: Db,
  { after, before, isDown, ...filter }: ListFilter & { isDown: boolean },
): Promise<Listed<ListedReminder>> {
  const direction = isDown ? 'desc' : 'asc';
  const reminder = matching(db, filter)
    .where(sql<boolean>`r.id = q.reminder_id`)
    .where('r.status', '=', 'active')
    .where(sql<boolean>`(select scheduled_for from jobs where id = q.job_id) = ${nextRun}`)
    // OFFSET 0 keeps the subquery separate: queue rows are looked up only as far as the page needs, without a sort.
    .offset(0);
  let query = db
    .selectFrom('queue as q')
    .innerJoinLateral(reminder.as('r'), (join) => join.onTrue())
    .where('q.workspace_id', '=', filter.workspaceId)
    .where('q.reminder_id', 'is not', null)
    .selectAll('r')
    .select(['q.run_at as at', 'q.job_id as cursor_id'])
    .orderBy('q.run_at', direction)
    .orderBy('q.job_id', direction)
    .limit(filter.limit + 1);
  if (after !== null) {
    const comes = isDown ? sql`<` : sql`>`;
    query = query.where(sql<boolean>`(q.run_at, q.job_id) ${comes} (${after.at}::timestamptz, ${after.id}::uuid)`);
  }
  return readPage(db, { query, limit: filter.limit, large, before });
}

function findOthers(db: Db, { after, before, ...filter }: ListFilter): Promise<Listed<ListedReminder>> {
  let query = matching(db, filter)
    .where(sql<boolean>`(r.status <> 'active' or ${nextRun} is null)`)
    .select([sql.lit(withoutNextRun).as('at'), 'r.id as cursor_id'])
    // By id, which increases with time.
    .orderBy('r.id', 'desc')
    .limit(filter.limit + 1);
  if (after !== null) query = query.where('r.id', '<', after.id);
  return readPage<ListedReminder>(db, { query, limit: filter.limit, large, before });
}

function matching(db: Db, filter: Pick<ListFilter, 'workspaceId' | 'search' | 'status' | 'withOneOffs'>) {
  let query = selectReminders(db, filter.workspaceId);
  if (filter.withOneOffs !== true) query = query.where(isListed);
  if (filter.status === 'done') query = query.where(isDone);
  else if (filter.status !== 'all') query = query.where('r.status', '=', filter.status);
  if (filter.status === 'active') query = query.where(sql<boolean>`not ${isDone}`);
  const pattern = patternOf(filter.search);
  if (pattern !== null) {
    query = query.where((or) => or.or([or('r.name', 'ilike', pattern), or('r.description', 'ilike', pattern)]));
  }
  return query;
}
