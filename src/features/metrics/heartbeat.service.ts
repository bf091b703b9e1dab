import type { Pool, PoolClient } from 'pg';
import { dayMs } from '#domain/instants.ts';
import { advisoryLocks } from '#platform/advisory-locks.ts';
import { inTransaction } from '#platform/transaction.ts';
import { addCounters, countersOf, Families, type Family, familiesOf } from '#features/metrics/figures.ts';
import type { Metrics, Thread } from '#features/metrics/metrics.service.ts';
import { addDays, addMinutes, forgetOldFigures } from '#features/metrics/minutes.db.ts';
import * as rows from '#features/metrics/processes.db.ts';
import type { Clock } from '#platform/clock.ts';
import { databaseTroubleOf, databaseTroubleText } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import { readSetting, writeSetting } from '#platform/settings.ts';

export type ProcessIdentity = rows.ProcessIdentity;

type Deps = {
  /** Connected as the role cuebird_engine. */
  pool: Pool;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  process: ProcessIdentity;
};

export type Heartbeat = {
  /** Writes the figures now. */
  beat(): Promise<void>;
  /** Why it cannot be written, as a sentence for people; null where it is. After a failure it is tried again, so that nobody waits for the next one. */
  failure(): Promise<string | null>;
  /** Tells that somebody's write was refused for want of space: whether there is some is tried before the next answer of `failure`. */
  doubt(): void;
  /** The figures of this thread as they are, for while they cannot be written. */
  own(): Promise<{ processId: string; thread: Thread; families: Family[] }>;
  /** Writes them a last time; in the main thread also that the process has ended. */
  stop(): Promise<void>;
};

const beatMs = 15_000;

/** After this long without a sign of life a process counts as gone: it has missed two, and a little more. */
export const goneAfterMs = 40_000;

/** How long an ended process is listed, with figures in a row of its own. */
const endedKeptMs = 3_600_000;
const mostRows = 200;

const minutesKeptMs = dayMs;
const daysKeptMs = 3 * 366 * dayMs;

/** The key in `app_settings` of the counters of ended threads. */
const retiredKey = 'engine.retired_figures';

/** Writes the figures of this thread every 15 seconds, with a sign of life of its process. */
export async function startHeartbeat({ pool, clock, log, metrics, process }: Deps): Promise<Heartbeat> {
  const stopped = new AbortController();
  const isMain = metrics.thread === 'main';
  let isKnown = false;
  let failure: string | null = null;
  let doubts = 0;
  let writing: Promise<void> = Promise.resolve();
  let retrying: Promise<void> | null = null;

  /** One write at a time, so that figures never go backwards. */
  const beat = () => (writing = writing.catch(() => {}).then(write));

  const retry = () =>
    beat()
      .catch(() => {})
      .finally(() => {
        retrying = null;
      });

  async function write(): Promise<void> {
    const known = doubts;
    try {
      await writeSignOfLife();
      // The figures find room in the pages of the row before, when nobody else finds any.
      if (isMain) await inTransaction(pool, takeSpace);
      if (doubts === known) failure = null;
    } catch (error) {
      const trouble = databaseTroubleOf(error);
      failure = trouble === null ? 'This process cannot write its sign of life' : databaseTroubleText[trouble];
      throw error;
    }
  }

  async function writeSignOfLife(): Promise<void> {
    const now = clock.now();
    const usage = metrics.usage.read();
    const increments = metrics.takeIncrements();
    try {
      await inTransaction(pool, async (client) => {
        if (isMain) await rows.writeProcess(client, { ...process, usage, now });
        await writeFigures(client, now);
        await addMinutes(client, increments.minutes);
        await addDays(client, increments.days);
      });
      isKnown = true;
    } catch (error) {
      metrics.giveBackIncrements(increments);
      throw error;
    }
  }

  async function writeFigures(client: PoolClient, now: Temporal.Instant): Promise<void> {
    const of = { processId: process.id, thread: metrics.thread, now };
    if (isKnown) {
      if (await rows.updateFigures(client, { ...of, figures: await familiesOf(metrics.registry) })) return;
      // This thread was taken for ended and its counters were added to the sum, so it counts from 0 again.
      metrics.reset();
    }
    await rows.insertFigures(client, { ...of, figures: await familiesOf(metrics.registry) });
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      await clock.sleepUntil(clock.now().add({ milliseconds: beatMs }), stopped.signal);
      if (stopped.signal.aborted) return;
      try {
        await beat();
        if (isMain) await forgetEnded({ pool, now: clock.now() });
      } catch (error) {
        log.warn({ error: String(error) }, 'writing figures failed; trying again');
      }
    }
  }

  await beat();
  const done = run();
  return {
    beat,
    async failure() {
      // Anybody may ask, as often as they like: those who ask meanwhile wait for the same attempt.
      if (failure !== null) await (retrying ??= retry());
      return failure;
    },
    doubt() {
      doubts += 1;
      failure ??= databaseTroubleText.full;
    },
    own: async () => ({ processId: process.id, thread: metrics.thread, families: await familiesOf(metrics.registry) }),
    async stop() {
      stopped.abort();
      await done;
      metrics.usage.stop();
      await beat().catch((error: unknown) => log.warn({ error: String(error) }, 'the last figures were not written'));
      if (isMain)
        await rows
          .markStopped(pool, { id: process.id, now: clock.now() })
          .catch((error: unknown) => log.warn({ error: String(error) }, 'the end of the process was not written'));
    },
  };
}

/**
 * Writes a MiB of the rows of a query to a file, because little memory is left to it, and forgets them. The file lies where the tables do, and no table grows.
 */
async function takeSpace(client: PoolClient): Promise<void> {
  await client.query("select set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)");
  await client.query(
    `with wide as materialized (select repeat('x', 8192) as text from generate_series(1, 128))
     select max(length(text)) from wide`,
  );
}

/** Deletes rows of ended processes. Their counters are added to the sum, which must not go backwards. */
export async function forgetEnded({ pool, now }: { pool: Pool; now: Temporal.Instant }): Promise<void> {
  const before = now.subtract({ milliseconds: endedKeptMs });
  await inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.endedProcesses]);
    const ended = await rows.takeEndedFigures(client, { before, most: mostRows });
    if (ended.length > 0) {
      const retired = await readRetiredFigures(client);
      const value = addCounters([retired, ...ended.map((figures) => countersOf(Families.parse(figures)))]);
      await writeSetting(client, { key: retiredKey, value, now: now.toString() });
    }
    await rows.deleteEndedProcesses(client, { before, most: mostRows });
    await forgetOldFigures(client, {
      minutesBefore: now.subtract({ milliseconds: minutesKeptMs }),
      daysBefore: now.subtract({ milliseconds: daysKeptMs }),
    });
  });
}

/** The counters of all ended threads that are no longer listed. */
export const readRetiredFigures = async (db: Pick<Pool, 'query'>): Promise<Family[]> =>
  Families.parse((await readSetting(db, retiredKey)) ?? []);
