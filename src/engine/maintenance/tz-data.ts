import { DatabaseError, type Pool, type PoolClient } from 'pg';
import type { ScheduleConfig } from '#contract/schedules.ts';
import { sameOccurrence } from '#domain/same-occurrence.ts';
import { notifyClients } from '#engine/postgres/notify-clients.ts';
import { advisoryLocks } from '#platform/advisory-locks.ts';
import { inTransactionOn, onConnection } from '#platform/transaction.ts';
import { leaveQueueToTriggers } from '#engine/postgres/queue-triggers.sql.ts';
import * as sql from '#engine/maintenance/tz-data.sql.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';
import { readSetting, writeSetting } from '#platform/settings.ts';

type Deps = {
  pool: Pool;
  clock: Clock;
  log: Log;
  /** The version of the timezone data that Temporal uses (`process.versions.tz`). */
  tzVersion: string;
};

type Waiting = {
  reminder_id: string;
  schedule_config: ScheduleConfig;
  /** The id of the pending occurrence; null, like the fields below, for a reminder without one. */
  id: string | null;
  scheduled_for: string | null;
  revision: number | null;
};

type Move = { id: string; from: string; to: string; revision: number };

/**
 * Governments change their timezones, and Node.js learns of it with an update: occurrences scheduled before would be
 * sent at the wrong hour. When the timezone data is not what the pending occurrences were scheduled with, each of them
 * moves to its time under the new data, with a row in the audit log. Jobs that have begun, were retried or resumed late
 * stay. Await it before anything is claimed. The next start repeats an interrupted run.
 * @returns how many occurrences have moved
 */
export async function recomputeAfterTzChange(deps: Deps): Promise<number> {
  if ((await versionScheduledWith(deps.pool)) === deps.tzVersion) return 0;
  return onConnection(deps.pool, async (client) => {
    // Workers that start together take turns: the first moves the occurrences, the others find it done.
    await client.query(`set statement_timeout = ${longestWaitMs}`);
    await client.query(waitForOthers);
    await client.query('reset statement_timeout');
    const version = await versionScheduledWith(client);
    const moved = version === deps.tzVersion ? 0 : await recomputeAll(client, { deps, version });
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.timeZoneData]);
    return moved;
  });
}

const versionKey = 'engine.tz_version';

/** A million occurrences take longer than any other query may. */
const longestWaitMs = 600_000;
const waitForOthers = {
  text: 'select pg_advisory_lock($1)',
  values: [advisoryLocks.timeZoneData],
  query_timeout: longestWaitMs,
};

/** The version of the timezone data that pending occurrences were scheduled with; null before the first start. */
async function versionScheduledWith(db: Pool | PoolClient): Promise<string | null> {
  const version = await readSetting(db, versionKey);
  return typeof version === 'string' ? version : null;
}

async function recomputeAll(
  client: PoolClient,
  { deps, version }: { deps: Deps; version: string | null },
): Promise<number> {
  const { clock, log, tzVersion } = deps;
  let total = 0;
  for (let after: string | null = nilUuid; after !== null; ) {
    const batch = await unlessRaced(() => recomputeSome(client, { after: after ?? '', deps, version }));
    total += batch.moved;
    after = batch.last;
  }
  await writeSetting(client, { key: versionKey, value: tzVersion, now: clock.now().toString() });
  log.info({ from: version, to: tzVersion, moved: total }, 'pending occurrences moved to the new timezone data');
  return total;
}

/** An occurrence scheduled meanwhile may have taken the time. The repeated read sees it. */
async function unlessRaced<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isRace = error instanceof DatabaseError && ['23505', '40P01'].includes(error.code ?? '');
      if (!isRace || tries === 5) throw error;
    }
  }
}

async function recomputeSome(
  client: PoolClient,
  { after, deps, version }: { after: string; deps: Deps; version: string | null },
): Promise<{ moved: number; last: string | null }> {
  const now = deps.clock.now();
  // Occurrences from before this are not sent any more, so their times do not matter.
  const since = now.subtract({ hours: 48 }).toString();
  const { rows } = await client.query<Waiting>(sql.waitingOccurrences, [after, since]);
  const last = rows.at(-1)?.reminder_id ?? null;
  const displaced = rows.filter((row) => moveOf(row, { log: deps.log, isTaken: () => false }) !== null);
  if (displaced.length === 0) return { moved: 0, last };

  const taken = await takenTimes(client, { reminderIds: displaced.map((row) => row.reminder_id), since });
  const moves: Move[] = [];
  for (const row of displaced) {
    const move = moveOf(row, { log: deps.log, isTaken: (at) => taken.has(timeOf(row.reminder_id, at)) });
    if (move === null) continue;
    taken.add(timeOf(row.reminder_id, Temporal.Instant.from(move.to)));
    moves.push(move);
  }
  return { moved: await apply(client, { moves, now, versions: [version, deps.tzVersion] }), last };
}

/** Null when the occurrence stays. A schedule that cannot be read must not stop the others. */
function moveOf(
  { id, schedule_config, scheduled_for, revision, reminder_id }: Waiting,
  { isTaken, log }: { isTaken: (at: Temporal.Instant) => boolean; log: Log },
): Move | null {
  if (id === null || scheduled_for === null || revision === null) return null;
  try {
    const scheduled = Temporal.Instant.from(scheduled_for);
    const at = sameOccurrence(schedule_config, { scheduled, isTaken });
    return at === null || at.equals(scheduled)
      ? null
      : { id, from: scheduled_for, to: at.toString({ fractionalSecondDigits: 3 }), revision };
  } catch (error) {
    log.warn({ reminder: reminder_id, error: String(error) }, 'a schedule cannot be read');
    return null;
  }
}

const timeOf = (reminderId: string, at: Temporal.Instant) => `${reminderId} ${at.epochMilliseconds}`;

async function takenTimes(
  client: PoolClient,
  { reminderIds, since }: { reminderIds: readonly string[]; since: string },
): Promise<Set<string>> {
  const { rows } = await client.query<{ reminder_id: string; scheduled_for: string }>(sql.timesWithJobs, [
    reminderIds,
    since,
  ]);
  return new Set(rows.map((row) => timeOf(row.reminder_id, Temporal.Instant.from(row.scheduled_for))));
}

/** Moves, audits and notifies clients in one transaction. Leaves what has changed since it was read. */
async function apply(
  client: PoolClient,
  { moves, now, versions }: { moves: readonly Move[]; now: Temporal.Instant; versions: [string | null, string] },
): Promise<number> {
  return inTransactionOn(client, async () => {
    await client.query(leaveQueueToTriggers);
    const { rows } = await client.query<{ workspace_id: string }>(sql.moveAndAudit, [
      moves.map((move) => move.id),
      moves.map((move) => move.from),
      moves.map((move) => move.to),
      moves.map((move) => move.revision),
      now.toString(),
      ...versions,
    ]);
    await client.query(notifyClients(rows.map((row) => row.workspace_id)));
    return rows.length;
  });
}
