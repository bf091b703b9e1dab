import { RateLimited } from '#platform/errors.ts';

export type Places = { take<T>(workspaceId: string, work: () => Promise<T>): Promise<T> };

/** So many at once for each workspace in this process; whoever is one too many is refused instead of waiting. */
export function createPlaces(max: number): Places {
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
