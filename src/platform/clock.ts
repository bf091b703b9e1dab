import { setTimeout as wait } from 'node:timers/promises';

/** The clock is an argument: the system clock in production, a virtual one in tests. */
export type Clock = {
  now(): Temporal.Instant;
  /** `now` in milliseconds since 1970, for what happens thousands of times a second. */
  epochMs(): number;
  /** Monotonic milliseconds, for measuring durations: changes of the system time do not affect them. */
  steadyMs(): number;
  /** Resolves at this instant, or as soon as the signal aborts. */
  sleepUntil(instant: Temporal.Instant, signal: AbortSignal): Promise<void>;
};

/** The signal of a sleep that nothing ends early. */
export const neverAborts = new AbortController().signal;

let last = { ms: 0, instant: Temporal.Instant.fromEpochMilliseconds(0) };

/**
 * Whole milliseconds, as in JSON and the database: a written instant equals the one that is read back. Callers
 * within the same millisecond get the same object, because making one costs more than reading the clock.
 */
function now(): Temporal.Instant {
  const ms = Date.now();
  if (last.ms !== ms) last = { ms, instant: Temporal.Instant.fromEpochMilliseconds(ms) };
  return last.instant;
}

export const systemClock: Clock = {
  epochMs: () => Date.now(),
  steadyMs: () => performance.now(),
  now,
  async sleepUntil(instant, signal) {
    // Timers take at most 24.8 days and may fire a millisecond early.
    const ms = Math.min(
      Math.max(Math.ceil(instant.since(Temporal.Now.instant()).total('milliseconds')), 0),
      2 ** 31 - 1,
    );
    try {
      await wait(ms, undefined, { signal });
    } catch {
      // Aborted: the sleep ends early.
    }
  },
};
