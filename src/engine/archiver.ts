import type { Pool, PoolClient } from 'pg';
import * as steps from '#engine/archiver.steps.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

const firstSweepMs = 60_000;
const sweepMs = 3_600_000;

export type ArchiverDeps = {
  pool: Pool;
  clock: Clock;
  log: Log;
  /** While deliveries are held nothing is let go of: a restored database may have been restored for what is old in it. */
  isHeld: () => Promise<boolean>;
};

/** How much each step of a sweep has done. */
export type Sweep = {
  /** Months of the ledger that were made. */
  months: number;
  /** Jobs that were archived. */
  archived: number;
  /** Jobs and events that were deleted because their workspace keeps them no longer. */
  deleted: number;
  /** Repeated requests, log entries and caught messages that nobody keeps longer. */
  forgotten: number;
  /** Months of the ledger that were empty and are gone. */
  dropped: number;
};

/**
 * Every hour: makes the coming months of the ledger, archives completed jobs after 30 days where the workspace wants that,
 * and lets go of what is older than the workspace keeps it. Never of what is pending, running or paused.
 */
export async function runArchiver(deps: ArchiverDeps, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps;
  await clock.sleepUntil(clock.now().add({ milliseconds: firstSweepMs }), signal);
  while (!signal.aborted) {
    try {
      const sweep = await sweepOnce(deps, signal);
      if (sweep !== null && Object.values(sweep).some((count) => count > 0)) log.info(sweep, 'the archiver has swept');
    } catch (error) {
      log.warn({ error: String(error) }, 'the archiver could not sweep');
    }
    await clock.sleepUntil(clock.now().add({ milliseconds: sweepMs }), signal);
  }
}

/** @returns null where another worker is at it already */
export async function sweepOnce(deps: ArchiverDeps, signal: AbortSignal): Promise<Sweep | null> {
  const client = await deps.pool.connect();
  let isBroken = true;
  try {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [lockKey]);
    const isOurs = rows[0]?.free === true;
    const sweep = isOurs ? await sweepAlone(client, { deps, signal }) : null;
    if (isOurs) await client.query('select pg_advisory_unlock($1)', [lockKey]);
    isBroken = false;
    return sweep;
  } finally {
    // A broken connection is closed, which gives the lock back.
    client.release(isBroken);
  }
}

const lockKey = 726_004;

async function sweepAlone(
  client: PoolClient,
  { deps, signal }: { deps: ArchiverDeps; signal: AbortSignal },
): Promise<Sweep> {
  const { clock, log } = deps;
  const sweep: Sweep = { months: 0, archived: 0, deleted: 0, forgotten: 0, dropped: 0 };
  const order: [keyof Sweep, steps.Step][] = [
    // Room for what comes is made in any case.
    ['months', steps.makeMonths],
    ['archived', steps.archiveJobs],
    ['deleted', steps.deleteOldJobs],
    ['forgotten', steps.forget],
    ['dropped', steps.dropEmptyMonths],
  ];
  for (const [name, step] of (await deps.isHeld()) ? order.slice(0, 1) : order) {
    try {
      sweep[name] = await step({ client, clock, signal });
    } catch (error) {
      // Each for itself: jobs are archived although a month cannot be made.
      log.warn({ step: name, error: String(error) }, 'a step of the archiver failed');
    }
  }
  return sweep;
}
