import type { Pool } from 'pg';
import type { EngineStore } from '#engine/store.ts';
import { openAttempts } from './attempts.ts';
import { openQueue } from './claims.ts';
import { openLeases } from './leases.ts';
import { openOccurrences } from './occurrences.ts';
import { openRateLimits } from './rate-limits.ts';
import { openResults } from './results.ts';

/**
 * The engine's store in PostgreSQL. Its pool pipelines: statements that do not depend on each other are sent together,
 * and the commit is sent before they are answered.
 */
export const createPostgresStore = (pool: Pool): EngineStore => ({
  ...openQueue(pool),
  ...openAttempts(pool),
  ...openRateLimits(pool),
  ...openLeases(pool),
  ...openResults(pool),
  ...openOccurrences(pool),
});
