import type { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type Database, openDatabase } from '#platform/database.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { openPostgresGround } from '#testing/simulation/postgres-ground.ts';
import { describeSeeds } from '#testing/simulation/seeds.ts';

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

// Neighbours among whom each of what must happen does so several times.
describeSeeds('the promises of a delivery, on PostgreSQL', {
  from: 767,
  to: 786,
  chunk: 2,
  ground: (...args) => openPostgresGround({ owner, database })(...args),
});
