import type { Pool } from 'pg';
import { type Clock, systemClock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

export type DatabaseClock = Clock & {
  /** How far the clock of this process is ahead of the database's, in milliseconds. */
  offsetMs(): number;
  stop(): Promise<void>;
};

/** The clock of the process itself. */
type OwnClock = Pick<Clock, 'epochMs' | 'steadyMs' | 'sleepUntil' | 'now'>;

const everyMs = 15_000;
/** From this offset on, an operator is told. */
const worthReportingMs = 2_000;

/** Whether the clock of this machine differs so much from the database's that an operator is told. */
export const isClockOff = (offsetMs: number): boolean => Math.abs(offsetMs) >= worthReportingMs;

/**
 * The time by which every process of an installation decides: the database's, carried on by the monotonic clock between two readings of it. A process
 * whose own clock is wrong, or set while it runs, sends nothing early and loses nothing. While the database is away the time goes on; after a machine has
 * slept it is behind until the next reading.
 * @throws what the first reading throws
 */
export async function startDatabaseClock({
  pool,
  log,
  own = systemClock,
}: {
  pool: Pick<Pool, 'query'>;
  log: Log;
  own?: OwnClock;
}): Promise<DatabaseClock> {
  let basis = await readDatabaseTime({ pool, own });
  let last = Temporal.Instant.fromEpochMilliseconds(0);
  let isReported = false;
  const stopped = new AbortController();

  const exactMs = () => basis.epochMs + own.steadyMs() - basis.steadyMs;
  const epochMs = () => Math.floor(exactMs());
  const offsetMs = () => Math.round(own.epochMs() - exactMs());

  /** Callers within the same millisecond get the same object, because making one costs more than reading the clock. */
  function now(): Temporal.Instant {
    const ms = epochMs();
    if (last.epochMilliseconds !== ms) last = Temporal.Instant.fromEpochMilliseconds(ms);
    return last;
  }

  async function follow(): Promise<void> {
    while (!stopped.signal.aborted) {
      report();
      await own.sleepUntil(own.now().add({ milliseconds: everyMs }), stopped.signal);
      if (stopped.signal.aborted) return;
      try {
        const read = await readDatabaseTime({ pool, own });
        // A reading is as exact as its round trip: within that, the time is left alone, so that it rises evenly.
        const differenceMs = read.epochMs - (basis.epochMs + read.steadyMs - basis.steadyMs);
        if (Math.abs(differenceMs) > read.withinMs + 1) basis = read;
      } catch (error) {
        log.debug({ error: String(error) }, "the database's clock could not be read; trying again");
      }
    }
  }

  function report(): void {
    const isOff = isClockOff(offsetMs());
    if (isOff && !isReported)
      log.error(
        { ahead_ms: offsetMs() },
        "the clock of this machine differs from the database's, which decides when something is due; set it right, because sign-in and TLS use it",
      );
    if (!isOff && isReported) log.info("the clock of this machine agrees with the database's again");
    isReported = isOff;
  }

  const done = follow();
  return {
    now,
    epochMs,
    steadyMs: own.steadyMs,
    offsetMs,
    sleepUntil: (instant, signal) =>
      own.sleepUntil(own.now().add({ milliseconds: Math.ceil(instant.epochMilliseconds - exactMs()) }), signal),
    async stop() {
      stopped.abort();
      await done;
    },
  };
}

type Reading = { epochMs: number; steadyMs: number; withinMs: number };

/** The database's time and the monotonic time that belongs to it: the middle of the round trip. */
async function readDatabaseTime({ pool, own }: { pool: Pick<Pool, 'query'>; own: OwnClock }): Promise<Reading> {
  // Opens a connection first, whose making would count as the round trip.
  await pool.query('select');
  const askedMs = own.steadyMs();
  const { rows } = await pool.query<{ epoch_ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as epoch_ms',
  );
  const withinMs = (own.steadyMs() - askedMs) / 2;
  const [row] = rows;
  if (row === undefined) throw new Error('a select of the time answered no row');
  return { epochMs: row.epoch_ms, steadyMs: askedMs + withinMs, withinMs };
}
