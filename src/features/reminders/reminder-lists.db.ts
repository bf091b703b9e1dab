import { sql } from 'kysely';
import type { ReminderSort, ReminderStatus } from '#contract/reminders.ts';
import { nextRun, type ReminderRow, selectReminders } from '#features/reminders/reminders.db.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';

type ListFilter = {
  workspaceId: string;
  search?: string;
  status: ReminderStatus | 'all';
  sort: ReminderSort;
  after: Position | null;
  limit: number;
};

/** What orders a row in its list: `at` and `id` of the position after it. */
export type ListedReminder = ReminderRow & { at: string | number; position: string };

/** One row more than asked, each list from an index of its own order. */
export function findReminders(db: Db, filter: ListFilter): Promise<ListedReminder[]> {
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

function findInOrder(db: Db, { key, as, isDown, after, ...filter }: ListFilter & Order): Promise<ListedReminder[]> {
  const direction = isDown ? 'desc' : 'asc';
  let query = matching(db, filter)
    .select([sql<string | number>`${key}`.as('at'), 'r.id as position'])
    .orderBy(key, direction)
    .orderBy('r.id', direction)
    .limit(filter.limit + 1);
  if (after !== null) {
    const comes = isDown ? sql`<` : sql`>`;
    query = query.where(sql<boolean>`(${key}, r.id) ${comes} (${after.at}::${sql.raw(as)}, ${after.id}::uuid)`);
  }
  return query.execute();
}

/** Where the list stands once those with a next run are through. */
export const withoutNextRun = 'none';

/** Along the queue, which has what waits in the order of its time; behind those the others, the newest first. */
async function findByNextRun(db: Db, filter: ListFilter & { isDown: boolean }): Promise<ListedReminder[]> {
  const isBehind = filter.after?.at === withoutNextRun;
  const waiting = isBehind || !mayRun(filter.status) ? [] : await findWaiting(db, filter);
  const limit = filter.limit - waiting.length;
  if (limit < 0) return waiting;
  const others = await findOthers(db, { ...filter, limit, after: isBehind ? filter.after : null });
  return [...waiting, ...others];
}

const mayRun = (status: ListFilter['status']) => status === 'all' || status === 'active';

function findWaiting(
  db: Db,
  { after, isDown, ...filter }: ListFilter & { isDown: boolean },
): Promise<ListedReminder[]> {
  const direction = isDown ? 'desc' : 'asc';
  const reminder = matching(db, filter)
    .innerJoin('jobs as j', (join) =>
      join.onRef('j.workspace_id', '=', 'r.workspace_id').onRef('j.reminder_id', '=', 'r.id'),
    )
    .where(sql<boolean>`j.id = q.job_id`)
    .where('r.status', '=', 'active')
    .where('j.type', '=', 'reminder')
    .where(sql<boolean>`j.scheduled_for = ${nextRun}`)
    // Looked up for each that waits, as far as the page reaches, and never sorted as a whole.
    .offset(0);
  let query = db
    .selectFrom('queue as q')
    .innerJoinLateral(reminder.as('r'), (join) => join.onTrue())
    .where('q.workspace_id', '=', filter.workspaceId)
    .selectAll('r')
    .select(['q.run_at as at', 'q.job_id as position'])
    .orderBy('q.run_at', direction)
    .orderBy('q.job_id', direction)
    .limit(filter.limit + 1);
  if (after !== null) {
    const comes = isDown ? sql`<` : sql`>`;
    query = query.where(sql<boolean>`(q.run_at, q.job_id) ${comes} (${after.at}::timestamptz, ${after.id}::uuid)`);
  }
  return query.execute();
}

function findOthers(db: Db, { after, ...filter }: ListFilter): Promise<ListedReminder[]> {
  let query = matching(db, filter)
    .where(sql<boolean>`(r.status <> 'active' or ${nextRun} is null)`)
    .select([sql.lit(withoutNextRun).as('at'), 'r.id as position'])
    // Identifiers rise with time.
    .orderBy('r.id', 'desc')
    .limit(filter.limit + 1);
  if (after !== null) query = query.where('r.id', '<', after.id);
  return query.execute();
}

function matching(db: Db, filter: Pick<ListFilter, 'workspaceId' | 'search' | 'status'>) {
  let query = selectReminders(db, filter.workspaceId);
  if (filter.status !== 'all') query = query.where('r.status', '=', filter.status);
  if (filter.search !== undefined && filter.search !== '') {
    // Matched as it is written: % and _ are letters like others here.
    const pattern = `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where((or) => or.or([or('r.name', 'ilike', pattern), or('r.description', 'ilike', pattern)]));
  }
  return query;
}
