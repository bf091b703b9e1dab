import { workerWasLost } from '#domain/ledger-reasons.ts';
import { settle } from '#domain/settle.ts';
import { createLeaseWatch } from '#engine/maintenance/lease-watch.ts';
import { storedExpiryMsOf } from '#domain/lifetime.ts';
import type { EngineStore, OpenClaim } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';

type Deps = { store: EngineStore; clock: Clock; random: () => number; log: Log; onRescued: () => void };
type Limits = { leaseMs: number; heartbeatMs: number; sweepMs: number };

/** Rescues jobs of lost workers every `sweepMs`, until the signal aborts. */
export async function runRescuer(deps: Deps & { limits: Limits }, signal: AbortSignal): Promise<void> {
  const { store, clock, log, limits } = deps;
  const watch = createLeaseWatch({ clock, ...limits });
  const restoreSome = createClaimRestorer(deps);
  while (!signal.aborted) {
    try {
      await restoreSome();
      for (const claim of watch.lostAmong(await store.openClaims())) await rescue(deps, claim);
    } catch (error) {
      log.warn({ error: String(error) }, 'a rescue sweep failed');
    }
    await clock.sleepUntil(clock.now().add({ milliseconds: limits.sweepMs }), signal);
  }
}

const betweenPassesMs = 3_600_000;

/**
 * A claim ends only where no job names it. Should a running job have none all the same, nobody would ever end it: all jobs are looked through for such
 * ones, after a start and then every hour, some at each call.
 */
function createClaimRestorer({ store, clock, log }: Deps): () => Promise<void> {
  let after = nilUuid;
  let nextPassMs = 0;
  return async () => {
    if (clock.steadyMs() < nextPassMs) return;
    const { jobs, last } = await store.restoreClaims({ after, now: clock.now() });
    if (jobs > 0) log.warn({ jobs }, 'running jobs had no claim; they will be rescued');
    after = last ?? nilUuid;
    if (last === null) nextPassMs = clock.steadyMs() + betweenPassesMs;
  };
}

/** Rescues all claims at once. Used when no other worker can run: waiting for leases would only delay what is due. */
export async function rescueAll(deps: Deps): Promise<void> {
  for (const claim of await deps.store.openClaims()) await rescue(deps, claim);
}

/**
 * Puts the jobs of a claim back into the queue. An attempt without an outcome becomes unknown, because the message may
 * have arrived. The channel's rule decides whether it is sent again.
 */
async function rescue(deps: Deps, claim: OpenClaim): Promise<void> {
  const now = deps.clock.now();
  // One jitter for all: each time at which something is due is a run of the job.
  const random = deps.random();
  const rescued = await deps.store.rescue({ claim, now }, (attempt) =>
    settle(
      { outcome: 'unknown', ...workerWasLost },
      {
        channel: attempt.channel,
        attempt: attempt.attempts,
        unknowns: attempt.unknowns,
        nowMs: now.epochMilliseconds,
        expiresAtMs: attempt.is_cancelled ? now.epochMilliseconds : storedExpiryMsOf(attempt),
        random,
        prefersMiss: attempt.prefers_miss,
      },
    ),
  );
  if (rescued === null || rescued.jobs === 0) return;
  deps.log.warn(rescued, 'rescued the jobs of a lost worker');
  deps.onRescued();
}
