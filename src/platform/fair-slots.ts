import { RateLimited } from '#platform/errors.ts';

/** By whom work is counted: each kind has a bound of its own. `strangers` are all who are not known, together. */
export type SharerKind = 'person' | 'workspace' | 'address' | 'strangers';
export type Sharers = Partial<Record<SharerKind, string>>;

export type FairSlotLimits = {
  /** The most that runs at a time. */
  ofAll: number;
  /** The most that runs at a time of one sharer of a kind. */
  of: Readonly<Record<SharerKind, number>>;
  /** The most that waits of one sharer, and of all strangers together five times that. */
  waitingOfSharer: number;
};

/** Slots that many share. */
export type FairSlots = {
  /** Throws RateLimited when too much of a sharer waits. */
  take<T>(sharers: Sharers, work: () => Promise<T>): Promise<T>;
  /**
   * Waits for a slot, which the returned function gives back. Throws as `take` does, and what `late` returns after `mostMs`.
   */
  begin(sharers: Sharers, patience: { mostMs: number; late: () => Error }): Promise<() => void>;
  waiting(): number;
};

type Sharer = { key: string; most: number; mostWaiting: number };
type Waiting = { sharers: readonly Sharer[]; begin: () => void };

/** A free slot goes to the work whose sharers use the fewest, and among equals to the one that came first. */
export function createFairSlots({ ofAll, of, waitingOfSharer }: FairSlotLimits): FairSlots {
  const running = new Map<string, number>();
  const waits = new Map<string, number>();
  const line = new Set<Waiting>();
  let all = 0;

  const sharersOf = (sharers: Sharers): Sharer[] =>
    kinds.flatMap((kind) => {
      const id = sharers[kind];
      if (id === undefined) return [];
      const mostWaiting = kind === 'strangers' ? 5 * waitingOfSharer : waitingOfSharer;
      return [{ key: `${kind} ${id}`, most: of[kind], mostWaiting }];
    });

  const runningOf = ({ key }: Sharer) => running.get(key) ?? 0;
  const isFree = (sharers: readonly Sharer[]) =>
    all < ofAll && sharers.every((sharer) => runningOf(sharer) < sharer.most);

  /** How much of the busiest of these runs, and how much of all: strangers share one bound, and of them who uses the least is next. */
  function loadOf(sharers: readonly Sharer[]): number {
    const used = sharers.map(runningOf);
    return Math.max(0, ...used) * 1_000 + used.reduce((sum, each) => sum + each, 0);
  }

  function start(sharers: readonly Sharer[]): () => void {
    all += 1;
    for (const { key } of sharers) count(running, key, 1);
    return () => end(sharers);
  }

  function end(sharers: readonly Sharer[]): void {
    all -= 1;
    for (const { key } of sharers) count(running, key, -1);
    for (let next = nextInLine(); next !== null; next = nextInLine()) next.begin();
  }

  function nextInLine(): Waiting | null {
    let best: Waiting | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    if (all >= ofAll) return null;
    for (const waiting of line) {
      const used = loadOf(waiting.sharers);
      if (used < fewest && isFree(waiting.sharers)) [best, fewest] = [waiting, used];
      if (fewest === 0) break;
    }
    return best;
  }

  async function begin(named: Sharers, patience: { mostMs: number; late: () => Error } | null): Promise<() => void> {
    const sharers = sharersOf(named);
    if (isFree(sharers)) return start(sharers);
    if (sharers.some(({ key, mostWaiting }) => (waits.get(key) ?? 0) >= mostWaiting))
      throw new RateLimited('Too many requests of yours are waiting.', { retryAfterSeconds: 5 });
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const leave = () => {
      clearTimeout(timer);
      line.delete(waiting);
      for (const { key } of sharers) count(waits, key, -1);
    };
    const waiting: Waiting = {
      sharers,
      begin: () => {
        leave();
        resolve(start(sharers));
      },
    };
    const timer =
      patience === null
        ? undefined
        : setTimeout(() => {
            leave();
            reject(patience.late());
          }, patience.mostMs);
    for (const { key } of sharers) count(waits, key, 1);
    line.add(waiting);
    return promise;
  }

  return {
    async take(sharers, work) {
      const release = await begin(sharers, null);
      try {
        return await work();
      } finally {
        release();
      }
    },
    begin,
    waiting: () => line.size,
  };
}

const kinds: readonly SharerKind[] = ['person', 'workspace', 'address', 'strangers'];

/** Adds to a count, which is forgotten at zero. */
function count(counts: Map<string, number>, of: string, by: 1 | -1): void {
  const now = (counts.get(of) ?? 0) + by;
  if (now === 0) counts.delete(of);
  else counts.set(of, now);
}
