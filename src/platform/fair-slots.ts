import { RateLimited } from '#platform/errors.ts';

export type FairSlotLimits = {
  /** The most that runs at a time. */
  ofAll: number;
  /** The most that runs at a time of one sharer. */
  ofSharer: number;
  /** The most that waits of one sharer. */
  waitingOfSharer: number;
};

/**
 * Slots that many share. `sharers` says by whom the work is counted, such as its workspace and its sender. Throws RateLimited when too much of one
 * of them waits.
 */
export type FairSlots = { take<T>(sharers: readonly string[], work: () => Promise<T>): Promise<T> };

type Waiting = { sharers: readonly string[]; begin: () => void };

/** A free slot goes to the work whose sharers hold the fewest, and among equals to the one that came first. */
export function createFairSlots({ ofAll, ofSharer, waitingOfSharer }: FairSlotLimits): FairSlots {
  const running = new Map<string, number>();
  const waits = new Map<string, number>();
  const line = new Set<Waiting>();
  let all = 0;

  /** How much of the busiest of these runs. */
  const runningOf = (sharers: readonly string[]) => Math.max(0, ...sharers.map((sharer) => running.get(sharer) ?? 0));

  function begin(sharers: readonly string[]): void {
    all += 1;
    for (const sharer of sharers) count(running, sharer, 1);
  }

  function end(sharers: readonly string[]): void {
    all -= 1;
    for (const sharer of sharers) count(running, sharer, -1);
    for (let next = nextInLine(); next !== null; next = nextInLine()) {
      line.delete(next);
      for (const sharer of next.sharers) count(waits, sharer, -1);
      begin(next.sharers);
      next.begin();
    }
  }

  function nextInLine(): Waiting | null {
    if (all >= ofAll) return null;
    let best: Waiting | null = null;
    let fewest = ofSharer;
    for (const waiting of line) {
      const now = runningOf(waiting.sharers);
      if (now < fewest) [best, fewest] = [waiting, now];
      if (fewest === 0) break;
    }
    return best;
  }

  function waitInLine(sharers: readonly string[]): Promise<void> {
    if (sharers.some((sharer) => (waits.get(sharer) ?? 0) >= waitingOfSharer))
      throw new RateLimited('Too many requests of yours are waiting.', { retryAfterSeconds: 5 });
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const sharer of sharers) count(waits, sharer, 1);
    line.add({ sharers, begin: resolve });
    return promise;
  }

  return {
    async take(sharers, work) {
      if (all < ofAll && runningOf(sharers) < ofSharer) begin(sharers);
      else await waitInLine(sharers);
      try {
        return await work();
      } finally {
        end(sharers);
      }
    },
  };
}

/** Adds to a count, which is forgotten at zero. */
function count(counts: Map<string, number>, of: string, by: 1 | -1): void {
  const now = (counts.get(of) ?? 0) + by;
  if (now === 0) counts.delete(of);
  else counts.set(of, now);
}
