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

/** The breaker of a destination, with those of its addresses. */
type Host<Waiting> = { breaker: Breaker<Waiting>; addresses: Map<string, Breaker<Waiting>> };

/** The breakers that an attempt passes: that of its destination, and that of its address. */
type Passed<Waiting> = { host: Breaker<Waiting>; address: Breaker<Waiting> | null };

/**
 * An address may have this many times the slots that its destination has left: four fifths while it is alone, so that one that hangs leaves some
 * for the others.
 */
const shareOfFree = 4;
/** How many failures in a row of one address count for its destination: a host is not down because one URL is. */
const failuresOfAddress = 2;

/** From this number of breakers on, those that nothing uses are forgotten. */
const mostRemembered = 10_000;

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
  const hosts = new Map<string, Host<Waiting>>();
  /** How many breakers there are. */
  let count = 0;

  function passedBy(target: Target): Passed<Waiting> {
    const host = hosts.get(target.destination) ?? makeHost(target);
    if (target.address === null) return { host: host.breaker, address: null };
    const known = host.addresses.get(target.address);
    return { host: host.breaker, address: known ?? makeAddress(target.address, host) };
  }

  function makeHost({ destination }: Target): Host<Waiting> {
    forgetIfMany();
    const host = { breaker: makeBreaker<Waiting>(), addresses: new Map<string, Breaker<Waiting>>() };
    hosts.set(destination, host);
    count += 1;
    return host;
  }

  function makeAddress(name: string, host: Host<Waiting>): Breaker<Waiting> {
    forgetIfMany(host);
    const breaker = makeBreaker<Waiting>();
    host.addresses.set(name, breaker);
    count += 1;
    return breaker;
  }

  /** @param inUse a destination whose attempt is about to be counted */
  function forgetIfMany(inUse?: Host<Waiting>): void {
    if (count <= mostRemembered) return;
    for (const [destination, host] of hosts) {
      const { breaker, addresses } = host;
      for (const [name, address] of addresses) if (isForgettable(address)) forgetAddress(addresses, name);
      if (addresses.size > 0 || host === inUse || !isForgettable(breaker)) continue;
      hosts.delete(destination);
      count -= 1;
    }
  }

  function forgetAddress(addresses: Map<string, Breaker<Waiting>>, name: string): void {
    if (addresses.delete(name)) count -= 1;
  }

  const isForgettable = (breaker: Breaker<Waiting>) => isQuiet(breaker) && !isRemembered(breaker);

  const isQuiet = ({ inFlight, line }: Breaker<Waiting>) => inFlight === 0 && line.length === 0;

  /** An open breaker that nothing uses any more is removed after `longestOpenMs`. */
  const isRemembered = ({ openUntilMs: untilMs }: Breaker<Waiting>) =>
    untilMs !== null && clock.epochMs() - untilMs <= longestOpenMs;

  function admit(target: Target, waiting: Waiting): Admission {
    const passed = passedBy(target);
    const blocked = blockedBy(passed);
    if (blocked === null) {
      begin(passed);
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
  function blockedBy({ host, address }: Passed<Waiting>): Breaker<Waiting> | null {
    if (host.inFlight >= slotsOf(host)) return host;
    if (address === null) return null;
    const share = Math.min(slotsOf(address), shareOfFree * (limits.perDestination - host.inFlight));
    return address.inFlight < share ? null : address;
  }

  function begin({ host, address }: Passed<Waiting>): void {
    beginIn(host);
    if (address !== null) beginIn(address);
  }

  function beginIn(breaker: Breaker<Waiting>): void {
    if (breaker.inFlight === 0) breaker.answeredAt = clock.epochMs();
    breaker.inFlight += 1;
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
  function openUntilMs({ destination, address }: Target): number {
    const host = hosts.get(destination);
    if (host === undefined) return 0;
    const known = address === null ? undefined : host.addresses.get(address);
    return Math.max(endOf(host.breaker), known === undefined ? 0 : endOf(known));
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
    const passed = passedBy(target);
    const { host, address } = passed;
    host.inFlight -= 1;
    if (address !== null) address.inFlight -= 1;
    const failure = outcome === null ? null : failureOf(outcome);
    if (failure !== null) {
      if (address !== null) fail(address, failure);
      if (address === null || address.failures <= failuresOfAddress) fail(host, failure);
    } else if (outcome !== null && outcome.outcome !== 'skipped') {
      reset(host);
      if (address !== null) reset(address);
    }
    const dismissed = admitWaiting(passed);
    if (target.address !== null && address !== null && isQuiet(address) && address.failures === 0) {
      const addresses = hosts.get(target.destination)?.addresses;
      if (addresses !== undefined) forgetAddress(addresses, target.address);
    }
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
  function admitWaiting({ host, address }: Passed<Waiting>): Dismissed<Waiting> {
    if (host.line.length === 0 && (address === null || address.line.length === 0)) return none;
    const begun: Waiting[] = [];
    const deferred: Dismissed<Waiting>['deferred'][number][] = [];
    // The destination's line first: what waits in it has come before what waits for the address.
    for (const breaker of address === null ? [host] : [host, address]) {
      for (let next = breaker.line[0]; next !== undefined; next = breaker.line[0]) {
        const { target, waiting } = next;
        const passed = passedBy(target);
        const blocked = blockedBy(passed);
        const isOpen = blocked !== null && slotsOf(blocked) === 0;
        if (blocked === breaker && !isOpen) break;
        breaker.line.shift();
        if (blocked === null) {
          begin(passed);
          begun.push(waiting);
        } else if (isOpen)
          deferred.push({ waiting, atMs: spread(blocked.openUntilMs ?? clock.epochMs()), ...openReason(blocked) });
        else blocked.line.push(next);
      }
    }
    return { admitted: begun, deferred };
  }

  /** Up to `most` of the deliveries that wait for this destination and address. They stay in line. */
  function nextWaiting(target: Target, most: number): Waiting[] {
    const { host, address } = passedBy(target);
    const next = host.line.slice(0, most);
    if (address !== null) next.push(...address.line.slice(0, most - next.length));
    return next.map(({ waiting }) => waiting);
  }

  function* all(): Generator<Breaker<Waiting>> {
    for (const { breaker, addresses } of hosts.values()) {
      yield breaker;
      yield* addresses.values();
    }
  }

  /** Removes the deliveries that wait for a stalled destination, so that others can use their slots. */
  function dismissStalled(): Dismissed<Waiting>['deferred'] {
    return [...all()]
      .filter((breaker) => breaker.line.length > 0 && isStalled(breaker))
      .flatMap((breaker) => breaker.line.splice(0).map(({ waiting }) => ({ waiting, ...defer(breaker) })));
  }

  /** Removes all waiting deliveries. */
  const dismissAll = (): Waiting[] =>
    [...all()].flatMap((breaker) => breaker.line.splice(0).map(({ waiting }) => waiting));

  const hasWaiting = () => all().some((breaker) => breaker.line.length > 0);

  return { admit, openUntilMs, release, nextWaiting, dismissStalled, dismissAll, hasWaiting };
}

export type CircuitBreakers<Waiting> = ReturnType<typeof createCircuitBreakers<Waiting>>;

const makeBreaker = <Waiting>(): Breaker<Waiting> => ({
  inFlight: 0,
  line: [],
  failures: 0,
  openings: 0,
  openUntilMs: null,
  lastFailure: '',
  deferrals: 0,
  hasAnswered: false,
  answeredAt: 0,
});

/** The reason why the destination failed; null for a refusal of this one message. */
function failureOf(outcome: Outcome): string | null {
  if (outcome.outcome === 'unknown') return outcome.reason;
  return outcome.outcome === 'failed' && !outcome.permanent ? outcome.reason : null;
}
