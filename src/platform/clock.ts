import { setTimeout as wait } from 'node:timers/promises';

/** Time, passed in: the real one here, a virtual one in tests. */
export type Clock = {
  now(): Temporal.Instant;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  delay(ms: number, signal: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  now: () => Temporal.Now.instant(),
  async delay(ms, signal) {
    try {
      await wait(ms, undefined, { signal });
    } catch {
      // Aborted: the caller is woken, which is all it asked for.
    }
  },
};
