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
 * A run that is kept on its job's row has the job's id. Other runs are searched first around the time that the id contains, which limits the
 * partitions, and then everywhere.
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
 * The runs of `job_executions` and those on the rows of jobs, each in the order of an index. Jobs are read only as far back as the page's last run of
 * the table, not through all of a workspace whose rows have no runs.
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
  // On a job's row the run's id is the job's, and the one that the index of the list has.
  const job = isOnJob ? sql<string>`e.id` : sql<string>`e.job_id`;
  let query = runs(db, filter)
    .innerJoin('jobs as j', (join) => join.on('j.id', '=', job))
    .where('e.is_on_job', '=', sql.lit(isOnJob));
  // A job that has not run yet is excluded by its time, with an hour to spare in case two clocks differ.
  if (isOnJob) query = query.where('e.listed_at', '<', now.add({ hours: 1 }).toString());
  if (jobId !== undefined) query = query.where(job, '=', jobId);
  // Found through the index by job; a job has few runs.
  if (jobIds !== undefined) query = query.where(sql<boolean>`${job} = any (${jobIds}::uuid[])`);
  if (status !== undefined) query = query.where('e.status', '=', status);
  if (status !== undefined && status !== 'completed')
    query = query.where('e.status', '<>', 'completed').where('e.failed_at', 'is not', null);
  // First by the index, whose time is up to a minute before the run began, and then by the exact time.
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
