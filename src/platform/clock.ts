import { setTimeout as wait } from 'node:timers/promises';

/** Time, passed in: the real one here, a virtual one in tests. */
export type Clock = {
  now(): Temporal.Instant;
  /** The same in milliseconds since 1970, for what happens thousands of times a second. */
  epochMs(): number;
  /** Milliseconds that pass evenly, whatever is done to the time of day: to measure how long something takes. */
  steadyMs(): number;
  /** Resolves at this instant, or as soon as the signal aborts. */
  sleepUntil(instant: Temporal.Instant, signal: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  epochMs: Date.now,
  steadyMs: () => performance.now(),
  // Whole milliseconds, as on the wire: what was written compares equal to what is read back.
  now: () => Temporal.Instant.fromEpochMilliseconds(Date.now()),
  async sleepUntil(instant, signal) {
    // Timers take at most 24.8 days and may fire a millisecond early.
    const ms = Math.min(
      Math.max(Math.ceil(instant.since(Temporal.Now.instant()).total('milliseconds')), 0),
      2 ** 31 - 1,
    );
    try {
      await wait(ms, undefined, { signal });
    } catch {
      // Aborted: the caller is woken, which is all it asked for.
    }
  },
};
