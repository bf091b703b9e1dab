import { sql } from 'kysely';
import type { JobExecution } from '#contract/executions.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { readPage } from '#platform/page.ts';

const runs = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db.selectFrom('executions as e').where('e.workspace_id', '=', workspaceId);

const columns = [
  'e.id',
  'e.job_id',
  'e.status',
  'e.started_at',
  'e.completed_at',
  'e.duration_ms',
  'e.error_message',
  'e.logs',
  'e.listed_at',
  'j.name',
  'j.type',
  'j.workspace_id',
] as const;

/**
 * A run that was kept on the row of its job has the job's id. Of others, the days around the creation time in the id are
 * searched first, which limits the partitions, and then all of them.
 */
export async function findExecution(db: Db, of: { workspaceId: string; id: string }) {
  const found = runs(db, of).where('e.id', '=', of.id);
  const madeAt = sql`coalesce(uuid_extract_timestamp(${of.id}::uuid), '-infinity')`;
  const near = found
    .where(sql<boolean>`e.started_at > ${madeAt} - interval '2 days'`)
    .where(sql<boolean>`e.started_at < ${madeAt} + interval '1 minute'`);
  for (const some of [found.where('e.job_id', '=', of.id), near, found]) {
    const execution = await some.innerJoin('jobs as j', 'j.id', 'e.job_id').select(columns).executeTakeFirst();
    if (execution !== undefined) return execution;
  }
  return undefined;
}

export type ExecutionFilter = {
  from?: string;
  to?: string;
  jobId?: string;
  reminderId?: string;
  status?: JobExecution['status'];
  channel?: ChannelType;
  /** Only executions of these jobs. */
  jobIds?: readonly string[];
};

type ListFilter = ExecutionFilter & {
  workspaceId: string;
  now: Temporal.Instant;
  after: Position | null;
  limit: number;
};

/**
 * The runs of `job_executions` and those on the rows of jobs, each in the order of an index. Jobs are read to the last run
 * of the table that the page has room for, and not to the first job of a workspace that has no run on the row of a job.
 */
export function findExecutions(db: Db, filter: ListFilter) {
  const most = filter.limit + 1;
  const query = db
    .with('of_table', () => listed(db, filter, { isOnJob: false }))
    .with('of_jobs', () =>
      listed(db, filter, { isOnJob: true }).where(
        sql<boolean>`e.listed_at >= (select coalesce((select min(listed_at) from of_table having count(*) = ${most}), '-infinity'))`,
      ),
    )
    .selectFrom('of_table')
    .selectAll()
    .unionAll((made) => made.selectFrom('of_jobs').selectAll())
    .orderBy('listed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most);
  return readPage(db, { query, limit: filter.limit, large: ['error_message', 'logs'] });
}

function listed(db: Db, filter: ListFilter, { isOnJob }: { isOnJob: boolean }) {
  const { jobId, jobIds, status, from, to, reminderId, channel, after, now, limit } = filter;
  // They are the same on a job's row, and the index on the jobs has the one by which the list is ordered.
  const job = isOnJob ? sql<string>`e.id` : sql<string>`e.job_id`;
  let query = runs(db, filter)
    .innerJoin('jobs as j', (join) => join.on('j.id', '=', job))
    .where('e.is_on_job', '=', sql.lit(isOnJob));
  // What has no run yet is left out by its time, an hour ahead in case two clocks differ.
  if (isOnJob) query = query.where('e.listed_at', '<', now.add({ hours: 1 }).toString());
  if (jobId !== undefined) query = query.where(job, '=', jobId);
  // As many runs as a job can have; the index by job finds them.
  if (jobIds !== undefined) query = query.where(sql<boolean>`${job} = any (${jobIds}::uuid[])`);
  if (status !== undefined) query = query.where('e.status', '=', status);
  if (status !== undefined && status !== 'completed')
    query = query.where('e.status', '<>', 'completed').where('e.failed_at', 'is not', null);
  // By the index, in which a run is less than a minute before it began, and then by when it began.
  if (from !== undefined)
    query = query
      .where('e.started_at', '>=', from)
      .where('e.listed_at', '>=', sql<string>`${from}::timestamptz - interval '1 minute'`);
  if (to !== undefined) query = query.where('e.started_at', '<', to).where('e.listed_at', '<', to);
  if (reminderId !== undefined) query = query.where('j.reminder_id', '=', reminderId);
  if (channel !== undefined)
    query = query.where(
      sql<boolean>`exists (
        select from deliveries d
         where d.workspace_id = e.workspace_id and d.job_id = ${job} and d.scheduled_for = j.scheduled_for and d.channel = ${channel})`,
    );
  if (after !== null)
    query = query.where(sql<boolean>`(e.listed_at, e.id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  return query
    .select(columns)
    .orderBy('e.listed_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(limit + 1);
}
