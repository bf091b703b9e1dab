import type { DatabaseRole } from '#platform/roles.ts';

/** What a process may have without a setting, and the bounds of that. */
export const connectionBounds = { default: 44, least: 24, most: 400 } as const;

/** A listening connection in each of two threads, and two of a nightly backup. */
const besidePools = 4;
const threads = 2;

/** The most connections of each pool of a thread. */
export type PoolSizes = Record<DatabaseRole, number>;

/**
 * Divides the connections of a process between the pools of its threads. The engine keeps its six, of which it holds up to three while it claims; requests
 * and sign-in have the rest.
 */
export function poolSizesOf(connections: number): PoolSizes {
  const ofThread = Math.floor((connections - besidePools) / threads);
  const engine = Math.max(6, Math.floor(ofThread * 0.3));
  const auth = Math.max(2, Math.floor(ofThread * 0.2));
  return { app: ofThread - engine - auth, engine, auth };
}

export const defaultPoolSizes = poolSizesOf(connectionBounds.default);
