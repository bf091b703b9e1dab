import { sql } from 'kysely';
import type { JobStatus } from '#contract/jobs.ts';
import type { ChannelType } from '#contract/reminders.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';

const columns = [
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
  'payload',
  'created_at',
  'updated_at',
] as const;

type Window = { from?: string; to?: string };

export const findJob = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  db.selectFrom('jobs').where('workspace_id', '=', workspaceId).where('id', '=', id).select(columns).executeTakeFirst();

/** `revision`: of its reminder, from which it was made. */
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
  reminder_id?: string;
  after: Position | null;
  limit: number;
};

export function findJobs(db: Db, { withArchived, ...filter }: JobFilter & { withArchived: boolean }) {
  const current = matching(db, filter).where('archived_at', 'is', null);
  if (!withArchived) return current.execute();
  // Each half comes in order from an index of its own.
  const archived = matching(db, filter).where('archived_at', 'is not', null);
  return db
    .selectFrom(
      db
        .selectFrom(current.as('current'))
        .selectAll()
        .unionAll(db.selectFrom(archived.as('archived')).selectAll())
        .as('jobs'),
    )
    .selectAll()
    .orderBy('id', 'desc')
    .limit(filter.limit + 1)
    .execute();
}

function matching(db: Db, filter: JobFilter) {
  let query = db
    .selectFrom('jobs')
    .where('workspace_id', '=', filter.workspaceId)
    .select(columns)
    // In the order of their making: identifiers rise with time.
    .orderBy('id', 'desc')
    .limit(filter.limit + 1);
  if (filter.status !== 'all') query = query.where('status', '=', filter.status).where(foundBy(filter.status, filter));
  if (filter.from !== undefined) query = query.where('scheduled_for', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('scheduled_for', '<', filter.to);
  if (filter.reminder_id !== undefined) query = query.where('reminder_id', '=', filter.reminder_id);
  if (filter.search !== undefined && filter.search !== '') {
    query = query.where('name', 'ilike', `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`);
  }
  if (filter.after !== null) {
    query = query.where('id', '<', filter.after.id);
  }
  return query;
}

/** What is true of a job in this status and stands in an index, as the status itself does not. */
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

/** Each from an index of its own; completed is what is left. */
export async function countAll(
  db: Db,
  { workspaceId, withArchived }: { workspaceId: string; withArchived: boolean },
): Promise<Counts> {
  const { rows } = await sql<Omit<Counts, 'completed'>>`
    select (select count(*)::int from jobs where workspace_id = ${workspaceId} and archived_at is null)
           + (select count(*)::int from jobs where workspace_id = ${workspaceId} and archived_at is not null and ${withArchived}) as total,
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

/** Of the jobs scheduled in [from, to), as many as there are rows in it. */
export async function countWithin(
  db: Db,
  { workspaceId, from, to, withArchived }: Window & { workspaceId: string; withArchived: boolean },
): Promise<Counts> {
  let query = db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .groupBy('status')
    .select(['status', sql<number>`count(*)::int`.as('count')]);
  if (from !== undefined) query = query.where('scheduled_for', '>=', from);
  if (to !== undefined) query = query.where('scheduled_for', '<', to);
  if (!withArchived) query = query.where('archived_at', 'is', null);
  const counts = { total: 0, pending: 0, running: 0, completed: 0, failed: 0, cancelled: 0, paused: 0 };
  for (const { status, count } of await query.execute()) {
    counts[status] = count;
    counts.total += count;
  }
  return counts;
}

export function findDeliveries(
  db: Db,
  filter: { workspaceId: string; jobId: string; after: Position | null; limit: number },
) {
  let query = db
    .selectFrom('deliveries')
    .where('workspace_id', '=', filter.workspaceId)
    .where('job_id', '=', filter.jobId)
    .select([
      'id',
      'job_id',
      'channel',
      'recipient',
      'recipient_name',
      'status',
      'attempts',
      'reason',
      'channel_id',
      'provider',
      'provider_id',
      'provider_answer',
      'scheduled_for',
      'first_attempt_at',
      'last_attempt_at',
      'next_attempt_at',
      'completed_at',
      'answered_at',
      'past',
      'content_hash',
      'created_at',
    ])
    // In the order of their making, which the identifiers keep from the first attempt on.
    .orderBy('id', 'desc')
    .limit(filter.limit + 1);
  if (filter.after !== null) query = query.where('id', '<', filter.after.id);
  return query.execute();
}

type UnderWay = {
  id: string;
  channel: ChannelType;
  recipient: string;
  recipient_name: string | null;
  began_at: string;
};

/** First attempts of a running job that have no row in the ledger before they have an outcome, in the same order. */
export async function findAttemptsUnderWay(
  db: Db,
  { jobId, after, limit }: { jobId: string; after: Position | null; limit: number },
): Promise<UnderWay[]> {
  const { rows } = await sql<UnderWay>`
    select id, channel, recipient, recipient_name, began_at from attempts_under_way(${jobId})
     where ${after?.id ?? null}::uuid is null or id < ${after?.id ?? null}::uuid
     order by id desc
     limit ${limit + 1}`.execute(db);
  return rows;
}

const executions = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db
    .selectFrom('job_executions as e')
    .innerJoin('jobs as j', 'j.id', 'e.job_id')
    .where('e.workspace_id', '=', workspaceId)
    .select([
      'e.id',
      'e.job_id',
      'e.status',
      'e.started_at',
      'e.completed_at',
      'e.duration_ms',
      'e.error_message',
      'e.logs',
      'j.name',
      'j.type',
      'j.workspace_id',
    ]);

/** Looked for first where its identifier says that it began, which an index finds; then everywhere. */
export async function findExecution(db: Db, of: { workspaceId: string; id: string }) {
  const found = executions(db, of).where('e.id', '=', of.id);
  const madeAt = sql`coalesce(uuid_extract_timestamp(${of.id}::uuid), '-infinity')`;
  const near = found
    .where(sql<boolean>`e.started_at > ${madeAt} - interval '2 days'`)
    .where(sql<boolean>`e.started_at < ${madeAt} + interval '1 minute'`);
  return (await near.executeTakeFirst()) ?? found.executeTakeFirst();
}

export function findExecutions(
  db: Db,
  filter: { workspaceId: string; jobId?: string; after: Position | null; limit: number },
) {
  let query = executions(db, filter)
    .orderBy('e.started_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(filter.limit + 1);
  if (filter.jobId !== undefined) query = query.where('e.job_id', '=', filter.jobId);
  if (filter.after !== null) {
    const { at, id } = filter.after;
    query = query.where(sql<boolean>`(e.started_at, e.id) < (${at}::timestamptz, ${id}::uuid)`);
  }
  return query.execute();
}
