import { circuitIsOpen, destinationIsBusy } from '#domain/ledger-reasons.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Deferral } from '#engine/run/live-delivery.ts';
import type { Clock } from '#platform/clock.ts';

/** Where an attempt goes: a destination, such as a host, and one of its addresses where it has several, such as a URL. */
export type Target = { destination: string; address: string | null };

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

type InLine<Waiting> = { target: Target; waiting: Waiting };

type Breaker<Waiting> = {
  inFlight: number;
  line: InLine<Waiting>[];
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

/**
 * An address may have this many times the slots that its destination has left: four fifths while it is alone, so that one that hangs leaves some
 * for the others.
 */
const shareOfFree = 4;
/** How many failures in a row of one address count for its destination: a host is not down because one URL is. */
const failuresOfAddress = 2;

const second = 1_000;
const firstOpenMs = 30 * second;
const longestOpenMs = 10 * 60 * second;
const firstDeferralMs = second;
const longestDeferralMs = 30 * second;

/**
 * Keeps one destination from using all slots, and one address from using all of its destination: a limit on what is in flight, and a circuit breaker.
 * While the breaker is open nothing is sent and no attempt is used up. Then a single probe checks whether the destination answers again. Each worker
 * has its own breakers.
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
      if (isQuiet(breaker) && !isRemembered(breaker)) breakers.delete(destination);
    }
  }

  const isQuiet = ({ inFlight, line }: Breaker<Waiting>) => inFlight === 0 && line.length === 0;

  /** An open breaker that nothing uses any more is removed after `longestOpenMs`. */
  const isRemembered = ({ openUntilMs: untilMs }: Breaker<Waiting>) =>
    untilMs !== null && clock.epochMs() - untilMs <= longestOpenMs;

  const hostOf = ({ destination }: Target) => breakerOf(destination);
  const addressOf = ({ destination, address }: Target) =>
    address === null ? null : breakerOf(`${destination} ${address}`);

  function admit(target: Target, waiting: Waiting): Admission {
    const blocked = blockedBy(target);
    if (blocked === null) {
      begin(target);
      return admitted;
    }
    if (slotsOf(blocked) === 0)
      return { kind: 'defer', atMs: spread(blocked.openUntilMs ?? clock.epochMs()), ...openReason(blocked) };
    if (!isStalled(blocked)) {
      blocked.line.push({ target, waiting });
      return waits;
    }
    return defer(blocked);
  }

  /** The breaker of the destination or of the address that is open or full; null where an attempt may begin. */
  function blockedBy(target: Target): Breaker<Waiting> | null {
    const host = hostOf(target);
    if (host.inFlight >= slotsOf(host)) return host;
    const address = addressOf(target);
    if (address === null) return null;
    const share = Math.min(slotsOf(address), shareOfFree * (limits.perDestination - host.inFlight));
    return address.inFlight < share ? null : address;
  }

  function begin(target: Target): void {
    for (const breaker of breakersOf(target)) {
      if (breaker.inFlight === 0) breaker.answeredAt = clock.epochMs();
      breaker.inFlight += 1;
    }
  }

  /** The destination's first: what waits for it has come before what waits for the address. */
  const breakersOf = (target: Target) => [hostOf(target), addressOf(target)].filter((breaker) => breaker !== null);

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
  function openUntilMs({ destination, address }: Target): number {
    const known = [breakers.get(destination), address === null ? undefined : breakers.get(`${destination} ${address}`)];
    return Math.max(...known.map((breaker) => (breaker === undefined ? 0 : endOf(breaker))));
  }

  function endOf(breaker: Breaker<Waiting>): number {
    if (breaker.openUntilMs === null) return 0;
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

  /** Records how an attempt ended (null: it was not made) and fills the free slots from the waiting lines. */
  function release(target: Target, outcome: Outcome | null): Dismissed<Waiting> {
    const [host, address] = [hostOf(target), addressOf(target)];
    for (const breaker of breakersOf(target)) breaker.inFlight -= 1;
    const failure = outcome === null ? null : failureOf(outcome);
    if (failure !== null) {
      if (address !== null) fail(address, failure);
      if (address === null || address.failures <= failuresOfAddress) fail(host, failure);
    } else if (outcome !== null && outcome.outcome !== 'skipped')
      for (const breaker of breakersOf(target)) reset(breaker);
    const dismissed = admitWaiting(breakersOf(target));
    if (address !== null && isQuiet(address) && address.failures === 0)
      breakers.delete(`${target.destination} ${target.address}`);
    return dismissed;
  }

  function reset(breaker: Breaker<Waiting>): void {
    breaker.hasAnswered = true;
    breaker.failures = 0;
    breaker.openings = 0;
    breaker.openUntilMs = null;
    breaker.deferrals = 0;
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

  /**
   * Admits as many waiting deliveries as there are free slots. Defers all of them while a breaker is open. One that waits for its address while the
   * destination is full, or the other way round, changes its line.
   */
  function admitWaiting(freed: readonly Breaker<Waiting>[]): Dismissed<Waiting> {
    if (freed.every(({ line }) => line.length === 0)) return none;
    const begun: Waiting[] = [];
    const deferred: Dismissed<Waiting>['deferred'][number][] = [];
    for (const breaker of freed) {
      for (let next = breaker.line[0]; next !== undefined; next = breaker.line[0]) {
        const { target, waiting } = next;
        const blocked = blockedBy(target);
        const isOpen = blocked !== null && slotsOf(blocked) === 0;
        if (blocked === breaker && !isOpen) break;
        breaker.line.shift();
        if (blocked === null) {
          begin(target);
          begun.push(waiting);
        } else if (isOpen)
          deferred.push({ waiting, atMs: spread(blocked.openUntilMs ?? clock.epochMs()), ...openReason(blocked) });
        else blocked.line.push(next);
      }
    }
    return { admitted: begun, deferred };
  }

  /** Up to `count` of the deliveries that wait for this destination and address. They stay in line. */
  const nextWaiting = (target: Target, count: number): Waiting[] =>
    breakersOf(target)
      .flatMap(({ line }) => line.slice(0, count))
      .slice(0, count)
      .map(({ waiting }) => waiting);

  /** Removes the deliveries that wait for a stalled destination, so that others can use their slots. */
  function dismissStalled(): Dismissed<Waiting>['deferred'] {
    return [...breakers.values()]
      .filter((breaker) => breaker.line.length > 0 && isStalled(breaker))
      .flatMap((breaker) => breaker.line.splice(0).map(({ waiting }) => ({ waiting, ...defer(breaker) })));
  }

  /** Removes all waiting deliveries. */
  const dismissAll = (): Waiting[] =>
    [...breakers.values()].flatMap((breaker) => breaker.line.splice(0).map(({ waiting }) => waiting));

  const hasWaiting = () => [...breakers.values()].some((breaker) => breaker.line.length > 0);

  return { admit, openUntilMs, release, nextWaiting, dismissStalled, dismissAll, hasWaiting };
}

export type CircuitBreakers<Waiting> = ReturnType<typeof createCircuitBreakers<Waiting>>;

/** The reason why the destination failed; null for a refusal of this one message. */
function failureOf(outcome: Outcome): string | null {
  if (outcome.outcome === 'unknown') return outcome.reason;
  return outcome.outcome === 'failed' && !outcome.permanent ? outcome.reason : null;
}
