import { type AdminExecution, adminLogLimits, type LogEntry, type LogLevel, logLevels } from '#contract/admin-logs.ts';
import { findExecutions, findLogEntries } from '#features/admin/logs.db.ts';
import { isAdministrator } from '#features/admin/overview.db.ts';
import type { PersonContext } from '#platform/context.ts';
import { patternOf } from '#platform/pattern.ts';
import { Invalid } from '#platform/errors.ts';

/** Nearly always 20 of them are as young as one of these: of each workspace the few since then are looked at. */
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
