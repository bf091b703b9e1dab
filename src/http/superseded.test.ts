import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

let cuebird: TestCuebird;
let dana: TestPerson;
let workspace: string;
beforeAll(async () => {
  cuebird = await startTestCuebird();
  dana = await cuebird.signUp('Dana');
  workspace = await dana.createWorkspace('Elm Street');
});
afterAll(() => cuebird.stop());

it('an older process beside a database that a newer version has migrated says so, and not that something went wrong', async () => {
  const { owner } = cuebird;
  const list = () => dana.call('GET', '/api/templates', { workspace });
  expect((await list()).status).toBe(200);
  await owner.query('alter table templates rename column description to words');
  expect((await list()).status, 'a fault of its own').toBe(500);
  await owner.query("insert into schema_migrations (name, hash) values ('9999_from_the_future.sql', 'x')");
  await owner.query('notify cuebird_schema');
  await expect.poll(async () => (await list()).status).toBe(503);
  const { headers, json } = await list();
  expect(headers.get('retry-after')).toBe('60');
  expect(json.error).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('A newer version of Cuebird has taken over its database'),
  });
});
