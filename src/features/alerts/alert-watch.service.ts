import { type AlertDeps, raiseAlert, resolveUnseen, type WatchedCause } from '#features/alerts/alerts.service.ts';
import type { InstallationState } from '#features/metrics/state.service.ts';
import type { Clock } from '#platform/clock.ts';

type Deps = Omit<AlertDeps, 'now'> & {
  clock: Clock;
  /** Measures what alerts are raised for; called once a minute. */
  read: () => Promise<InstallationState>;
};

export type AlertWatch = { stop(): Promise<void> };

const lookEveryMs = 60_000;

const limits = {
  /** Below this share of free space the disk counts as nearly full. */
  freeShare: 0.1,
  freeBytes: 1_073_741_824,
  latenessSeconds: 60,
  /** How many failed sign-ins within a quarter of an hour, of all people together, raise an alert. */
  signInFailures: 50,
} as const;

/** Checks once a minute whether an alert has to be raised, and which are over. */
export function startAlertWatch({ clock, read, ...deps }: Deps): AlertWatch {
  const stopped = new AbortController();
  const done = run();

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      await clock.sleepUntil(clock.now().add({ milliseconds: lookEveryMs }), stopped.signal);
      if (stopped.signal.aborted) return;
      try {
        for (const trouble of troublesOf(await read())) await raiseAlert({ ...deps, now: clock.now }, trouble);
        await resolveUnseen(deps.pool, clock.now());
      } catch (error) {
        deps.log.warn({ error: String(error) }, 'looking for alerts failed; trying again');
      }
    }
  }

  return {
    async stop() {
      stopped.abort();
      await done;
    },
  };
}

type Trouble = { cause: WatchedCause; detail: string };

export function troublesOf({ disk, lateness, oldestDueSeconds, signInFailures }: InstallationState): Trouble[] {
  const troubles: Trouble[] = [];
  if (disk !== null && (disk.freeBytes < limits.freeShare * disk.sizeBytes || disk.freeBytes < limits.freeBytes))
    troubles.push({
      cause: 'disk_nearly_full',
      detail: `${gib(disk.freeBytes)} of ${gib(disk.sizeBytes)} are free where DATA_DIR is.`,
    });
  if (lateness !== null && lateness >= limits.latenessSeconds)
    troubles.push({
      cause: 'late_deliveries',
      detail: `In the last five minutes one delivery in twenty began more than ${lateness} seconds after it was due.`,
    });
  else if (oldestDueSeconds > limits.latenessSeconds)
    troubles.push({
      cause: 'late_deliveries',
      detail: `A job has waited for a worker for ${Math.floor(oldestDueSeconds)} seconds.`,
    });
  if (signInFailures >= limits.signInFailures)
    troubles.push({
      cause: 'sign_in_failures',
      detail: `${signInFailures} sign-ins were refused in the last 15 minutes.`,
    });
  return troubles;
}

const gib = (bytes: number) => `${(bytes / 1_073_741_824).toFixed(1)} GiB`;
