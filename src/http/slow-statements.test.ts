import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { createTestDatabase } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

let cuebird: TestCuebird;
let dana: TestPerson;
let owner: Client;
beforeAll(async () => {
  const database = await createTestDatabase();
  cuebird = await startTestCuebird({ database, env: { DATABASE_URL: `${database.url}?query_timeout=2000` } });
  dana = await cuebird.signUp('Dana');
  owner = await connectOwner(database.url);
});
afterAll(async () => {
  await owner.end();
  await cuebird.stop();
});

it('a statement that takes too long is refused in plain words, with the time after which to try again', async () => {
  const workspace = await dana.createWorkspace('Elm Street');
  const count = () => dana.call('POST', '/api/audience/count', { workspace, body: { audience: { everyone: true } } });
  await owner.query('begin; lock table contacts in access exclusive mode');
  const refused = await count();
  await owner.query('rollback');
  expect([refused.status, refused.headers.get('retry-after'), refused.json.error]).toEqual([
    503,
    '60',
    {
      code: 'unavailable',
      message: 'This took too long and was stopped. Try again in a minute, or ask for less at a time.',
      request_id: expect.any(String),
    },
  ]);
  expect((await count()).json).toMatchObject({ people: 0 });
});
