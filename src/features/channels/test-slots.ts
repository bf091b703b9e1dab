import { RateLimited } from '#platform/errors.ts';

export type TestSlots = { take<T>(workspaceId: string, work: () => Promise<T>): Promise<T> };

/** Limits the concurrent tests of each workspace in this process; a test over the limit is refused. */
export function createTestSlots(max: number): TestSlots {
  const taken = new Map<string, number>();
  return {
    async take(workspaceId, work) {
      const before = taken.get(workspaceId) ?? 0;
      if (before >= max)
        throw new RateLimited(`${before} tests of this workspace are still under way. Wait for one of them to end.`, {
          retryAfterSeconds: 10,
        });
      taken.set(workspaceId, before + 1);
      try {
        return await work();
      } finally {
        const left = (taken.get(workspaceId) ?? 1) - 1;
        if (left === 0) taken.delete(workspaceId);
        else taken.set(workspaceId, left);
      }
    },
  };
}
