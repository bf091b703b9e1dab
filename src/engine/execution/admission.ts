import { waitsForRateLimit } from '#domain/ledger-reasons.ts';
import type { FindRoute } from '#engine/run/routes.ts';
import type { Deferral, LiveDelivery } from '#engine/run/live-delivery.ts';
import type { Attempt } from '#engine/run/attempt.ts';
import { chooseEndpoint, type Endpoint } from '#engine/run/endpoint.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import { begin, createRecheck, unlessClosed, type Verdict } from '#engine/execution/recheck.ts';
import type { Sent } from '#engine/execution/send.ts';
import type { Admission as Answer, CircuitBreakers } from '#engine/limits/circuit-breakers.ts';
import type { RateLimiter } from '#engine/limits/rate-limiter.ts';
import { type Chosen, createRateSlotQueue, takeRateSlots } from '#engine/limits/rate-slots.ts';
import type { EngineStore } from '#engine/store.ts';
import { type Clock, neverAborts } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Deps = {
  store: EngineStore;
  clock: Clock;
  log: Log;
  breakers: CircuitBreakers<Attempt>;
  rateLimiter: RateLimiter;
  stalledMs: number;
  findRoute: FindRoute;
};

/**
 * Decides whether an attempt may begin now, waits, or is deferred:
 *
 *     ask -> rate limit -> a slot of the destination -> sending hours -> the time of its rate slot -> begin
 *                            | full: waits in line        | closed                | later: waits
 *                            v                            v                       v
 *                          recheck <------------------------------------------- recheck
 *                            | begin, defer, drop or leave
 *
 * What waited is checked against the database again before it begins (`recheck.ts`). `carryOut` gets each attempt once,
 * with the verdict; an attempt that begins holds its slot of the destination until `end`.
 */
export function createAdmission(deps: Deps, carryOut: (attempt: Attempt, verdict: Verdict) => void) {
  const { clock, breakers, rateLimiter, stalledMs } = deps;
  const rateSlots = createRateSlotQueue<Attempt>({ clock, onDue: checkAgain });
  const recheck = createRecheck(deps, resume);
  let watching: Promise<void> | null = null;

  /** Asks for a delivery that has begun with its claim, which has checked the sending hours. */
  function askClaimed(run: JobRun, delivery: LiveDelivery): Answer['kind'] {
    const endpoint = endpointOf(run, delivery);
    return askDestination({ run, delivery, endpoint, startAtMs: null, notSent: null }, start);
  }

  /** Asks for a delivery that was queued until now. */
  function askQueued(run: JobRun, { delivery, rateSlot }: Chosen): Answer['kind'] {
    const endpoint = rateSlot === null ? endpointOf(run, delivery) : rateSlot.endpoint;
    const attempt = { run, delivery, endpoint, startAtMs: rateSlot?.startAtMs ?? null, notSent: null };
    return askDestination(attempt, (one) => resume(one, unlessClosed(one, clock.epochMs())));
  }

  function askDestination(attempt: Attempt, onAdmitted: (attempt: Attempt) => void): Answer['kind'] {
    const answer = answerTo(attempt);
    if (answer.kind === 'admit') onAdmitted(attempt);
    else if (answer.kind === 'defer') carryOut(attempt, answer);
    else
      watching ??= watchWaiting().finally(() => {
        watching = null;
      });
    return answer.kind;
  }

  function answerTo(attempt: Attempt): Answer {
    const { endpoint } = attempt;
    if (endpoint === null) return admitted;
    const { rateLimit = null } = endpoint.route;
    // The route changed to a rate-limited channel. The next claim, which follows at once, reserves its rate slot.
    if (rateLimit !== null && attempt.startAtMs === null)
      return { kind: 'defer', atMs: clock.epochMs(), ...waitsForRateLimit(rateLimit.ratePerSecond) };
    return breakers.admit(endpoint, attempt);
  }

  function endpointOf(run: JobRun, delivery: LiveDelivery): Endpoint | null {
    return chooseEndpoint(run, delivery, breakers.openUntilMs);
  }

  /** Checks waiting deliveries regularly, for as long as any wait for a destination. */
  async function watchWaiting(): Promise<void> {
    while (breakers.hasWaiting()) {
      await clock.sleepUntil(clock.now().add({ milliseconds: stalledMs }), neverAborts);
      for (const { waiting, ...later } of breakers.dismissStalled()) carryOut(waiting, { ...later, kind: 'defer' });
    }
  }

  /** Goes on with an attempt that has a slot of its destination. */
  function resume(attempt: Attempt, verdict: Verdict): void {
    if (verdict.kind === 'begin') return start(attempt);
    release(attempt.endpoint, null);
    carryOut(attempt, verdict);
  }

  function start(attempt: Attempt): void {
    if (attempt.startAtMs === null || !rateSlots.hasToWait(attempt)) carryOut(attempt, begin);
  }

  /** Resumes attempts that have waited. */
  function checkAgain(attempts: readonly Attempt[]): void {
    for (const attempt of attempts) recheck.add(attempt);
    recheck.run();
  }

  /** Frees the slot of the destination and lets the next in line begin. `sent` is null when no attempt was made. */
  function release(endpoint: Endpoint | null, sent: Sent | null): void {
    if (endpoint === null) return;
    const { admitted, deferred } = breakers.release(endpoint, sent?.outcome ?? null);
    for (const { waiting, ...later } of deferred) reroute(waiting, later);
    checkAgain(admitted);
  }

  /** The destination's breaker is open: uses another channel of the type, or defers. */
  function reroute(attempt: Attempt, later: Deferral): void {
    const endpoint = endpointOf(attempt.run, attempt.delivery);
    if (endpoint === null || breakers.openUntilMs(endpoint) > 0) carryOut(attempt, { kind: 'defer', ...later });
    else askDestination({ ...attempt, endpoint, startAtMs: null }, recheck.add);
  }

  /** Ends an attempt that has begun. */
  function end({ endpoint }: Attempt, sent: Sent): void {
    backOffIfAsked(endpoint, sent);
    // A failure on Cuebird's side, before the provider was asked, says nothing about the destination.
    release(endpoint, sent.provider === null ? null : sent);
  }

  /** A webhook channel leads to many servers, so one server's Retry-After does not slow the others. */
  function backOffIfAsked(endpoint: Endpoint | null, { outcome }: Sent): void {
    if (endpoint === null || outcome.outcome !== 'failed' || outcome.permanent) return;
    const { rateLimit = null, adapter } = endpoint.route;
    if (rateLimit !== null && outcome.retryAfterMs !== undefined && adapter.type !== 'webhook')
      rateLimiter.backOff(rateLimit, outcome.retryAfterMs);
  }

  /** Removes all attempts that wait. */
  function dismissAll(): readonly Attempt[] {
    const dismissed = rateSlots.dismissAll();
    for (const { endpoint } of dismissed) release(endpoint, null);
    return [...dismissed, ...breakers.dismissAll()];
  }

  return {
    askClaimed,
    askQueued,
    end,
    dismissAll,
    /** Which of these deliveries may ask to begin, with their rate slots, and when to try the others again. */
    chooseByRate: (run: JobRun, taken: readonly LiveDelivery[]) =>
      takeRateSlots(run, taken, { rateLimiter, endpointOf }),
  };
}

export type Admission = ReturnType<typeof createAdmission>;

const admitted: Answer = { kind: 'admit' };
