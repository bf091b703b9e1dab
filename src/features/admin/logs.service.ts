import { sql } from 'kysely';
import { type AdminExecution, adminLogLimits, type LogEntry, type LogLevel, logLevels } from '#contract/admin-logs.ts';
import { isAdministrator } from '#features/admin/overview.db.ts';
import type { PersonContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { Invalid } from '#platform/errors.ts';
import { type Listed, readPage } from '#platform/page.ts';
import { patternOf } from '#platform/pattern.ts';

/** How far back to look, in two steps: nearly always 20 executions are as young as an hour, which is cheap to read. */
const recentHours = [1, 31 * 24];

export async function latestExecutions({ db, now }: PersonContext): Promise<{ data: AdminExecution[] }> {
  const asked = { isAll: await isAdministrator(db), limit: adminLogLimits.executions };
  for (const hours of recentHours) {
    const recent = await findExecutions(db, { ...asked, since: now.subtract({ hours }).toString() });
    if (recent.length === adminLogLimits.executions) return { data: recent };
  }
  return { data: await findExecutions(db, { ...asked, since: '-infinity' }) };
}

type LogAsked = {
  search?: string | undefined;
  level?: LogLevel | undefined;
  limit: number;
  cursor?: string | undefined;
};

export async function listLogEntries(
  { db }: Pick<PersonContext, 'db'>,
  { search, level, limit, cursor }: LogAsked,
): Promise<{ data: LogEntry[]; next_cursor: string | null }> {
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor))
    throw new Invalid([{ path: 'cursor', message: 'is not a cursor of this list' }]);
  const levels = level === undefined ? null : logLevels.slice(logLevels.indexOf(level));
  const { rows, isMore } = await findLogEntries(db, {
    levels,
    pattern: patternOf(search),
    beforeId: cursor ?? null,
    limit,
  });
  return { data: rows, next_cursor: isMore ? (rows.at(-1)?.id ?? null) : null };
}

/**
 * The latest executions since then, of all workspaces or of those that the caller administers. The reason of a failure only for the latter: what a
 * provider answers may name a recipient.
 */
async function findExecutions(
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

const findLogEntries = (
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
