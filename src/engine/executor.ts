import { serverWasStopped, waitsForRateLimit } from '#domain/ledger-reasons.ts';
import { createRecheck } from '#engine/recheck.ts';
import type { Claim } from '#engine/claimed.ts';
import type { Admission, CircuitBreakers } from '#engine/circuit-breakers.ts';
import type { ActiveDelivery } from '#engine/active-delivery.ts';
import type { RateLimiter } from '#engine/rate-limiter.ts';
import { createOverflow } from '#engine/overflow.ts';
import type { Recorder } from '#engine/recorder.ts';
import type { FindRoute } from '#engine/routes.ts';
import type { LiveDelivery, Route, Run } from '#engine/run.ts';
import { type Sent, unsent } from '#engine/send.ts';
import type { Slots } from '#engine/slots.ts';
import { createOwnershipCheck, leaveToLease } from '#engine/ownership.ts';
import type { EngineStore } from '#engine/store.ts';
import { type Chosen, createRateSlotQueue } from '#engine/rate-slots.ts';
import { currentRoute, type Endpoint, chooseEndpoint } from '#engine/endpoint.ts';
import type { Clock } from '#platform/clock.ts';
import { neverAborts } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Deps = {
  store: EngineStore;
  clock: Clock;
  log: Log;
  recorder: Recorder;
  slots: Slots;
  breakers: CircuitBreakers<ActiveDelivery>;
  rateLimiter: RateLimiter;
  stalledMs: number;
  findRoute: FindRoute;
  send(run: Run, over: { delivery: LiveDelivery; route: Route }): Promise<Sent>;
  /** Called when an attempt begins. */
  onAttempt?: ((run: Run, delivery: LiveDelivery) => void) | undefined;
  /** Called when claiming is useful again, or when recipients that waited for a slot may begin. */
  onCapacity(): void;
};

/** How long a workspace is left out of claims after almost none of its claimed jobs could begin. */
const excludedMs = 1_000;

const alwaysAdmitted: Admission = { kind: 'admit' };

/** Runs the jobs that this worker has claimed, from the first attempt to the result. */
export function createExecutor(deps: Deps) {
  const { store, clock, recorder, slots, breakers, rateLimiter, stalledMs, send, onCapacity } = deps;
  /** Keyed by run, not by job: after a lost lease, one job may have two runs here. */
  const runs = new Set<Run>();
  /** The number of unfinished runs of each claim. */
  const claims = new Map<string, number>();
  const rateSlots = createRateSlotQueue<ActiveDelivery>({ clock, onDue: startAll });
  const ownership = createOwnershipCheck(deps);
  const recheck = createRecheck({ ...deps, ownership, start, startUnlessClosed, deferralOf, isOver, drop, abandon });
  const overflow = createOverflow({
    ...deps,
    ownership,
    runs,
    endpointOf,
    isOver,
    tryToStart,
    startUnlessClosed,
    reserve,
    releaseSlot,
    returnToQueue,
    finishIfDone,
  });
  let watching: Promise<void> | null = null;

  /** Takes over a claim, with the attempts that it has begun. */
  function add({ id, started }: Claim): void {
    if (started.length > 0) claims.set(id, started.length);
    const deferrals = new Map<string, number>();
    for (const { run, begun } of started) {
      runs.add(run);
      reserve(run, begun.length);
      let isDeferred = begun.length > 0;
      for (const delivery of begun)
        isDeferred = tryToStart(run, { delivery, rateSlot: null }) === 'defer' && isDeferred;
      if (isDeferred) deferrals.set(run.job.workspace_id, (deferrals.get(run.job.workspace_id) ?? 0) + 1);
      finishIfDone(run);
    }
    for (const [workspaceId, count] of deferrals) {
      const claimed = started.filter(({ run }) => run.job.workspace_id === workspaceId).length;
      if (count >= claimed * 0.9) slots.exclude(workspaceId, { from: clock.now(), ms: excludedMs });
    }
  }

  function reserve(run: Run, count: number): void {
    if (count === 0) return;
    run.inFlight += count;
    slots.take(run.job.workspace_id, count);
  }

  /** Uses a slot that was reserved for the delivery, if the destination has a free one too. */
  function tryToStart(
    run: Run,
    { delivery, rateSlot }: Chosen,
    begin: (one: ActiveDelivery) => void = start,
  ): Admission['kind'] {
    const endpoint = rateSlot?.endpoint ?? endpointOf(run, delivery);
    return admitOrDefer(
      { run, delivery, endpoint, startAtMs: rateSlot?.startAtMs ?? null, isSuppressed: false },
      begin,
    );
  }

  function admitOrDefer(one: ActiveDelivery, begin: (one: ActiveDelivery) => void): Admission['kind'] {
    const rateLimit = one.endpoint?.route.rateLimit ?? null;
    // The route changed to a rate-limited channel. The next claim, which follows at once, reserves its rate slot.
    const lacksRateSlot = rateLimit !== null && one.startAtMs === null;
    const admission = lacksRateSlot
      ? { kind: 'defer' as const, at: clock.now(), reason: waitsForRateLimit(rateLimit.ratePerSecond) }
      : one.endpoint === null
        ? alwaysAdmitted
        : breakers.admit(one.endpoint.destination, one);
    if (admission.kind === 'admit') begin(one);
    else if (admission.kind === 'defer') deferDelivery(one, admission);
    else
      watching ??= watchWaiting().finally(() => {
        watching = null;
      });
    return admission.kind;
  }

  function endpointOf(run: Run, delivery: LiveDelivery): Endpoint | null {
    return chooseEndpoint(run, delivery, breakers.openUntilMs);
  }

  /** Runs as long as deliveries wait for a destination. */
  async function watchWaiting(): Promise<void> {
    while (breakers.hasWaiting()) {
      await clock.sleepUntil(clock.now().add({ milliseconds: stalledMs }), neverAborts);
      for (const { waiting, at, reason } of breakers.dismissStalled()) deferDelivery(waiting, { at, reason });
    }
  }

  function start(one: ActiveDelivery): void {
    if (one.startAtMs === null || !rateSlots.hasToWait(one)) sendNow(one);
  }

  function startUnlessClosed(one: ActiveDelivery): void {
    const deferral = deferralOf(one);
    if (deferral === null) return start(one);
    releaseDestination(one.endpoint, null);
    deferDelivery(one, deferral);
  }

  /** Starts deliveries that have got a slot of their destination. */
  function startAll(ones: readonly ActiveDelivery[]): void {
    for (const one of ones) recheck.add(one);
    recheck.run();
  }

  function sendNow({ run, delivery, endpoint }: ActiveDelivery): void {
    deps.onAttempt?.(run, delivery);
    void send(run, { delivery, route: currentRoute(run, { channel: delivery.channel, endpoint }) }).then((sent) => {
      recorder.record(run, delivery, sent);
      backOffIfAsked(endpoint, sent);
      // A failure on this side says nothing about the destination.
      releaseDestination(endpoint, sent.provider === null ? null : sent);
      releaseSlot(run);
    });
  }

  /** A webhook channel leads to many servers, so one server's Retry-After does not slow the others. */
  function backOffIfAsked(endpoint: Endpoint | null, { outcome }: Sent): void {
    const rateLimit = endpoint?.route.rateLimit ?? null;
    if (rateLimit === null || outcome.outcome !== 'failed' || outcome.permanent) return;
    if (outcome.retryAfterMs !== undefined && endpoint?.route.adapter.type !== 'webhook')
      rateLimiter.backOff(rateLimit, outcome.retryAfterMs);
  }

  function releaseDestination(endpoint: Endpoint | null, sent: Sent | null): void {
    if (endpoint === null) return;
    const { admitted, deferred } = breakers.release(endpoint.destination, sent?.outcome ?? null);
    for (const { waiting, at, reason } of deferred) reroute(waiting, { at, reason });
    startAll(admitted);
  }

  /** The destination's breaker is open: uses another channel of the type, or defers. */
  function reroute(one: ActiveDelivery, later: { at: Temporal.Instant; reason: string }): void {
    const endpoint = endpointOf(one.run, one.delivery);
    if (endpoint === null || breakers.openUntilMs(endpoint.destination) > 0) return deferDelivery(one, later);
    admitOrDefer({ ...one, endpoint, startAtMs: null }, recheck.add);
  }

  /** Not null when the sending hours have closed while the delivery waited for a slot. */
  function deferralOf({ run, delivery }: ActiveDelivery) {
    return run.hours?.deferralOf(delivery, clock.now()) ?? null;
  }

  /** True when no attempt may start any more. */
  function isOver(run: Run): boolean {
    return run.expiresAt.epochMilliseconds <= clock.epochMs();
  }

  function deferDelivery({ run, delivery }: ActiveDelivery, later: { at: Temporal.Instant; reason: string }): void {
    recorder.defer(run, delivery, later);
    releaseSlot(run);
  }

  function drop(one: ActiveDelivery, reason: string): void {
    recorder.record(one.run, one.delivery, unsent(reason));
    abandon(one);
  }

  function abandon({ run, endpoint }: ActiveDelivery): void {
    releaseDestination(endpoint, null);
    releaseSlot(run);
  }

  function releaseSlot(run: Run): void {
    run.inFlight -= 1;
    const freedCapacity = slots.release(run.job.workspace_id);
    finishIfDone(run);
    if (freedCapacity || run.overflow.length > 0) onCapacity();
  }

  function finishIfDone(run: Run): void {
    if (run.inFlight > 0 || run.overflow.length > 0 || !runs.delete(run)) return;
    const left = (claims.get(run.claimId) ?? 1) - 1;
    if (left === 0) claims.delete(run.claimId);
    else claims.set(run.claimId, left);
    recorder.finish(run, { endsClaim: left === 0 });
  }

  /** A claim that no longer exists has lost its lease: another worker owns its jobs. */
  async function extendLeases(until: Temporal.Instant): Promise<void> {
    const ids = [...claims.keys()];
    if (ids.length === 0) return;
    const kept = await store.extendLeases(ids, until);
    const lost = new Set(ids.filter((id) => !kept.has(id)));
    for (const run of lost.size === 0 ? [] : runs) {
      if (!lost.has(run.claimId)) continue;
      run.isLost = true;
      run.overflow = [];
      finishIfDone(run);
    }
  }

  /** What has not begun stays open in the ledger. The next claim takes it at once. */
  function releaseOverflow(): void {
    for (const one of rateSlots.dismissAll()) {
      releaseDestination(one.endpoint, null);
      deferDelivery(one, { at: clock.now(), reason: serverWasStopped });
    }
    for (const active of breakers.dismissAll()) deferDelivery(active, { at: clock.now(), reason: serverWasStopped });
    for (const run of runs) if (run.overflow.length > 0) returnToQueue(run, serverWasStopped);
  }

  function returnToQueue(run: Run, reason: string): void {
    if (run.unconfirmed.size > 0) leaveToLease(run);
    run.overflow = [];
    run.nextAttemptAt = clock.now();
    run.lastFailure ??= reason;
    finishIfDone(run);
  }

  /** Deliveries that have begun or wait here, without an outcome. */
  function openDeliveries(): number {
    let open = 0;
    for (const run of runs) open += run.inFlight + run.overflow.length;
    return open;
  }

  return {
    add,
    startOverflow: overflow.start,
    extendLeases,
    releaseOverflow,
    isEmpty: () => runs.size === 0,
    openDeliveries,
  };
}
