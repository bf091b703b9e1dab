import type { Outcome } from '#domain/outcome.ts';
import type { Clock } from '#platform/clock.ts';

export type GateLimits = {
  /** Attempts in flight to one destination of one workspace. */
  perDestination: number;
  /** Without any success for this long, a destination that is full has nobody standing before it. */
  stalledMs: number;
  /** So many temporary failures in a row, without one success between them, open the breaker. */
  failuresToOpen: number;
};

/** Whether an attempt may begin: it has its place, it stands in line for one, or it comes back later. */
export type Admission = { kind: 'enter' } | { kind: 'wait' } | { kind: 'later'; at: Temporal.Instant; reason: string };

/** Who stood in line: some have a place now, others come back later. */
export type Called<Waiting> = {
  entered: readonly Waiting[];
  sentAway: readonly { waiting: Waiting; at: Temporal.Instant; reason: string }[];
};

const nobody = { entered: [], sentAway: [] };

type Gate<Waiting> = {
  inFlight: number;
  line: Waiting[];
  failures: number;
  /** How often the breaker opened without a success since: each time it stays open twice as long. */
  openings: number;
  openUntil: Temporal.Instant | null;
  lastFailure: string;
  /** How often work was sent away since the last success; it comes back later each time. */
  turnedAway: number;
  hasAnswered: boolean;
  /** When it was last seen to have answered, or when somebody first came after a quiet time. */
  answeredAt: number;
};

const second = 1_000;
const firstRestMs = 30 * second;
const longestRestMs = 10 * 60 * second;
const firstReturnMs = second;
const longestReturnMs = 30 * second;

/**
 * Keeps one destination from taking the places of all: a cap on what is in flight to it, and a circuit breaker. While
 * the breaker is open nothing is tried and no attempt is used up; then a single one feels whether it answers again. Each
 * worker knows of its own experience only.
 */
export function createGates<Waiting>({
  clock,
  random,
  limits,
}: {
  clock: Clock;
  random: () => number;
  limits: GateLimits;
}) {
  const gates = new Map<string, Gate<Waiting>>();

  function gateOf(destination: string): Gate<Waiting> {
    const known = gates.get(destination);
    if (known !== undefined) return known;
    if (gates.size > 10_000) forgetQuiet();
    const made: Gate<Waiting> = {
      inFlight: 0,
      line: [],
      failures: 0,
      openings: 0,
      openUntil: null,
      lastFailure: '',
      turnedAway: 0,
      hasAnswered: false,
      answeredAt: 0,
    };
    gates.set(destination, made);
    return made;
  }

  function forgetQuiet(): void {
    for (const [destination, gate] of gates) {
      if (gate.inFlight === 0 && gate.line.length === 0 && !isRemembered(gate)) gates.delete(destination);
    }
  }

  /** Where nobody wants to go any more, its rest is not kept for ever. */
  const isRemembered = ({ openUntil }: Gate<Waiting>) =>
    openUntil !== null && clock.epochMs() - openUntil.epochMilliseconds <= longestRestMs;

  function admit(destination: string, waiting: Waiting): Admission {
    const gate = gateOf(destination);
    const places = placesOf(gate);
    if (places === 0) return { kind: 'later', at: spread(gate.openUntil ?? clock.now()), reason: restReason(gate) };
    if (gate.inFlight < places) {
      if (gate.inFlight === 0) gate.answeredAt = clock.epochMs();
      gate.inFlight += 1;
      return { kind: 'enter' };
    }
    if (!isStalled(gate)) {
      gate.line.push(waiting);
      return { kind: 'wait' };
    }
    return turnAway(gate);
  }

  function isStalled(gate: Gate<Waiting>): boolean {
    if (gate.openings > 0) return true;
    if (gate.hasAnswered) gate.answeredAt = clock.epochMs();
    gate.hasAnswered = false;
    // Also where the clock was set back: else nobody would be taken for stalled until it is where it was.
    return Math.abs(clock.epochMs() - gate.answeredAt) > limits.stalledMs;
  }

  /** None while the breaker is open, one while it feels its way back. */
  function placesOf(gate: Gate<Waiting>): number {
    if (gate.openUntil === null) return limits.perDestination;
    return Temporal.Instant.compare(clock.now(), gate.openUntil) < 0 ? 0 : 1;
  }

  /** Until when nothing may begin there, in milliseconds since 1970; 0 where it may. */
  function restsUntil(destination: string): number {
    const gate = gates.get(destination);
    if (gate === undefined || gate.openUntil === null) return 0;
    // Somebody feels the way at this moment.
    const isProbed = placesOf(gate) === 1 && gate.inFlight > 0;
    return placesOf(gate) === 0 ? gate.openUntil.epochMilliseconds : isProbed ? clock.epochMs() : 0;
  }

  function turnAway(gate: Gate<Waiting>): { kind: 'later'; at: Temporal.Instant; reason: string } {
    gate.turnedAway += 1;
    const rounds = Math.floor(gate.turnedAway / limits.perDestination);
    const delayMs = Math.min(firstReturnMs * 2 ** Math.min(rounds, 10), longestReturnMs);
    const at = spread(clock.now().add({ milliseconds: delayMs }));
    return { kind: 'later', at, reason: 'The destination is busy with earlier messages' };
  }

  /** Up to a quarter later, so that what was sent away together does not come back together. */
  function spread(at: Temporal.Instant): Temporal.Instant {
    const aheadMs = Math.max(second, at.epochMilliseconds - clock.epochMs());
    return at.add({ milliseconds: Math.round(aheadMs * 0.25 * random()) });
  }

  const restReason = (gate: Gate<Waiting>) =>
    `Not tried: the last ${gate.failures} attempts to reach the destination failed (${gate.lastFailure})`;

  /** Takes note of how an attempt ended (null: it was not made), and says who may begin in its place. */
  function leave(destination: string, outcome: Outcome | null): Called<Waiting> {
    const gate = gateOf(destination);
    gate.inFlight -= 1;
    if (outcome === null) return callIn(gate);
    const failure = failureOf(outcome);
    if (failure !== null) fail(gate, failure);
    else if (outcome.outcome !== 'skipped') {
      gate.hasAnswered = true;
      gate.failures = 0;
      gate.openings = 0;
      gate.openUntil = null;
      gate.turnedAway = 0;
    }
    return callIn(gate);
  }

  function fail(gate: Gate<Waiting>, reason: string): void {
    gate.failures += 1;
    gate.lastFailure = reason;
    const isProbe = gate.openUntil !== null && placesOf(gate) === 1;
    if (gate.failures < limits.failuresToOpen || (gate.openUntil !== null && !isProbe)) return;
    const restMs = Math.min(firstRestMs * 2 ** Math.min(gate.openings, 10), longestRestMs);
    gate.openings += 1;
    gate.openUntil = clock.now().add({ milliseconds: restMs });
  }

  /** Of the line, as many as there are places; everybody is sent away while the breaker is open. */
  function callIn(gate: Gate<Waiting>): Called<Waiting> {
    if (gate.line.length === 0) return nobody;
    const places = placesOf(gate);
    if (places === 0) {
      const at = gate.openUntil ?? clock.now();
      const sentAway = gate.line.splice(0).map((waiting) => ({ waiting, at: spread(at), reason: restReason(gate) }));
      return { entered: [], sentAway };
    }
    const entered = gate.line.splice(0, Math.max(0, places - gate.inFlight));
    gate.inFlight += entered.length;
    return { entered, sentAway: [] };
  }

  /** Up to `count` of those who stand in line with this one, who stay there. */
  const nextInLine = (destination: string, count: number): Waiting[] => gateOf(destination).line.slice(0, count);

  /** Who stands before a destination that has not answered for too long: somebody else can use the place. */
  function dismissStalled(): Called<Waiting>['sentAway'] {
    return [...gates.values()]
      .filter((gate) => gate.line.length > 0 && isStalled(gate))
      .flatMap((gate) => gate.line.splice(0).map((waiting) => ({ waiting, ...turnAway(gate) })));
  }

  /** Whoever stands in line leaves it. */
  const dismissAll = (): Waiting[] => [...gates.values()].flatMap((gate) => gate.line.splice(0));

  const hasLine = () => [...gates.values()].some((gate) => gate.line.length > 0);

  return { admit, restsUntil, leave, nextInLine, dismissStalled, dismissAll, hasLine };
}

export type Gates<Waiting> = ReturnType<typeof createGates<Waiting>>;

/** What says something about the destination: not a refusal of this one message. */
function failureOf(outcome: Outcome): string | null {
  if (outcome.outcome === 'unknown') return outcome.reason;
  return outcome.outcome === 'failed' && !outcome.permanent ? outcome.reason : null;
}
