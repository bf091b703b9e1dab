import { sql } from 'kysely';
import type { JobExecution } from '#contract/executions.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { readPage } from '#platform/page.ts';

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

/** Searches the days around the creation time in the id first, which limits the partitions, and then all of them. */
export async function findExecution(db: Db, of: { workspaceId: string; id: string }) {
  const found = executions(db, of).where('e.id', '=', of.id);
  const madeAt = sql`coalesce(uuid_extract_timestamp(${of.id}::uuid), '-infinity')`;
  const near = found
    .where(sql<boolean>`e.started_at > ${madeAt} - interval '2 days'`)
    .where(sql<boolean>`e.started_at < ${madeAt} + interval '1 minute'`);
  return (await near.executeTakeFirst()) ?? found.executeTakeFirst();
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

const sentOver = (channel: ChannelType) => sql<boolean>`exists (
  select from deliveries d
   where d.workspace_id = e.workspace_id and d.job_id = e.job_id and d.scheduled_for = j.scheduled_for and d.channel = ${channel})`;

export function findExecutions(
  db: Db,
  filter: ExecutionFilter & { workspaceId: string; after: Position | null; limit: number },
) {
  let query = executions(db, filter)
    .orderBy('e.started_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(filter.limit + 1);
  if (filter.jobId !== undefined) query = query.where('e.job_id', '=', filter.jobId);
  if (filter.status !== undefined) query = query.where('e.status', '=', filter.status);
  if (filter.status !== undefined && filter.status !== 'completed') query = query.where('e.status', '<>', 'completed');
  if (filter.from !== undefined) query = query.where('e.started_at', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('e.started_at', '<', filter.to);
  if (filter.reminderId !== undefined) query = query.where('j.reminder_id', '=', filter.reminderId);
  if (filter.channel !== undefined) query = query.where(sentOver(filter.channel));
  // As many runs as a job can have; the index by job finds them.
  if (filter.jobIds !== undefined) query = query.where(sql<boolean>`e.job_id = any (${filter.jobIds}::uuid[])`);
  if (filter.after !== null) {
    const { at, id } = filter.after;
    query = query.where(sql<boolean>`(e.started_at, e.id) < (${at}::timestamptz, ${id}::uuid)`);
  }
  return readPage(db, { query, limit: filter.limit, large: ['error_message', 'logs'] });
}
