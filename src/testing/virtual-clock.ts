import type { Clock } from '#platform/clock.ts';

export type VirtualClock = Clock & {
  /** Advances the time and wakes the sleepers that are due. */
  advance(duration: Temporal.DurationLike): void;
  /** Resolves once this many callers sleep, so that all of them notice the next advance. */
  untilAsleep(count: number): Promise<void>;
};

type Sleeper = { at: number; wake: () => void };

/** A clock that advances only when a test calls `advance`. */
export function createVirtualClock(start: string): VirtualClock {
  let now = Temporal.Instant.from(start);
  const sleepers = new Set<Sleeper>();
  const watchers = new Set<() => void>();
  return {
    now: () => now,
    epochMs: () => now.epochMilliseconds,
    steadyMs: () => now.epochMilliseconds,
    sleepUntil(instant, signal) {
      if (signal.aborted || Temporal.Instant.compare(instant, now) <= 0) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper = { at: instant.epochMilliseconds, wake };
        function wake() {
          sleepers.delete(sleeper);
          signal.removeEventListener('abort', wake);
          resolve();
        }
        sleepers.add(sleeper);
        for (const watch of watchers) watch();
        signal.addEventListener('abort', wake);
      });
    },
    untilAsleep(count) {
      return new Promise((resolve) => {
        const watch = () => {
          if (sleepers.size < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      });
    },
    advance(duration) {
      now = now.add(duration);
      for (const sleeper of sleepers) if (sleeper.at <= now.epochMilliseconds) sleeper.wake();
    },
  };
}
