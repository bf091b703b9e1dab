import { statfs } from 'node:fs/promises';
import type { Pool } from 'pg';
import type { SystemState } from '#contract/admin-system.ts';
import { boundExceededBy, latenessBounds } from '#domain/histogram.ts';
import { readDatabaseState } from '#features/metrics/database-state.db.ts';
import { minutesSince } from '#features/metrics/minutes.db.ts';

export type Disk = { freeBytes: number; sizeBytes: number };

/** The state from which alerts are raised. */
export type InstallationState = {
  /** The disk of DATA_DIR; null where it cannot be read. */
  disk: Disk | null;
  /** By how many seconds more than one message in twenty of the last five minutes was late, at least; null where nothing was delivered. */
  lateness: number | null;
  /** For how many seconds the job that waits longest has been due; 0 without one, and while deliveries are paused. */
  oldestDueSeconds: number;
  /** How many failed sign-ins there were in the last 15 minutes. */
  signInFailures: number;
};

type Deps = {
  /** Connected as the role cuebird_engine. */
  pool: Pool;
  now: () => Temporal.Instant;
  dataDir: string;
  isPaused: () => Promise<boolean>;
};

export async function readInstallationState({ pool, now: clock, dataDir, isPaused }: Deps): Promise<InstallationState> {
  const now = clock();
  const late = await minutesSince(pool, { kind: 'lateness', since: now.subtract({ minutes: 5 }) });
  const refused = await minutesSince(pool, { kind: 'sign_in_failures', since: now.subtract({ minutes: 15 }) });
  const { oldest_due: oldest } = await readDatabaseState(pool, now);
  const isWaiting = oldest !== null && !(await isPaused());
  return {
    disk: await readDisk(dataDir),
    lateness: boundExceededBy(sumOf(late), { bounds: latenessBounds, share: 0.05 }),
    oldestDueSeconds: isWaiting ? now.since(Temporal.Instant.from(oldest)).total('seconds') : 0,
    signInFailures: sumOf(refused)[0] ?? 0,
  };
}

export async function readQueueAndDatabase(
  pool: Pool,
  now: Temporal.Instant,
): Promise<Pick<SystemState, 'queue' | 'database'>> {
  const { queue_due: due, oldest_due, running_jobs: running, ...database } = await readDatabaseState(pool, now);
  return { queue: { due, oldest_due, running }, database };
}

/** Adds up the counts of several minutes. */
export function sumOf(minutes: readonly { counts: readonly number[] }[]): number[] {
  const sum: number[] = [];
  for (const { counts } of minutes)
    for (const [index, count] of counts.entries()) sum[index] = (sum[index] ?? 0) + count;
  return sum;
}

/** The disk that holds this folder; null where the folder is missing. */
export async function readDisk(folder: string): Promise<Disk | null> {
  const found = await statfs(folder).catch(() => null);
  return found === null ? null : { freeBytes: found.bavail * found.bsize, sizeBytes: found.blocks * found.bsize };
}
