import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createTestDatabase } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

it('a second workspace is beyond the plan also where the owner of the database is no superuser', async () => {
  // Makes the groups and logins.
  const { drop } = await createTestDatabase();
  const admin = await connectOwner(inject('postgresUrl'));
  const name = `plans_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create role ${name} login password 'owner'`);
  await admin.query(`create database ${name} owner ${name}`);
  const url = new URL(`/${name}`, inject('postgresUrl'));
  const superuser = url.href;
  Object.assign(url, { username: name, password: 'owner' });
  const cuebird = await startTestCuebird({
    env: { BILLING: 'sandbox' },
    database: { url: url.href, drop: () => admin.query(`drop database ${name} with (force)`).then(() => undefined) },
  });
  const dana = await cuebird.signUp('Dana');
  await dana.createWorkspace('Elm Street');
  const second = await dana.createWorkspace('Oak Lane');
  const seesAll = await connectOwner(superuser);
  await seesAll.query("update profiles set trial_ends_at = now() - interval '1 second'");
  await seesAll.query("update workspaces set trial_ends_at = now() - interval '1 second'");
  await seesAll.end();
  expect((await dana.call('GET', '/api/billing', { workspace: second })).json).toMatchObject({ is_beyond_plan: true });
  await cuebird.stop();
  await admin.query(`drop role ${name}`);
  await admin.end();
  await drop();
});

describe('how many workspaces of a person may send', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let first: string;
  let second: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { BILLING: 'sandbox' } });
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    dana = await cuebird.signUp('Dana');
    first = await dana.createWorkspace('Elm Street');
    second = await dana.createWorkspace('Oak Lane');
  });

  const endTrial = () =>
    cuebird.owner.query(
      `with ended as (update profiles set trial_ends_at = now() - interval '1 second' where id = $1)
       update workspaces set trial_ends_at = now() - interval '1 second' where id = any ($2)`,
      [dana.userId, [first, second]],
    );
  const setTier = (workspace: string, tier: string) =>
    cuebird.owner.query('update workspaces set subscription_tier = $2 where id = $1', [workspace, tier]);
  const start = (workspace: string) =>
    dana.call('POST', '/api/reminders', { workspace, body: { ...sampleReminder, status: 'active' } });
  const another = () => dana.call('POST', '/api/workspaces', { body: { name: 'Birch Road' } });

  it('is any number during the trial, which a further workspace does not renew', async () => {
    expect((await start(second)).status).toBe(201);
    const { rows } = await cuebird.owner.query<{ ends: Date }>(
      'select distinct trial_ends_at as ends from workspaces where id = any ($1)',
      [[first, second]],
    );
    expect(rows).toHaveLength(1);
    await endTrial();
    expect((await another()).json.error).toMatchObject({
      code: 'plan_limit',
      message: 'The Free plan includes one workspace. Subscribe to Premium for more.',
    });
  });

  it('is one after it: the oldest, and the others keep what they have without starting anything', async () => {
    await endTrial();
    expect((await start(first)).status).toBe(201);
    const refused = await start(second);
    expect(refused).toMatchObject({ status: 403, json: { error: { code: 'plan_limit' } } });
    expect(refused.json.error.message).toBe(
      'The Free plan includes one workspace, and its owner has another. Subscribe to Premium for more.',
    );
    expect(
      (await dana.call('POST', '/api/reminders', { workspace: second, body: { ...sampleReminder, status: 'draft' } }))
        .status,
    ).toBe(201);
    expect((await dana.call('GET', '/api/billing', { workspace: second })).json).toMatchObject({
      is_beyond_plan: true,
      usage: { limit: 0 },
    });
  });

  it('is the paid one before an older one that is free', async () => {
    await endTrial();
    await setTier(second, 'basic');
    expect((await start(second)).status).toBe(201);
    expect((await start(first)).status).toBe(403);
    expect((await another()).json.error.message).toContain('The Basic plan includes one workspace');
  });

  it.each(['premium', 'enterprise'])('is any number with one of them on %s', async (tier) => {
    await endTrial();
    await setTier(second, tier);
    for (const workspace of [first, second]) expect((await start(workspace)).status).toBe(201);
    expect((await another()).status).toBe(201);
  });

  it('does not count one that is being deleted', async () => {
    await endTrial();
    await cuebird.owner.query("update workspaces set delete_after = now() + interval '1 day' where id = $1", [first]);
    expect((await start(second)).status).toBe(201);
  });
});
