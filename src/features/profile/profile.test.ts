import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { connectOwner } from '#testing/owner.ts';
import { samplePicture } from '#testing/sample-picture.ts';

describe('a profile', () => {
  let one: TestCuebird;
  let other: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  beforeAll(async () => {
    one = await startTestCuebird({ env: { DEMO: 'on' } });
    other = await startTestCuebird({ env: { DATABASE_URL: one.databaseUrl } });
    database = await connectOwner(one.databaseUrl);
    dana = await one.signUp('Dana');
  });
  afterAll(async () => {
    await database.end();
    await other.stop();
    await one.stop();
  });

  it('begins with a name, no zone, and all mails', async () => {
    const erin = await one.signUp('Erin');
    const { json } = await erin.call('GET', '/api/profile');
    expect(json).toEqual({
      id: erin.userId,
      email: erin.email,
      full_name: 'Erin',
      avatar_url: null,
      time_zone: null,
      notifications: { missed: true, over_plan: true },
      is_demo: false,
      created_at: expect.any(String),
    });
  });

  it('changes what a request names, and nothing else', async () => {
    await dana.call('PATCH', '/api/profile', { body: { full_name: ' Dana Lee ', time_zone: 'europe/berlin' } });
    const { json } = await dana.call('PATCH', '/api/profile', { body: { notifications: { over_plan: false } } });
    expect(json).toMatchObject({
      full_name: 'Dana Lee',
      time_zone: 'Europe/Berlin',
      notifications: { missed: true, over_plan: false },
    });
    expect((await dana.call('PATCH', '/api/profile', { body: { time_zone: null } })).json.time_zone).toBeNull();
  });

  it('shows a new name at once in the other process', async () => {
    const call = (path: string) => fetch(`${other.url}${path}`, { headers: { cookie: dana.cookie } });
    await (await call('/api/profile')).json();
    await dana.call('PATCH', '/api/profile', { body: { full_name: 'Dana Moss' } });
    expect(await (await call('/api/auth/get-session')).json()).toMatchObject({ user: { name: 'Dana Moss' } });
    expect(await (await call('/api/profile')).json()).toMatchObject({ full_name: 'Dana Moss' });
  });

  it.each([
    [{ full_name: '  ' }, 'full_name', 'Enter your name'],
    [{ full_name: 'x'.repeat(201) }, 'full_name', 'must be at most 200 characters'],
    [{ full_name: 'Da\u202ena' }, 'full_name', expect.any(String)],
    [{ time_zone: '+01:00' }, 'time_zone', 'is not a known timezone, for example Europe/Berlin'],
    [{ time_zone: 'Elm/Street' }, 'time_zone', 'is not a known timezone, for example Europe/Berlin'],
    [{ notifications: { missed: 'no' } }, 'notifications.missed', expect.any(String)],
    [{ email: 'x@example.com' }, 'email', expect.any(String)],
    [{ is_system_admin: true }, 'is_system_admin', 'is not a known field'],
  ])('refuses %o', async (body, path, message) => {
    const { status, json } = await dana.call('PATCH', '/api/profile', { body });
    expect(status).toBe(400);
    expect(json.error.fields).toMatchObject([{ path, message }]);
  });

  it('of the demo stays as it is, and says why', async () => {
    const entered = await fetch(one.links.demo ?? '', { method: 'POST', redirect: 'manual' });
    const cookie = entered.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const demo = (method: string, path: string, body?: object) =>
      dana.call(method, path, { body, headers: { cookie } });
    expect((await demo('GET', '/api/profile')).json.is_demo).toBe(true);
    for (const [method, path, body] of [
      ['PATCH', '/api/profile', { full_name: 'Somebody' }],
      ['PUT', '/api/profile/picture', { picture: samplePicture.dataUrl }],
      ['DELETE', '/api/profile/picture', undefined],
    ] as const) {
      const { status, json } = await demo(method, path, body);
      expect(status).toBe(403);
      expect(json.error.message).toContain('A demo account cannot be changed or deleted');
    }
  });

  it('is changed by its own person only, whatever a request tries in SQL', async () => {
    const erin = await one.signUp('Erin');
    const client = await one.database.appPool.connect();
    try {
      await client.query('begin');
      await client.query("select set_config('app.user_id', $1, true)", [dana.userId]);
      const changed = await client.query("update profiles set full_name = 'Taken' where id = $1", [erin.userId]);
      const deleted = await client.query('delete from profiles where id = $1', [erin.userId]);
      expect([changed.rowCount, deleted.rowCount]).toEqual([0, 0]);
      await expect(client.query('update profiles set is_system_admin = true')).rejects.toThrow(/permission denied/);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
