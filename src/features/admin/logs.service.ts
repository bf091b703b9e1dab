import { sql } from 'kysely';
import { type AdminExecution, adminLogLimits, type LogEntry, type LogLevel, logLevels } from '#contract/admin-logs.ts';
import { isCancelledExecution, isPartlySentExecution } from '#domain/run-outcome.ts';
import { isAdministrator } from '#features/admin/overview.db.ts';
import type { PersonContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { Invalid } from '#platform/errors.ts';
import { type Listed, readPage } from '#platform/page.ts';
import { patternOf } from '#platform/pattern.ts';

/** How far back to look, in two steps: nearly always 20 executions are as young as an hour, which is cheap to read. */
const recentHours = [1, 31 * 24];

type ExecutionRow = Omit<AdminExecution, 'is_partly_sent' | 'is_cancelled'>;

export async function latestExecutions({ db, now }: PersonContext): Promise<{ data: AdminExecution[] }> {
  const latest = await readLatest(db, { now });
  const failed = latest.filter(({ status }) => status === 'failed');
  const partlySent = new Set<string>();
  const cancelled = new Set<string>();
  for (const [workspaceId, runs] of Map.groupBy(failed, (run) => run.workspace_id))
    for (const { id, logs } of await findLogs(db, { workspaceId, runs })) {
      if (isPartlySentExecution({ status: 'failed', logs })) partlySent.add(id);
      if (isCancelledExecution({ status: 'failed', logs })) cancelled.add(id);
    }
  return {
    data: latest.map((run) => ({
      ...run,
      is_partly_sent: partlySent.has(run.id),
      is_cancelled: cancelled.has(run.id),
    })),
  };
}

async function readLatest(db: Db, { now }: Pick<PersonContext, 'now'>): Promise<ExecutionRow[]> {
  const asked = { isAll: await isAdministrator(db), limit: adminLogLimits.executions };
  for (const hours of recentHours) {
    const recent = await findExecutions(db, { ...asked, since: now.subtract({ hours }).toString() });
    if (recent.length === adminLogLimits.executions) return recent;
  }
  return findExecutions(db, { ...asked, since: '-infinity' });
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
): Promise<ExecutionRow[]> {
  const of = isAll ? sql`executions_of_installation` : sql`own_executions`;
  const { rows } = await sql<ExecutionRow>`
    select id, workspace_id, workspace, job_id, job, type, status, started_at, duration_ms,
           case when workspace_id in (select o.id from own_administered() o) then error_message end as error_message
      from ${of}(${since}::timestamptz, ${limit}::integer)
     order by listed_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** What runs of a workspace logged, of those that have a row of their own: a run that is on its job's row reached nobody if it failed. */
async function findLogs(db: Db, { workspaceId, runs }: { workspaceId: string; runs: readonly ExecutionRow[] }) {
  // Only a transaction within the workspace may read them; the reader administers it, or they would not be listed.
  await sql`select set_config('app.workspace_id', ${workspaceId}, true)`.execute(db);
  const found = await db
    .selectFrom('job_executions')
    .where('workspace_id', '=', workspaceId)
    .where(
      'job_id',
      'in',
      runs.map((run) => run.job_id),
    )
    .where(
      'id',
      'in',
      runs.map(({ id }) => id),
    )
    .select(['id', 'logs'])
    .execute();
  await sql`select set_config('app.workspace_id', '', true)`.execute(db);
  return found;
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
