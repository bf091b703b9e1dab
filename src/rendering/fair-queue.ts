/**
 * Waiting work of many workspaces, one at a time for each. The workspace with the least usage is next, then the one
 * with the least waiting work, then round robin.
 */
export type FairQueue<T> = {
  /** How much work waits, for one workspace or for all. */
  waiting(workspaceId?: string): number;
  /** Whether a workspace has work waiting or under way. */
  has(workspaceId: string): boolean;
  add(workspaceId: string, work: T): void;
  /** The next work of a workspace that has none under way. The workspace then has work under way until `done`. */
  take(): { workspaceId: string; work: T } | undefined;
  done(workspaceId: string): void;
  /** Removes and returns all waiting work. */
  clear(): T[];
};

export function createFairQueue<T>(usedBy: (workspaceId: string) => number): FairQueue<T> {
  // The workspaces' queues, in the order of their next turn.
  const queues = new Map<string, T[]>();
  const running = new Set<string>();
  let all = 0;

  function next(): string | undefined {
    let first: { workspaceId: string; used: number; waiting: number } | undefined;
    for (const [workspaceId, { length: waiting }] of queues) {
      if (running.has(workspaceId)) continue;
      const used = usedBy(workspaceId);
      if (first === undefined || used < first.used || (used === first.used && waiting < first.waiting))
        first = { workspaceId, used, waiting };
    }
    return first?.workspaceId;
  }

  return {
    waiting: (workspaceId) => (workspaceId === undefined ? all : (queues.get(workspaceId)?.length ?? 0)),
    has: (workspaceId) => queues.has(workspaceId) || running.has(workspaceId),
    add(workspaceId, work) {
      all += 1;
      const queue = queues.get(workspaceId);
      if (queue === undefined) queues.set(workspaceId, [work]);
      else queue.push(work);
    },
    take() {
      const workspaceId = next();
      if (workspaceId === undefined) return undefined;
      const queue = queues.get(workspaceId);
      const work = queue?.shift();
      if (queue === undefined || work === undefined) return undefined;
      if (queue.length === 0) queues.delete(workspaceId);
      running.add(workspaceId);
      all -= 1;
      return { workspaceId, work };
    },
    done(workspaceId) {
      running.delete(workspaceId);
      // A workspace that was just served goes behind those that came meanwhile.
      const queue = queues.get(workspaceId);
      if (queue === undefined) return;
      queues.delete(workspaceId);
      queues.set(workspaceId, queue);
    },
    clear() {
      const left = [...queues.values()].flat();
      queues.clear();
      all = 0;
      return left;
    },
  };
}
