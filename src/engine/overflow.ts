import { nextAttemptBy, expiredText, deferUntil } from '#engine/ledger.ts';
import type { ActiveDelivery } from '#engine/active-delivery.ts';
import type { RateLimiter } from '#engine/rate-limiter.ts';
import { type FindRoute, routesOf } from '#engine/routes.ts';
import type { LiveDelivery, Run } from '#engine/run.ts';
import type { Slots } from '#engine/slots.ts';
import { ownedJob, exactKey, leaveToLease, type OwnershipCheck } from '#engine/ownership.ts';
import type { EngineStore } from '#engine/store.ts';
import { type Chosen, takeRateSlots } from '#engine/rate-slots.ts';
import type { Endpoint } from '#engine/endpoint.ts';
import type { Clock } from '#platform/clock.ts';

type Deps = {
  store: EngineStore;
  clock: Clock;
  slots: Slots;
  rateLimiter: RateLimiter;
  findRoute: FindRoute;
  ownership: OwnershipCheck;
  /** All runs of this worker. */
  runs: ReadonlySet<Run>;
  endpointOf(run: Run, delivery: LiveDelivery): Endpoint | null;
  isOver(run: Run): boolean;
  reserve(run: Run, count: number): void;
  tryToStart(run: Run, chosen: Chosen, begin: (one: ActiveDelivery) => void): unknown;
  startUnlessClosed(one: ActiveDelivery): void;
  releaseSlot(run: Run): void;
  returnToQueue(run: Run, reason: string): void;
  finishIfDone(run: Run): void;
};

/** A job with more recipients than this begins them in several batches, so that a pause takes effect between them. */
const batchSize = 256;

/** Begins the recipients that did not fit into their claim. */
export function createOverflow({
  store,
  clock,
  slots,
  rateLimiter,
  findRoute,
  ownership,
  runs,
  endpointOf,
  isOver,
  reserve,
  tryToStart,
  startUnlessClosed,
  releaseSlot,
  returnToQueue,
  finishIfDone,
}: Deps) {
  /** Begins one batch. True when more recipients could begin at once. */
  async function start(): Promise<boolean> {
    for (const run of runs) {
      const capacity = Math.min(slots.capacityOf(run.job.workspace_id), batchSize);
      if (run.overflow.length === 0 || capacity <= 0) continue;
      if (isOver(run)) {
        returnToQueue(run, expiredText);
        continue;
      }
      const taken = withoutDeferred(run, run.overflow.splice(0, capacity));
      // Reserved before the query: a run with nothing in flight would be finished meanwhile.
      reserve(run, taken.length);
      const chosen = await withRateSlots(run, taken);
      if (chosen.length > 0) await begin(run, chosen);
      else finishIfDone(run);
    }
    return [...runs].some((run) => run.overflow.length > 0 && slots.capacityOf(run.job.workspace_id) > 0);
  }

  /**
   * A recipient whose sending hours have closed since the claim stays open in the ledger. The next claim, which follows
   * at once, defers it.
   */
  function withoutDeferred(run: Run, chosen: LiveDelivery[]): LiveDelivery[] {
    if (run.hours === null) return chosen;
    const { hours } = run;
    const now = clock.now();
    const open = chosen.filter((delivery) => isUnconfirmed(run, delivery) || hours.deferralOf(delivery, now) === null);
    if (open.length < chosen.length) nextAttemptBy(run, now);
    return open;
  }

  /** The ledger may have the attempt as begun, so it is confirmed first and deferred then. */
  const isUnconfirmed = (run: Run, delivery: LiveDelivery) =>
    run.unconfirmed.size > 0 && run.unconfirmed.has(exactKey(delivery));

  /** A recipient on a rate-limited channel without a free rate slot stays open in the ledger, for a later claim. */
  async function withRateSlots(run: Run, taken: readonly LiveDelivery[]): Promise<Chosen[]> {
    try {
      const { chosen, deferral } = await takeRateSlots(run, taken, { rateLimiter, endpointOf, isUnconfirmed });
      if (deferral !== null) deferUntil(run, deferral);
      releaseSlots(run, taken.length - chosen.length);
      return chosen;
    } catch (error) {
      run.overflow.unshift(...taken);
      releaseSlots(run, taken.length);
      throw error;
    }
  }

  function releaseSlots(run: Run, count: number): void {
    run.inFlight -= count;
    for (let n = 0; n < count; n += 1) slots.release(run.job.workspace_id);
  }

  async function begin(run: Run, chosen: readonly Chosen[]): Promise<void> {
    const deliveries = chosen.map(({ delivery }) => delivery);
    const { begun, ended } = await requestAttempts(run, deliveries);
    for (const { delivery, rateSlot } of chosen) {
      const attempts = begun.get(exactKey(delivery));
      if (attempts !== undefined) tryToStart(run, { delivery: { ...delivery, attempts }, rateSlot }, startUnlessClosed);
    }
    const refused = deliveries.filter((delivery) => !begun.has(exactKey(delivery)));
    if (refused.length === 0) return;
    // Neither ended nor stopped: the ledger has an attempt that this worker does not know.
    if (!(await ownership.isStopped(run)) && ended < refused.length) leaveToLease(run);
    for (const _ of refused) releaseSlot(run);
  }

  /** Returns the attempts that may begin. If the database fails, everything stays queued. */
  async function requestAttempts(
    run: Run,
    chosen: readonly LiveDelivery[],
  ): Promise<{ begun: Map<string, number>; ended: number }> {
    try {
      const { begun, ended: over, channels } = await store.beginAttempts(ownedJob(run), { chosen, now: clock.now() });
      for (const row of over) ownership.countOnce(run, row);
      for (const row of begun) run.unconfirmed.delete(exactKey(row));
      run.routes = routesOf(findRoute(channels), run);
      return { begun: new Map(begun.map((row) => [exactKey(row), row.attempts])), ended: over.length };
    } catch (error) {
      for (const delivery of chosen) run.unconfirmed.add(exactKey(delivery));
      run.overflow.unshift(...chosen);
      releaseSlots(run, chosen.length);
      throw error;
    }
  }

  return { start };
}
