import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
import { type JobStatus, jobStatuses } from '#contract/job-states.ts';
import type { ArchivedFilter, JobSort, TestsFilter } from '#contract/jobs.ts';
import type { Position } from '#platform/cursor.ts';
import { isCountedJob } from '#platform/counted-jobs.ts';
import type { Db } from '#platform/database.ts';
import { jobPayload } from '#platform/job-payload.ts';
import { readPage } from '#platform/page.ts';
import { containing, patternOf } from '#platform/pattern.ts';
import type { Schema } from '#platform/schema.ts';

const summaryColumns = [
  'id',
  'workspace_id',
  'reminder_id',
  'name',
  'type',
  'status',
  'scheduled_for',
  'run_at',
  'attempts',
  'max_attempts',
  'started_at',
  'completed_at',
  'archived_at',
  'error_message',
  'reason_code',
  'created_at',
  'updated_at',
] as const;
const columns = [...summaryColumns, jobPayload('jobs')] as const;

type Window = { from?: string; to?: string };

export const findJob = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  db.selectFrom('jobs').where('workspace_id', '=', workspaceId).where('id', '=', id).select(columns).executeTakeFirst();

/**
 * The jobs whose names contain a text, read from the indexes of names alone; null where there are more than `most`, of which the first are soon met in the
 * order of a list.
 */
export async function findFewNamed(
  db: Db,
  { workspaceId, text, most }: { workspaceId: string; text: string; most: number },
): Promise<string[] | null> {
  const pattern = containing(text);
  const { rows } = await sql<{ id: string }>`
    (select id from jobs where workspace_id = ${workspaceId} and archived_at is null and name ilike ${pattern} limit ${most + 1})
    union all
    (select id from jobs where workspace_id = ${workspaceId} and archived_at is not null and name ilike ${pattern} limit ${most + 1})`.execute(
    db,
  );
  return rows.length > most ? null : rows.map(({ id }) => id);
}

/** Those of these jobs that have not ended. */
export const findOpenJobs = (db: Db, { workspaceId, ids }: { workspaceId: string; ids: readonly string[] }) =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...ids])
    .where('status', 'in', ['pending', 'running', 'paused'])
    .select('id')
    .execute();

/** `revision` is the revision of the reminder that the job was created from. */
export const findJobWithRevision = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select([...columns, 'revision'])
    .executeTakeFirst();

type JobFilter = Window & {
  workspaceId: string;
  status: JobStatus | 'all';
  search?: string;
  /** Jobs that a search for people has found, listed whatever their names are. */
  searched?: readonly string[];
  /** The jobs whose names contain the text, where they are few. */
  named?: readonly string[] | null;
  reminder_id?: string;
  tests?: TestsFilter;
  sort?: JobSort;
  after: Position | null;
  limit: number;
};

type ListFilter = JobFilter & { archived: ArchivedFilter };

export const findJobs = (db: Db, { archived, ...filter }: ListFilter) =>
  readPage(db, {
    query: listed(matching(db, filter).select(columns), { ...filter, archived }),
    limit: filter.limit,
    large: ['payload', 'error_message'],
  });

/** Jobs without their payloads. */
export const findJobSummaries = (db: Db, { archived, ...filter }: ListFilter) =>
  readPage(db, {
    query: listed(matching(db, filter).select(summaryColumns), { ...filter, archived }),
    limit: filter.limit,
    large: ['error_message'],
  });

/** The runs of a reminder, newest first: occurrences that have begun, or all jobs of its events, without tests. */
export async function findRuns(
  db: Db,
  {
    workspaceId,
    reminderId,
    isEvent,
    after,
    limit,
  }: {
    workspaceId: string;
    reminderId: string;
    isEvent: boolean;
    after: Position | null;
    limit: number;
  },
) {
  const runs = db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('reminder_id', '=', reminderId)
    .select(summaryColumns)
    .limit(limit + 1);
  const query = isEvent
    ? runs
        .where('type', '<>', 'reminder')
        .where('type', '<>', 'test_reminder')
        .$if(after !== null, (some) => some.where('id', '<', after?.id ?? ''))
        .orderBy('id', 'desc')
    : runs
        .where('type', '=', 'reminder')
        .where(hasBegun)
        .$if(after !== null, (some) => some.where('scheduled_for', '<', after?.at ?? ''))
        .orderBy('scheduled_for', 'desc');
  return readPage(db, { query, limit, large: ['error_message'] });
}

/** False for an occurrence that waits for its time, or is paused before it. */
const hasBegun = sql<boolean>`(status not in ('pending', 'paused') or started_at is not null)`;

/** How many of a reminder's latest event jobs are searched for one that has begun: they may be waiting for their delay. */
const eventsLookedThrough = 1_000;

/** The last run of each of these reminders that has one. */
export async function findLastRuns(
  db: Db,
  { workspaceId, reminderIds }: { workspaceId: string; reminderIds: readonly string[] },
): Promise<LastRun[]> {
  const { rows } = await sql<LastRun>`
    select distinct on (r.id) r.id as reminder_id, j.id, j.status, j.scheduled_for
      from unnest(${reminderIds}::uuid[]) as r (id)
     cross join lateral (
       (select id, status, scheduled_for from jobs
         where workspace_id = ${workspaceId} and reminder_id = r.id and type = 'reminder' and ${hasBegun}
         order by scheduled_for desc limit 1)
       union all
       (select id, status, scheduled_for
          from (select id, status, scheduled_for, started_at from jobs
                 where workspace_id = ${workspaceId} and reminder_id = r.id and type <> 'reminder' and type <> 'test_reminder'
                 order by id desc limit ${eventsLookedThrough}) recent
         where ${hasBegun} limit 1)) j
     order by r.id, j.scheduled_for desc`.execute(db);
  return rows;
}

type LastRun = { reminder_id: string; id: string; status: JobStatus; scheduled_for: string };

function listed<Row>(
  matched: SelectQueryBuilder<Schema, 'jobs', Row>,
  { archived, limit, sort }: Pick<ListFilter, 'archived' | 'limit' | 'sort'>,
): Expression<Row> {
  // Each part uses its own index for the order.
  const current = matched.where('archived_at', 'is', null);
  const old = matched.where('archived_at', 'is not', null);
  switch (archived) {
    case 'false':
      return current;
    case 'only':
      return old;
    case 'true':
      return sql<Row>`(
        select * from (select * from ${current} current union all select * from ${old} old) jobs
         order by ${sort === 'soonest' ? sql`scheduled_for, id` : sql`id desc`} limit ${limit + 1})`;
    default:
      return archived satisfies never;
  }
}

function matching(db: Db, filter: JobFilter) {
  let query = inOrder(db.selectFrom('jobs').where('workspace_id', '=', filter.workspaceId), filter).limit(
    filter.limit + 1,
  );
  if (filter.status !== 'all') query = query.where('status', '=', filter.status).where(foundBy(filter.status, filter));
  if (filter.from !== undefined) query = query.where('scheduled_for', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('scheduled_for', '<', filter.to);
  if (filter.reminder_id !== undefined) query = query.where('reminder_id', '=', filter.reminder_id);
  query = query.where(isAmong(filter.tests));
  const pattern = patternOf(filter.search);
  if (pattern !== null) {
    const { searched = [], named = null } = filter;
    query =
      named === null
        ? query.where(sql<boolean>`(name ilike ${pattern} or id = any (${searched}::uuid[]))`)
        : query.where(sql<boolean>`id = any (${[...new Set([...named, ...searched])]}::uuid[])`);
  }
  return query;
}

/** The jobs after a position of the order. */
function inOrder(jobs: SelectQueryBuilder<Schema, 'jobs', object>, { sort = 'newest', after }: JobFilter) {
  switch (sort) {
    case 'newest':
      // By id, which increases with time: the order of creation.
      return jobs.$if(after !== null, (some) => some.where('id', '<', after?.id ?? '')).orderBy('id', 'desc');
    case 'soonest':
      return jobs
        .$if(after !== null, (some) =>
          some.where(sql<boolean>`(scheduled_for, id) > (${after?.at}::timestamptz, ${after?.id}::uuid)`),
        )
        .orderBy('scheduled_for')
        .orderBy('id');
    default:
      return sort satisfies never;
  }
}

type Kinds = TestsFilter | 'uncounted';

const isAmong = (tests: Kinds | undefined) => {
  switch (tests) {
    case undefined:
    case 'true':
      return sql<boolean>`true`;
    case 'false':
      return isCountedJob('type');
    case 'uncounted':
      return sql<boolean>`not (${isCountedJob('type')})`;
    case 'only':
      return sql<boolean>`type = 'test_reminder'`;
    default:
      return tests satisfies never;
  }
};

/** The condition by which an index finds jobs of a status, whose column has none. */
function foundBy(status: JobStatus, { workspaceId }: { workspaceId: string }) {
  switch (status) {
    case 'pending':
      return sql<boolean>`id = any (array(select job_id from queue where workspace_id = ${workspaceId}))`;
    case 'running':
      return sql<boolean>`id = any (array(select running_jobs()))`;
    case 'failed':
      return sql<boolean>`failed_at is not null`;
    case 'cancelled':
      return sql<boolean>`cancelled_at is not null`;
    case 'paused':
      return sql<boolean>`paused_at is not null`;
    case 'completed':
      return sql<boolean>`true`;
    default:
      return status satisfies never;
  }
}

type Counts = Record<JobStatus | 'total', number>;
const noJobs: Counts = { total: 0, pending: 0, running: 0, completed: 0, failed: 0, cancelled: 0, paused: 0 };

type Counted = { workspaceId: string; archived: ArchivedFilter; tests: TestsFilter };

/** Counts all jobs by status, less what figures leave out, which is little and counted one by one. */
export async function countAll(db: Db, { tests, ...of }: Counted): Promise<Counts> {
  switch (tests) {
    case 'true':
      return countEvery(db, of);
    case 'only':
      return countWithin(db, { ...of, tests });
    case 'false': {
      const [every, some] = [await countEvery(db, of), await countWithin(db, { ...of, tests: 'uncounted' })];
      const left = { ...every };
      for (const key of ['total', ...jobStatuses] as const) left[key] -= some[key];
      return left;
    }
    default:
      return tests satisfies never;
  }
}

/** Each count uses its own index; completed jobs are what remains. */
async function countEvery(db: Db, { workspaceId, archived }: Omit<Counted, 'tests'>): Promise<Counts> {
  if (archived === 'only') return countArchived(db, { workspaceId });
  const { rows } = await sql<Omit<Counts, 'completed'>>`
    select (select count(*)::int from jobs where workspace_id = ${workspaceId} and archived_at is null)
           + (select count(*)::int from jobs where workspace_id = ${workspaceId} and archived_at is not null and ${archived === 'true'}) as total,
           (select count(*)::int from queue where workspace_id = ${workspaceId}) as pending,
           (select count(*)::int from running_jobs()) as running,
           (select count(*)::int from jobs where workspace_id = ${workspaceId} and failed_at is not null) as failed,
           (select count(*)::int from jobs where workspace_id = ${workspaceId} and cancelled_at is not null) as cancelled,
           (select count(*)::int from jobs where workspace_id = ${workspaceId} and paused_at is not null) as paused`.execute(
    db,
  );
  const [found] = rows;
  if (found === undefined) throw new Error('a select of counts answered no row');
  const { total, pending, running, failed, cancelled, paused } = found;
  return { ...found, completed: total - pending - running - failed - cancelled - paused };
}

/** Only completed jobs are archived. */
async function countArchived(db: Db, { workspaceId }: { workspaceId: string }): Promise<Counts> {
  const { total } = await db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('archived_at', 'is not', null)
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow();
  return { ...noJobs, total, completed: total };
}

/** Counts the jobs scheduled in [from, to). */
export async function countWithin(
  db: Db,
  { workspaceId, from, to, archived, tests }: Window & Omit<Counted, 'tests'> & { tests: Kinds },
): Promise<Counts> {
  let query = db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .groupBy('status')
    .where(isAmong(tests))
    .select(['status', sql<number>`count(*)::int`.as('count')]);
  if (from !== undefined) query = query.where('scheduled_for', '>=', from);
  if (to !== undefined) query = query.where('scheduled_for', '<', to);
  if (archived !== 'true') query = query.where('archived_at', archived === 'only' ? 'is not' : 'is', null);
  const counts = { ...noJobs };
  for (const { status, count } of await query.execute()) {
    counts[status] = count;
    counts.total += count;
  }
  return counts;
}
