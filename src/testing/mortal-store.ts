import type { EngineStore } from '#engine/store.ts';

/** The store of a worker that a test can kill: after that, no call of the worker reaches the database. */
export function createMortalStore(store: EngineStore): { store: EngineStore; isAlive(): boolean; kill(): void } {
  let isAlive = true;
  const never = new Promise<never>(() => {});
  const mortal = new Proxy(store, {
    get(target, verb: keyof EngineStore) {
      const call = target[verb] as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        if (!isAlive) return never;
        const answer = await call(...args);
        return isAlive ? answer : never;
      };
    },
  });
  return { store: mortal, isAlive: () => isAlive, kill: () => (isAlive = false) };
}
