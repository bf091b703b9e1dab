import type { Pool } from 'pg';
import type { EngineStore } from '#engine/store.ts';
import { attemptOperations } from './attempts.ts';
import { queueOperations } from './queue.ts';
import { leaseOperations } from './leases.ts';
import { occurrenceOperations } from './occurrences.ts';
import { rateLimitOperations } from './rate-limits.ts';
import { resultOperations } from './results.ts';

/**
 * The engine's store in PostgreSQL. Its pool pipelines: statements that do not depend on each other are sent together,
 * and the commit is sent before they are answered.
 */
export const createPostgresStore = (pool: Pool): EngineStore => ({
  ...queueOperations(pool),
  ...attemptOperations(pool),
  ...rateLimitOperations(pool),
  ...leaseOperations(pool),
  ...resultOperations(pool),
  ...occurrenceOperations(pool),
});
