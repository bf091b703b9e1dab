import { settle } from '#domain/settle.ts';
import type { EngineStore } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

const reason = 'The server stopped after the message may have been handed over';

type Deps = { store: EngineStore; clock: Clock; random: () => number; log: Log; onRescued: () => void };

/** Takes up jobs whose worker is gone, every `sweepMs` until the signal aborts. */
export async function runRescuer(deps: Deps & { sweepMs: number }, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await rescueExpired(deps, { leasedBefore: deps.clock.now() });
    } catch (error) {
      deps.log.warn({ error: String(error) }, 'a rescue sweep failed');
    }
    await deps.clock.sleepUntil(deps.clock.now().add({ milliseconds: deps.sweepMs }), signal);
  }
}

/** When no other worker can be alive, waiting for leases would only delay what is due. */
export const rescueAll = (deps: Deps) =>
  rescueExpired(deps, { leasedBefore: deps.clock.now().add({ hours: 24 * 365 }) });

/**
 * Puts the jobs of every claim whose lease ended before `leasedBefore` back into the queue. An attempt of theirs without
 * outcome is unknown: it may have arrived, and whether it is sent again is the channel's rule.
 */
async function rescueExpired(deps: Deps, { leasedBefore }: { leasedBefore: Temporal.Instant }): Promise<void> {
  for (;;) {
    const now = deps.clock.now();
    const rescued = await deps.store.rescue({ leasedBefore, now }, (attempt) =>
      settle(
        { outcome: 'unknown', reason },
        {
          channel: attempt.channel,
          attempt: attempt.attempts,
          unknowns: attempt.unknowns,
          now,
          expiresAt: attempt.is_cancelled ? now : expiryOf(attempt),
          random: deps.random(),
          prefersMiss: attempt.prefers_miss,
        },
      ),
    );
    if (rescued === null) return;
    if (rescued.jobs === 0) continue;
    deps.log.warn(rescued, 'took up jobs of a worker that stopped');
    deps.onRescued();
  }
}

const expiryOf = (attempt: { scheduled_for: string; expires_at: string | null }) =>
  attempt.expires_at === null
    ? Temporal.Instant.from(attempt.scheduled_for).add({ hours: 24 })
    : Temporal.Instant.from(attempt.expires_at);
