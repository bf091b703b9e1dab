import type { Pool } from 'pg';
import type { EngineStore } from '#engine/store.ts';
import { openAttempts } from './attempts.ts';
import { openQueue } from './claims.ts';
import { openLeases } from './leases.ts';
import { openOccurrences } from './occurrences.ts';
import { openPaces } from './paces.ts';
import { openResults } from './results.ts';

/**
 * The engine's database. Its pool pipelines: what needs nobody's answer first is sent together, and a commit goes out
 * behind its statements before they are answered.
 */
export const createPostgresStore = (pool: Pool): EngineStore => ({
  ...openQueue(pool),
  ...openAttempts(pool),
  ...openPaces(pool),
  ...openLeases(pool),
  ...openResults(pool),
  ...openOccurrences(pool),
});
