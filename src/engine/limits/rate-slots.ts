import type { RateLimiter } from '#engine/limits/rate-limiter.ts';
import { isRateLimited, type RateLimitedChannel } from '#engine/run/routes.ts';
import type { Deferral, LiveDelivery } from '#engine/run/live-delivery.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import type { Endpoint } from '#engine/run/endpoint.ts';
import { type Clock, neverAborts } from '#platform/clock.ts';

/** A delivery that may begin, with its rate slot when its channel is limited. */
export type Chosen = { delivery: LiveDelivery; rateSlot: { endpoint: Endpoint; startAtMs: number } | null };

/**
 * Returns which of these may begin, and when the others try again, null when there are none. Reserves rate slots only
 * for limited channels. An attempt that may have begun already has to be confirmed, with or without a rate slot.
 */
export async function takeRateSlots(
  run: JobRun,
  taken: readonly LiveDelivery[],
  {
    rateLimiter,
    endpointOf,
  }: { rateLimiter: RateLimiter; endpointOf: (run: JobRun, delivery: LiveDelivery) => Endpoint | null },
): Promise<{ chosen: Chosen[]; deferral: Deferral | null }> {
  const isLimited = run.work.channels.some((channel) => run.routes(channel).some(isRateLimited));
  if (!isLimited) return { chosen: taken.map((delivery) => ({ delivery, rateSlot: null })), deferral: null };
  const chosen: Chosen[] = [];
  const limited = new Map<
    string,
    { rateLimit: RateLimitedChannel; members: { delivery: LiveDelivery; endpoint: Endpoint }[] }
  >();
  for (const delivery of taken) {
    const endpoint = endpointOf(run, delivery);
    const rateLimit = endpoint?.route.rateLimit ?? null;
    if (endpoint === null || rateLimit === null || run.isUnconfirmed(delivery))
      chosen.push({ delivery, rateSlot: null });
    else {
      const known = limited.get(rateLimit.id);
      if (known === undefined) limited.set(rateLimit.id, { rateLimit, members: [{ delivery, endpoint }] });
      else known.members.push({ delivery, endpoint });
    }
  }
  let deferral: Deferral | null = null;
  for (const { rateLimit, members } of limited.values()) {
    const rateSlots = await rateLimiter.take(rateLimit, { count: members.length, jobId: run.job.id });
    for (const [n, startAtMs] of rateSlots.startsAt.entries()) {
      const member = members[n];
      if (member !== undefined)
        chosen.push({ delivery: member.delivery, rateSlot: { endpoint: member.endpoint, startAtMs } });
    }
    if (rateSlots.startsAt.length === members.length) continue;
    if (deferral === null || rateSlots.deferral.atMs < deferral.atMs) deferral = rateSlots.deferral;
  }
  return { chosen, deferral };
}

/** Holds deliveries until their rate slot, which is at most a second away. */
export function createRateSlotQueue<One extends { startAtMs: number | null }>({
  clock,
  onDue,
}: {
  clock: Clock;
  onDue: (ones: readonly One[]) => void;
}) {
  let waiting: One[] = [];
  let watching: Promise<void> | null = null;

  async function watch(): Promise<void> {
    while (waiting.length > 0) {
      const nextMs = Math.min(...waiting.map(slotTimeOf));
      await clock.sleepUntil(Temporal.Instant.fromEpochMilliseconds(Math.ceil(nextMs)), neverAborts);
      const nowMs = clock.epochMs();
      const { now = [], later = [] } = Object.groupBy(waiting, (one) => (isDue(one, nowMs) ? 'now' : 'later'));
      waiting = later;
      if (now.length > 0) onDue(now);
    }
  }

  return {
    /** True when its slot is in the future. `onDue` gets it then. */
    hasToWait(one: One): boolean {
      if (isDue(one, clock.epochMs())) return false;
      waiting.push(one);
      watching ??= watch().finally(() => {
        watching = null;
      });
      return true;
    },
    /** Removes all waiting deliveries. */
    dismissAll: (): readonly One[] => waiting.splice(0),
  };
}

/** A slot that is hours away was reserved before the clock was set back. */
const isDue = (one: { startAtMs: number | null }, nowMs: number) =>
  slotTimeOf(one) <= nowMs || slotTimeOf(one) - nowMs > farthestMs;

/** The farthest that a slot is reserved ahead; any further one comes from a wrong clock. */
const farthestMs = 1_000;

const slotTimeOf = ({ startAtMs }: { startAtMs: number | null }) => startAtMs ?? 0;
