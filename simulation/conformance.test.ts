import type { Client } from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Database, openDatabase } from '#platform/database.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { sample } from '#testing/sample.ts';
import { takeSteps } from '#simulation/conformance-steps.ts';
import { replayed } from '#simulation/replay.ts';

const all = Array.from({ length: 36 }, (_, at) => at + 1);
const seeds = sample.draw(all, { name: 'steps of the model', count: 8 });
const steps = 50;

describe.skipIf(replayed !== null)('the model of the database', () => {
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

  it.each(seeds)('returns and stores the same as PostgreSQL, whatever the input (seed %i)', (seed) =>
    takeSteps({ owner, database }, { seed, steps }),
  );
});
