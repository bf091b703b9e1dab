import { LRUCache } from 'lru-cache';

const minuteMs = 60_000;

/** From this many endings within a minute on, a workspace is slow for a minute. */
const mostEndings = 3;

type Used = { ms: number; at: number; endings: number[] };

/** The thread time that workspaces used in about the last minute. */
export type Usage = {
  /** Decreases to a tenth within a minute. */
  usedMs(workspaceId: string): number;
  /** Whether so many of its texts had to be ended that others must not wait for more of them. */
  isSlow(workspaceId: string): boolean;
  record(workspaceId: string, used: { ms: number; ended: boolean }): void;
};

export function createUsage(now: () => number): Usage {
  const all = new LRUCache<string, Used>({ max: 10_000 });

  function usedMs(workspaceId: string): number {
    const used = all.get(workspaceId);
    return used === undefined ? 0 : used.ms * 10 ** ((used.at - now()) / minuteMs);
  }

  return {
    usedMs,
    isSlow(workspaceId) {
      const endings = all.get(workspaceId)?.endings ?? [];
      const last = endings.at(-1);
      return endings.length >= mostEndings && last !== undefined && now() - last < minuteMs;
    },
    record(workspaceId, { ms, ended }) {
      const at = now();
      const before = all.get(workspaceId)?.endings ?? [];
      const endings = ended ? [...before.filter((each) => at - each < minuteMs), at].slice(-mostEndings) : before;
      all.set(workspaceId, { ms: usedMs(workspaceId) + ms, at, endings });
    },
  };
}
