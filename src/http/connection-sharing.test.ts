import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { addMember, connectOwner } from '#testing/owner.ts';
import { insertThings } from '#testing/sample-rows.ts';

describe('connections to the database, in two processes on one', () => {
  let one: TestCuebird;
  let other: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    one = await startTestCuebird({ hasLimits: true });
    other = await startTestCuebird({ hasLimits: true, env: { DATABASE_URL: one.databaseUrl } });
    database = await connectOwner(one.databaseUrl);
  });
  beforeEach(async () => {
    await database.query('delete from request_counts');
    dana = await one.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(async () => {
    await database.end();
    await other.stop();
    await one.stop();
  });

  it('are left to others by the requests of one person', async () => {
    const erin = await one.signUp('Erin');
    const elsewhere = await erin.createWorkspace('Oak Lane');
    await database.query('begin');
    await database.query('lock table templates in access exclusive mode');
    const slow = Promise.all(Array.from({ length: 40 }, () => dana.call('GET', '/api/templates', { workspace })));
    try {
      expect((await erin.call('GET', '/api/contacts', { workspace: elsewhere })).status).toBe(200);
    } finally {
      await database.query('commit');
    }
    for (const { status } of await slow) expect(status).toBe(200);
  });

  it('are left to others by wrong keys from one address', async () => {
    const { json } = await dana.call('POST', '/api/api-keys', { workspace, body: { name: 'CRM', scopes: ['read'] } });
    const wrong = `${json.key.slice(0, -4)}AAAA`;
    await database.query('begin');
    await database.query('lock table api_keys in access exclusive mode');
    const headers = { authorization: `Bearer ${wrong}` };
    const flood = Promise.all(
      Array.from({ length: 40 }, () =>
        fetch(new URL('/api/contacts', one.url), { headers }).then(({ status }) => status),
      ),
    );
    try {
      expect((await dana.call('GET', '/api/contacts', { workspace })).status).toBe(200);
    } finally {
      await database.query('commit');
    }
    expect(new Set(await flood)).toEqual(new Set([401]));
  });

  /** Asks for templates, which wait meanwhile, and what somebody of another workspace gets. */
  async function besideWaiting(askers: (() => Promise<number>)[], times: number): Promise<void> {
    const erin = await one.signUp('Erin');
    const elsewhere = await erin.createWorkspace('Oak Lane');
    for (const ask of askers) expect(await ask()).toBe(200);
    await database.query('begin');
    await database.query('lock table templates in access exclusive mode');
    const slow = Promise.all(askers.flatMap((ask) => Array.from({ length: times }, ask)));
    try {
      expect((await erin.call('GET', '/api/contacts', { workspace: elsewhere })).status).toBe(200);
    } finally {
      await database.query('commit');
    }
    expect(new Set(await slow)).toEqual(new Set([200]));
  }

  async function keyOf(of: string): Promise<() => Promise<number>> {
    const { json } = await dana.call('POST', '/api/api-keys', {
      workspace: of,
      body: { name: 'CRM', scopes: ['read'] },
    });
    const headers = { authorization: `Bearer ${json.key}` };
    return async () => (await fetch(new URL('/api/templates', one.url), { headers })).status;
  }

  it('are left to others by members and keys of one workspace together', async () => {
    const ben = await one.signUp('Ben');
    await addMember(database, { workspace, userId: ben.userId, role: 'member' });
    const byPerson = [dana, ben].map(
      (person) => async () => (await person.call('GET', '/api/templates', { workspace })).status,
    );
    await besideWaiting([...byPerson, await keyOf(workspace)], 12);
  });

  it('are left to others by keys of several workspaces of one person', async () => {
    const workspaces = [workspace, await dana.createWorkspace('Oak Lane'), await dana.createWorkspace('Ash Court')];
    const keys: (() => Promise<number>)[] = [];
    for (const of of workspaces) keys.push(await keyOf(of));
    await besideWaiting(keys, 12);
  });

  it('are given back by whoever waits for a lock of another request for five seconds, who is told to come back', async () => {
    await database.query('begin');
    await database.query("select pg_advisory_xact_lock(hashtextextended('contacts ' || $1, 3))", [workspace]);
    const body = { name: 'Ann', email: 'ann@example.com' };
    const { status, headers, json } = await dana.call('POST', '/api/contacts', { workspace, body });
    await database.query('commit');
    expect([status, headers.get('retry-after'), json.error.message]).toEqual([
      503,
      '5',
      'Another request is changing the same things, such as an import of contacts. Nothing was changed. Try again in a few seconds.',
    ]);
    expect((await dana.call('POST', '/api/contacts', { workspace, body })).status).toBe(201);
  });

  describe('are left to others by strangers, however many call', () => {
    const inWorkspace = async (path: string, body: object) => (await dana.call('POST', path, { workspace, body })).json;
    /** What takes connections without an account, and the table that all of these wait for. */
    const addresses: [string, string, () => Promise<[string, RequestInit?]>][] = [
      [
        'a hook',
        'reminders',
        async () => {
          const { hookedReminder } = await insertThings(database, { workspace, userId: dana.userId });
          const { json } = await dana.call('GET', `/api/reminders/${hookedReminder}/hook`, { workspace });
          return [new URL(json.url).pathname, { method: 'POST' }];
        },
      ],
      [
        'the callbacks of a channel',
        'channels',
        async () => {
          const configuration = { smtp_host: '127.0.0.1', smtp_port: 2, username: 'a@elm.example', use_tls: false };
          const { callback_url: url } = await inWorkspace('/api/channels', {
            name: 'Mail',
            type: 'email',
            configuration,
          });
          return [new URL(url).pathname, { method: 'POST', body: 'From: nobody' }];
        },
      ],
      [
        'a calendar feed',
        'calendar_feeds',
        async () => [new URL((await inWorkspace('/api/calendar-feeds', { shows: 'own' })).url).pathname],
      ],
      [
        'a link to unsubscribe',
        'suppressions',
        async () => {
          const tokens = createUnsubscribeTokens(createSecretBox(TEST_ENCRYPTION_KEY));
          const token = tokens.seal({
            stops: 'messages',
            workspaceId: workspace,
            channel: 'email',
            recipient: 'ann@example.com',
          });
          return [`/api/unsubscribe/${token}`, { method: 'POST' }];
        },
      ],
      ['an invitation', 'workspace_invitations', async () => [`/api/invitations/${'a'.repeat(64)}`]],
      [
        'sign-in',
        'request_counts',
        async () => [
          '/api/auth/sign-in/email',
          {
            method: 'POST',
            headers: { 'content-type': 'application/json', origin: other.url },
            body: JSON.stringify({ email: 'nobody@example.com', password: 'correct horse' }),
          },
        ],
      ],
    ];

    it.each(addresses)('%s', async (_, table, address) => {
      const [path, init] = await address();
      await database.query('begin');
      await database.query(`lock table ${table} in access exclusive mode`);
      const flood = Promise.all(
        Array.from({ length: 40 }, async () => (await fetch(new URL(path, other.url), init)).status),
      );
      try {
        // Waits until the flood has all connections that it can have. The other process does not know this session yet.
        await expect.poll(async () => (await waitingFor(table)) > 0).toBe(true);
        const headers = { cookie: dana.cookie, 'x-workspace-id': workspace };
        expect((await fetch(new URL('/api/contacts', other.url), { headers })).status).toBe(200);
      } finally {
        await database.query('commit');
      }
      expect((await flood).filter((status) => status >= 500)).toEqual([]);
    });

    const waitingFor = async (table: string): Promise<number> => {
      const { rows } = await database.query(
        'select count(*)::int as count from pg_locks where not granted and relation = $1::regclass',
        [table],
      );
      return rows[0].count;
    };
  });
});
