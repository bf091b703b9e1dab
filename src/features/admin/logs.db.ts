import { sql } from 'kysely';
import type { AdminExecution, LogEntry, LogLevel } from '#contract/admin-logs.ts';
import type { Db } from '#platform/database.ts';
import { type Listed, readPage } from '#platform/page.ts';

/**
 * The latest since then, of all workspaces or of those that the caller administers. Why one failed, only of the latter: what a provider
 * answers may name a recipient.
 */
export async function findExecutions(
  db: Db,
  { isAll, since, limit }: { isAll: boolean; since: string; limit: number },
): Promise<AdminExecution[]> {
  const of = isAll ? sql`executions_of_installation` : sql`own_executions`;
  const { rows } = await sql<AdminExecution>`
    select id, workspace_id, workspace, job_id, job, type, status, started_at, duration_ms,
           case when workspace_id in (select o.id from own_administered() o) then error_message end as error_message
      from ${of}(${since}::timestamptz, ${limit}::integer)
     order by listed_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

export const findLogEntries = (
  db: Db,
  {
    levels,
    pattern,
    beforeId,
    limit,
  }: { levels: readonly LogLevel[] | null; pattern: string | null; beforeId: string | null; limit: number },
): Promise<Listed<LogEntry>> =>
  readPage(db, {
    query: sql<LogEntry>`(
      select id::text, created_at, level, process, message, details
        from log_of_installation(${levels}::text[], ${pattern}::text, ${beforeId}::bigint, ${limit + 1}::integer))`,
    limit,
    large: ['details', 'message'],
  });
