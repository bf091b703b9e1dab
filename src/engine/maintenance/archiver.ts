import type { Pool, PoolClient } from 'pg';
import * as steps from '#engine/maintenance/archiver.steps.ts';
import { advisoryLocks } from '#platform/advisory-locks.ts';
import { onConnection } from '#platform/transaction.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

const firstSweepMs = 60_000;
const sweepMs = 3_600_000;

export type ArchiverDeps = {
  pool: Pool;
  clock: Clock;
  log: Log;
  /** While deliveries are paused nothing is deleted: a database may have been restored for its old data. */
  isPaused: () => Promise<boolean>;
};

/** How many rows each step of a sweep changed. */
export type Sweep = {
  /** Partitions created. */
  months: number;
  /** Jobs archived. */
  archived: number;
  /** Jobs and events deleted after their workspace's retention period. */
  deleted: number;
  /** Requests, audit entries, messages, sessions, counts, provider reports and event payloads deleted. */
  forgotten: number;
  /** Workspaces deleted. */
  workspaces: number;
  /** Empty partitions dropped. */
  dropped: number;
};

/**
 * Runs every hour. Creates the coming months' partitions, archives completed jobs after 30 days where the workspace
 * wants that, and deletes what is older than the retention period. Never touches pending, running or paused jobs.
 *
 * Archived is a column (`jobs.archived_at`) and not a second table: success rates and the unique key of an occurrence
 * still count archived jobs. A month is dropped only when it is empty, because retention periods differ by workspace.
 */
export async function runArchiver(deps: ArchiverDeps, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps;
  await clock.sleepUntil(clock.now().add({ milliseconds: firstSweepMs }), signal);
  while (!signal.aborted) {
    try {
      const sweep = await sweepOnce(deps, signal);
      if (sweep !== null && Object.values(sweep).some((count) => count > 0))
        log.info(sweep, 'an archiver sweep finished');
    } catch (error) {
      log.warn({ error: String(error) }, 'an archiver sweep failed');
    }
    await clock.sleepUntil(clock.now().add({ milliseconds: sweepMs }), signal);
  }
}

/** @returns null when another worker is sweeping already */
export async function sweepOnce(deps: ArchiverDeps, signal: AbortSignal): Promise<Sweep | null> {
  return onConnection(deps.pool, async (client) => {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [
      advisoryLocks.archiver,
    ]);
    if (rows[0]?.free !== true) return null;
    const sweep = await sweepAlone(client, { deps, signal });
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.archiver]);
    return sweep;
  });
}

async function sweepAlone(
  client: PoolClient,
  { deps, signal }: { deps: ArchiverDeps; signal: AbortSignal },
): Promise<Sweep> {
  const { clock, log } = deps;
  const sweep: Sweep = { months: 0, archived: 0, deleted: 0, forgotten: 0, workspaces: 0, dropped: 0 };
  const order: [keyof Sweep, steps.Step][] = [
    // Partitions are created even while deliveries are paused.
    ['months', steps.makeMonths],
    ['archived', steps.archiveJobs],
    ['deleted', steps.deleteOldJobs],
    ['forgotten', steps.deleteExpired],
    ['workspaces', steps.deleteWorkspaces],
    ['dropped', steps.dropEmptyMonths],
  ];
  for (const [name, step] of (await deps.isPaused()) ? order.slice(0, 1) : order) {
    try {
      sweep[name] = await step({ client, clock, signal, log });
    } catch (error) {
      // A failed step does not stop the next ones.
      log.warn({ step: name, error: String(error) }, 'a step of the archiver failed');
    }
  }
  return sweep;
}
