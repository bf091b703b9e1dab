import type { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type Database, openDatabase } from '#platform/database.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { openPostgresBackend } from '#simulation/postgres-backend.ts';
import { describeSeeds } from '#simulation/seeds.ts';

let test: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
let owner: Client;
beforeAll(async () => {
  test = await createTestDatabase();
  database = openDatabase(test.url, { encryptionKey: TEST_ENCRYPTION_KEY });
  owner = await connectOwner(test.url);
});
afterAll(async () => {
  await owner.end();
  await database.close();
  await test.drop();
});

/** Seeds in which each required event happens several times. */
const seeds = Array.from({ length: 20 }, (_, at) => 767 + at);

describeSeeds('the promises of a delivery, on PostgreSQL', {
  seeds,
  chunk: 2,
  backend: (...args) => openPostgresBackend({ owner, database })(...args),
});
