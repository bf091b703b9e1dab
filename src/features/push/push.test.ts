import { createECDH } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPushDevices, openPushKeys } from '#features/push/push-devices.service.ts';
import { startSandbox, type Sandbox } from '#sandbox/sandbox.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { untilFound } from '#testing/changes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { addMember, connectOwner } from '#testing/owner.ts';

const point = createECDH('prime256v1').generateKeys();
const keys = { p256dh: point.toString('base64url'), auth: Buffer.alloc(16, 7).toString('base64url') };
const browser = (name: string) => ({ endpoint: `http://127.0.0.1:2/wpush/${name}`, keys });

describe('push notifications', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const subscribe = (body: object, as = dana, of = workspace) =>
    as.call('POST', '/api/push-browsers', { workspace: of, body });

  const unsubscribe = (endpoint: string, as = dana) =>
    as.call('DELETE', '/api/push-browsers', { workspace, body: { endpoint } });

  const devices = () => createPushDevices(cuebird.database.engine);
  const endpoints = async (of = workspace) => (await devices().of(of)).map(({ endpoint }) => endpoint);

  it('have a key, the same for everybody', async () => {
    const other = await cuebird.signUp('Ben');
    const elsewhere = await other.createWorkspace('Oak Street');
    const { json } = await dana.call('GET', '/api/push-key', { workspace });
    expect(Buffer.from(json.public_key, 'base64url')).toHaveLength(65);
    expect((await other.call('GET', '/api/push-key', { workspace: elsewhere })).json).toEqual(json);
  });

  it.each([
    ['a point that is not on the curve', () => Buffer.concat([point.subarray(0, 64), Buffer.of(point[64]! ^ 1)])],
    ['65 bytes of anything', () => Buffer.alloc(65, 4)],
    ['a point in another form', () => Buffer.concat([Buffer.of(6 + (point[64]! & 1)), point.subarray(1)])],
  ])('do not take %s for the key of a browser', async (_, bytes) => {
    const wrong = { ...keys, p256dh: bytes().toString('base64url') };
    const refused = await subscribe({ ...browser('laptop'), keys: wrong });
    expect([refused.status, refused.json.error.fields]).toEqual([
      400,
      [{ path: 'keys.p256dh', message: 'must be a point of the curve P-256' }],
    ]);
    expect(await endpoints()).toEqual([]);
  });

  it.each([15, 17])('do not take %i bytes for the secret of a browser', async (length) => {
    const wrong = { ...keys, auth: Buffer.alloc(length, 7).toString('base64url') };
    expect((await subscribe({ ...browser('laptop'), keys: wrong })).status).toBe(400);
  });

  it('reach every browser of the workspace that was subscribed, once', async () => {
    const created = await subscribe(browser('laptop'));
    expect(created).toMatchObject({ status: 201, json: { endpoint: browser('laptop').endpoint } });
    await subscribe({ ...browser('laptop'), expirationTime: null });
    const ben = await cuebird.signUp('Ben');
    await addMember(database, { workspace, userId: ben.userId, role: 'member' });
    await subscribe(browser('phone'), ben);
    expect(await endpoints()).toEqual([browser('laptop').endpoint, browser('phone').endpoint]);
    expect(await devices().of(workspace)).toContainEqual({ endpoint: browser('laptop').endpoint, keys });
    expect(await endpoints(await dana.createWorkspace('Oak Street'))).toEqual([]);
  });

  it('end when a browser is unsubscribed or its user is removed', async () => {
    const ben = await cuebird.signUp('Ben');
    await addMember(database, { workspace, userId: ben.userId, role: 'member' });
    await subscribe(browser('laptop'));
    await subscribe(browser('phone'), ben);
    // Another person's browser stays, without an error.
    expect((await unsubscribe(browser('laptop').endpoint, ben)).status).toBe(200);
    expect(await endpoints()).toHaveLength(2);
    expect((await unsubscribe(browser('laptop').endpoint)).status).toBe(200);
    expect(await endpoints()).toEqual([browser('phone').endpoint]);
    await database.query('delete from workspace_members where user_id = $1', [ben.userId]);
    expect(await endpoints()).toEqual([]);
  });

  it('move with a browser to its current user', async () => {
    const ben = await cuebird.signUp('Ben');
    await addMember(database, { workspace, userId: ben.userId, role: 'member' });
    await subscribe(browser('shared'));
    await subscribe(browser('shared'), ben);
    await unsubscribe(browser('shared').endpoint);
    expect(await endpoints()).toHaveLength(1);
    await unsubscribe(browser('shared').endpoint, ben);
    expect(await endpoints()).toEqual([]);
  });

  it('stay with a browser whose address somebody else has read, without its keys', async () => {
    const ben = await cuebird.signUp('Ben');
    await addMember(database, { workspace, userId: ben.userId, role: 'member' });
    await subscribe(browser('laptop'));
    const bensKeys = { ...keys, p256dh: createECDH('prime256v1').generateKeys().toString('base64url') };
    const refused = await subscribe({ ...browser('laptop'), keys: bensKeys }, ben);
    expect([refused.status, refused.json.error.message]).toEqual([
      409,
      'Somebody else has subscribed this browser. Subscribe it anew.',
    ]);
    await unsubscribe(browser('laptop').endpoint, ben);
    expect(await devices().of(workspace)).toEqual([{ endpoint: browser('laptop').endpoint, keys }]);
  });

  it('are sent to the newest twenty browsers of a person', async () => {
    const names = Array.from({ length: 22 }, (_, at) => `b${at}`);
    for (const name of names) await subscribe(browser(name));
    expect(await endpoints()).toEqual(names.slice(2).map((name) => browser(name).endpoint));
  });

  it('are listed for their owner: which browser, since when, and how many there are in all', async () => {
    const ben = await cuebird.signUp('Ben');
    await addMember(database, { workspace, userId: ben.userId, role: 'member' });
    await subscribe(browser('of-ben'), ben);
    await subscribe(browser('phone'));
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/153.0.0.0' };
    await dana.call('POST', '/api/push-browsers', { workspace, body: browser('laptop'), headers });
    const since = { created_at: expect.any(String), last_used_at: null };
    expect((await dana.call('GET', '/api/push-browsers', { workspace })).json).toEqual({
      data: [
        { endpoint: browser('laptop').endpoint, user_agent: headers['user-agent'], ...since },
        { endpoint: browser('phone').endpoint, user_agent: 'node', ...since },
      ],
      browsers: 3,
      members: 2,
    });
  });

  it.each([
    ['session', 'delete from auth_sessions where user_id = $1'],
    ['membership', 'delete from workspace_members where user_id = $1'],
  ])('are refused while the %s is just ending', async (_, end) => {
    const ben = await cuebird.signUp('Ben');
    await addMember(database, { workspace, userId: ben.userId, role: 'member' });
    await database.query('begin');
    await database.query(end, [ben.userId]);
    const asked = subscribe(browser('of-ben'), ben);
    const other = await connectOwner(cuebird.databaseUrl);
    const waiting = async () =>
      (
        await other.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).rowCount;
    await expect.poll(waiting).toBe(1);
    await other.end();
    await database.query('commit');
    const { status, json } = await asked;
    expect(status).toBe(401);
    expect(json.error.message).toMatch(/just been signed out/);
    expect(await endpoints()).toEqual([]);
  });

  describe('and the sessions of their owner', () => {
    /** Signs in once more, in another browser, which subscribes. */
    async function subscribeElsewhere(person: TestPerson, name: string) {
      const signedIn = await fetch(`${cuebird.url}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: cuebird.url },
        body: JSON.stringify({ email: person.email, password: 'correct horse battery' }),
      });
      const cookie = signedIn.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
      const request = { workspace, headers: { cookie } };
      await person.call('POST', '/api/push-browsers', { ...request, body: browser(name) });
      return {
        signOut: () =>
          person.call('POST', '/api/auth/sign-out', { headers: { cookie, origin: cuebird.url }, body: {} }),
      };
    }

    it('end where it is signed out, and stay elsewhere', async () => {
      await subscribe(browser('laptop'));
      const phone = await subscribeElsewhere(dana, 'phone');
      expect(await endpoints()).toHaveLength(2);
      expect((await phone.signOut()).status).toBe(200);
      expect(await endpoints()).toEqual([browser('laptop').endpoint]);
    });

    it('outlast a session that expires, until everything else is signed out', async () => {
      await subscribe(browser('laptop'));
      await subscribeElsewhere(dana, 'phone');
      await database.query(
        `update auth_sessions set expires_at = now() - interval '1 minute'
          where id = (select session_id from push_browsers where workspace_id = $1 and endpoint = $2)`,
        [workspace, browser('phone').endpoint],
      );
      await database.query('delete from auth_sessions where expires_at < now()');
      expect(await endpoints()).toHaveLength(2);
      expect((await dana.call('POST', '/api/account/devices/sign-out-others')).status).toBe(200);
      expect(await endpoints()).toEqual([browser('laptop').endpoint]);
    });

    it('end with every session when the password is reset', async () => {
      const ben = await cuebird.signUp('Ben');
      await addMember(database, { workspace, userId: ben.userId, role: 'member' });
      await subscribe(browser('of-ben'), ben);
      await subscribe(browser('laptop'));
      await database.query('select revoke_access($1)', [ben.userId]);
      expect(await endpoints()).toEqual([browser('laptop').endpoint]);
    });
  });

  it.each([
    ['endpoint', { ...browser('x'), endpoint: 'http://push.example.com/1' }],
    ['endpoint', { ...browser('x'), endpoint: 'http://169.254.169.254/latest' }],
    ['endpoint', { ...browser('x'), endpoint: 'http://10.0.0.5/' }],
    ['endpoint', { ...browser('x'), endpoint: 'push' }],
    ['keys.p256dh', { ...browser('x'), keys: { ...keys, p256dh: 'AAAA' } }],
    ['keys.auth', { ...browser('x'), keys: { ...keys, auth: '?' } }],
  ])('are refused for a wrong %s: %o', async (path, body) => {
    const { status, json } = await subscribe(body);
    expect(status).toBe(400);
    expect(json.error.fields).toEqual([{ path, message: expect.any(String) }]);
    expect(await endpoints()).toEqual([]);
  });

  it('are for people: an API key has no browser', async () => {
    const { json } = await dana.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
    });
    const answer = await fetch(`${cuebird.url}/api/push-browsers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${json.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(browser('x')),
    });
    expect(answer.status).toBe(403);
  });

  describe('of a reminder', () => {
    let services: Sandbox;
    beforeAll(async () => {
      services = await startSandbox({ secret: 'the push services', store: async () => undefined });
    });
    afterAll(() => services.stop());

    async function send() {
      const words = { subject: 'Rent is due', message: 'Pay, please' };
      const { json: reminder } = await dana.call('POST', '/api/reminders', {
        workspace,
        body: {
          name: 'Rent',
          status: 'draft',
          schedule_config: { type: 'scheduled', scheduleType: 'daily', timezone: 'UTC' },
          content: { ...words, recipients: [] },
          metadata: { channels: ['push'] },
        },
      });
      const { json } = await dana.call('POST', `/api/reminders/${reminder.id}/test`, {
        workspace,
        body: { ...words, push: true },
      });
      return untilFound(cuebird.databaseUrl, async () => {
        const { json: ledger } = await dana.call('GET', `/api/jobs/${json.job_id}/deliveries`, { workspace });
        return ledger.data.find(
          ({ channel, status }: { channel: string; status: string }) => channel === 'push' && status !== 'sending',
        );
      });
    }

    async function subscribeAt(name: string) {
      const { json } = await dana.call('GET', '/api/push-key', { workspace });
      const given = services.pushBrowserFor({
        workspaceId: workspace,
        applicationServerKey: json.public_key,
        name,
      });
      expect((await subscribe(given)).status).toBe(201);
      return given.endpoint;
    }

    it('of a test reach only the sender’s own browsers', async () => {
      const ben = await cuebird.signUp('Ben');
      await addMember(database, { workspace, userId: ben.userId, role: 'member' });
      await subscribe(browser('of-ben'), ben);
      await subscribeAt('laptop');
      expect(await send()).toMatchObject({ status: 'accepted', provider_answer: 'accepted for 1 of 1 browsers' });
      expect(await endpoints()).toHaveLength(2);
    });

    it('of a test go to one of the own browsers, and count as its use', async () => {
      const here = await subscribeAt('laptop');
      await subscribeAt('phone');
      const test = (endpoint: string) =>
        dana.call('POST', '/api/push-browsers/test', { workspace, body: { endpoint } });
      expect((await test(here)).json).toEqual({ outcome: 'accepted', message: expect.any(String) });
      const { json } = await dana.call('GET', '/api/push-browsers', { workspace });
      expect(json.data).toMatchObject([{ last_used_at: null }, { endpoint: here, last_used_at: expect.any(String) }]);
      expect((await test(browser('unknown').endpoint)).status).toBe(404);
      const gone = await subscribeAt('gone');
      expect((await test(gone)).json).toMatchObject({ outcome: 'ended' });
      expect(await endpoints()).toHaveLength(2);
    });

    it('are one delivery for all browsers, and those that have expired are deleted', async () => {
      const here = await subscribeAt('laptop');
      await subscribeAt('gone');
      expect(await send()).toMatchObject({
        recipient: 'push',
        status: 'accepted',
        provider: 'web_push',
        provider_answer: 'accepted for 1 of 2 browsers; 1 unsubscribed',
      });
      expect(await endpoints()).toEqual([here]);
    });

    it('are shown in the Inbox when no browser is subscribed', async () => {
      expect(await send()).toMatchObject({ status: 'accepted', provider_answer: 'accepted for 1 of 1 browsers' });
      const { json } = await dana.call('GET', '/api/inbox', { workspace });
      expect(json.data[0]).toMatchObject({ channel: 'push', subject: 'Rent is due', text: 'Pay, please' });
    });
  });

  describe('are signed with keys', () => {
    const engine = () => cuebird.database.engine;
    const stored = async () => {
      const { rows } = await database.query("select value from app_settings where key = 'engine.push_keys'");
      return JSON.stringify(rows[0]?.value);
    };

    it('that are created once and stored encrypted', async () => {
      const secrets = createSecretBox(TEST_ENCRYPTION_KEY);
      const first = await openPushKeys(engine(), secrets);
      expect(await openPushKeys(engine(), secrets)).toEqual(first);
      const { json } = await dana.call('GET', '/api/push-key', { workspace });
      expect(json.public_key).toBe(first.public_key);
      expect(await stored()).not.toContain(first.private_key);
    });

    it('that are the same for processes that start simultaneously', async () => {
      await database.query("delete from app_settings where key = 'engine.push_keys'");
      const secrets = createSecretBox(TEST_ENCRYPTION_KEY);
      const pairs = await Promise.all(Array.from({ length: 6 }, () => openPushKeys(engine(), secrets)));
      expect(new Set(pairs.map(({ public_key }) => public_key)).size).toBe(1);
    });

    it('that are created again with another encryption key', async () => {
      const before = await openPushKeys(engine(), createSecretBox(TEST_ENCRYPTION_KEY));
      const other = createSecretBox('another key of at least 32 characters');
      const after = await openPushKeys(engine(), other);
      expect(after.public_key).not.toBe(before.public_key);
      expect(await openPushKeys(engine(), other)).toEqual(after);
    });
  });
});
