import { circuitIsOpen, destinationIsBusy } from '#domain/ledger-reasons.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Deferral } from '#engine/run/live-delivery.ts';
import type { Clock } from '#platform/clock.ts';

export type BreakerLimits = {
  /** Attempts in flight to one destination of one workspace. */
  perDestination: number;
  /** A full destination without a success for this long is stalled: nothing waits for it any more. */
  stalledMs: number;
  /** Temporary failures in a row that open the breaker. */
  failuresToOpen: number;
};

/** Whether an attempt may begin: it has a slot, it waits for one, or it is deferred. */
export type Admission = { kind: 'admit' } | { kind: 'wait' } | ({ kind: 'defer' } & Deferral);

/** Deliveries taken from the waiting line: some have a slot now, others are deferred. */
export type Dismissed<Waiting> = {
  admitted: readonly Waiting[];
  deferred: readonly ({ waiting: Waiting } & Deferral)[];
};

const none = { admitted: [], deferred: [] };
const admitted: Admission = { kind: 'admit' };
const waits: Admission = { kind: 'wait' };

type Breaker<Waiting> = {
  inFlight: number;
  line: Waiting[];
  failures: number;
  /** How often the breaker has opened since the last success. Each time it stays open twice as long. */
  openings: number;
  openUntilMs: number | null;
  lastFailure: string;
  /** How many deliveries were deferred since the last success. The delay grows with them. */
  deferrals: number;
  hasAnswered: boolean;
  /** When an attempt last succeeded, or when the first delivery came after an idle time. */
  answeredAt: number;
};

const second = 1_000;
const firstOpenMs = 30 * second;
const longestOpenMs = 10 * 60 * second;
const firstDeferralMs = second;
const longestDeferralMs = 30 * second;

/**
 * Keeps one destination from using all slots: a limit on what is in flight to it, and a circuit breaker. While the
 * breaker is open nothing is sent and no attempt is used up. Then a single probe checks whether the destination answers
 * again. Each worker has its own breakers.
 */
export function createCircuitBreakers<Waiting>({
  clock,
  random,
  limits,
}: {
  clock: Clock;
  random: () => number;
  limits: BreakerLimits;
}) {
  const breakers = new Map<string, Breaker<Waiting>>();

  function breakerOf(destination: string): Breaker<Waiting> {
    const known = breakers.get(destination);
    if (known !== undefined) return known;
    if (breakers.size > 10_000) forgetQuiet();
    const made: Breaker<Waiting> = {
      inFlight: 0,
      line: [],
      failures: 0,
      openings: 0,
      openUntilMs: null,
      lastFailure: '',
      deferrals: 0,
      hasAnswered: false,
      answeredAt: 0,
    };
    breakers.set(destination, made);
    return made;
  }

  function forgetQuiet(): void {
    for (const [destination, breaker] of breakers) {
      if (breaker.inFlight === 0 && breaker.line.length === 0 && !isRemembered(breaker)) breakers.delete(destination);
    }
  }

  /** An open breaker that nothing uses any more is removed after `longestOpenMs`. */
  const isRemembered = ({ openUntilMs: untilMs }: Breaker<Waiting>) =>
    untilMs !== null && clock.epochMs() - untilMs <= longestOpenMs;

  function admit(destination: string, waiting: Waiting): Admission {
    const breaker = breakerOf(destination);
    const slots = slotsOf(breaker);
    if (slots === 0)
      return { kind: 'defer', atMs: spread(breaker.openUntilMs ?? clock.epochMs()), ...openReason(breaker) };
    if (breaker.inFlight < slots) {
      if (breaker.inFlight === 0) breaker.answeredAt = clock.epochMs();
      breaker.inFlight += 1;
      return admitted;
    }
    if (!isStalled(breaker)) {
      breaker.line.push(waiting);
      return waits;
    }
    return defer(breaker);
  }

  function isStalled(breaker: Breaker<Waiting>): boolean {
    if (breaker.openings > 0) return true;
    if (breaker.hasAnswered) breaker.answeredAt = clock.epochMs();
    breaker.hasAnswered = false;
    // The absolute value covers a clock that was set back: without it, nothing would count as stalled until the clock
    // caught up.
    return Math.abs(clock.epochMs() - breaker.answeredAt) > limits.stalledMs;
  }

  /** No slot while the breaker is open, one for the probe. */
  function slotsOf(breaker: Breaker<Waiting>): number {
    if (breaker.openUntilMs === null) return limits.perDestination;
    return clock.epochMs() < breaker.openUntilMs ? 0 : 1;
  }

  /** Until when nothing may begin there, in epoch milliseconds; 0 when it may begin. */
  function openUntilMs(destination: string): number {
    const breaker = breakers.get(destination);
    if (breaker === undefined || breaker.openUntilMs === null) return 0;
    // The one slot for the probe is taken.
    const isProbed = slotsOf(breaker) === 1 && breaker.inFlight > 0;
    return slotsOf(breaker) === 0 ? breaker.openUntilMs : isProbed ? clock.epochMs() : 0;
  }

  function defer(breaker: Breaker<Waiting>): { kind: 'defer' } & Deferral {
    breaker.deferrals += 1;
    const rounds = Math.floor(breaker.deferrals / limits.perDestination);
    const delayMs = Math.min(firstDeferralMs * 2 ** Math.min(rounds, 10), longestDeferralMs);
    return { kind: 'defer', atMs: spread(clock.epochMs() + delayMs), ...destinationIsBusy };
  }

  /** Adds up to a quarter of the delay, so that deferred deliveries do not all come back at once. */
  function spread(atMs: number): number {
    const aheadMs = Math.max(second, atMs - clock.epochMs());
    return atMs + Math.round(aheadMs * 0.25 * random());
  }

  const openReason = ({ failures, lastFailure: last }: Breaker<Waiting>) => circuitIsOpen({ failures, last });

  /** Records how an attempt ended (null: it was not made) and fills the free slot from the waiting line. */
  function release(destination: string, outcome: Outcome | null): Dismissed<Waiting> {
    const breaker = breakerOf(destination);
    breaker.inFlight -= 1;
    if (outcome === null) return admitWaiting(breaker);
    const failure = failureOf(outcome);
    if (failure !== null) fail(breaker, failure);
    else if (outcome.outcome !== 'skipped') {
      breaker.hasAnswered = true;
      breaker.failures = 0;
      breaker.openings = 0;
      breaker.openUntilMs = null;
      breaker.deferrals = 0;
    }
    return admitWaiting(breaker);
  }

  function fail(breaker: Breaker<Waiting>, reason: string): void {
    breaker.failures += 1;
    breaker.lastFailure = reason;
    const isProbe = breaker.openUntilMs !== null && slotsOf(breaker) === 1;
    if (breaker.failures < limits.failuresToOpen || (breaker.openUntilMs !== null && !isProbe)) return;
    const openMs = Math.min(firstOpenMs * 2 ** Math.min(breaker.openings, 10), longestOpenMs);
    breaker.openings += 1;
    breaker.openUntilMs = clock.epochMs() + openMs;
  }

  /** Admits as many waiting deliveries as there are free slots. Defers all of them while the breaker is open. */
  function admitWaiting(breaker: Breaker<Waiting>): Dismissed<Waiting> {
    if (breaker.line.length === 0) return none;
    const slots = slotsOf(breaker);
    if (slots === 0) {
      const untilMs = breaker.openUntilMs ?? clock.epochMs();
      const deferred = breaker.line
        .splice(0)
        .map((waiting) => ({ waiting, atMs: spread(untilMs), ...openReason(breaker) }));
      return { admitted: [], deferred };
    }
    const next = breaker.line.splice(0, Math.max(0, slots - breaker.inFlight));
    breaker.inFlight += next.length;
    return { admitted: next, deferred: [] };
  }

  /** Up to `count` of the deliveries that wait for this destination. They stay in line. */
  const nextWaiting = (destination: string, count: number): Waiting[] => breakerOf(destination).line.slice(0, count);

  /** Removes the deliveries that wait for a stalled destination, so that others can use their slots. */
  function dismissStalled(): Dismissed<Waiting>['deferred'] {
    return [...breakers.values()]
      .filter((breaker) => breaker.line.length > 0 && isStalled(breaker))
      .flatMap((breaker) => breaker.line.splice(0).map((waiting) => ({ waiting, ...defer(breaker) })));
  }

  /** Removes all waiting deliveries. */
  const dismissAll = (): Waiting[] => [...breakers.values()].flatMap((breaker) => breaker.line.splice(0));

  const hasWaiting = () => [...breakers.values()].some((breaker) => breaker.line.length > 0);

  return { admit, openUntilMs, release, nextWaiting, dismissStalled, dismissAll, hasWaiting };
}

export type CircuitBreakers<Waiting> = ReturnType<typeof createCircuitBreakers<Waiting>>;

/** The reason why the destination failed; null for a refusal of this one message. */
function failureOf(outcome: Outcome): string | null {
  if (outcome.outcome === 'unknown') return outcome.reason;
  return outcome.outcome === 'failed' && !outcome.permanent ? outcome.reason : null;
}
