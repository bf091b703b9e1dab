import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '#contract/admin-settings.ts';
import { parseConfig } from '#platform/config.ts';
import { ownMigrations } from '#platform/migrate.ts';
import { authenticatorOf } from '#testing/authenticator.ts';
import { personWith, signUp, startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectRuntime, createRuntimeBase } from '#wiring/runtime.ts';

describe('the settings of the installation', () => {
  let cuebird: TestCuebird;
  /** Another process on the same database. */
  let second: TestCuebird;
  let database: Client;
  let ann: TestPerson;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    second = await anotherProcess();
    database = cuebird.owner;
    ann = await cuebird.signUp('Ann');
    await database.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
  });
  beforeEach(() => change(defaultSettings));
  afterAll(async () => {
    await second.stop();
    await cuebird.stop();
  });

  const anotherProcess = () => startTestCuebird({ env: { DATABASE_URL: cuebird.databaseUrl } });

  async function change(settings: object): Promise<void> {
    const { status, json } = await ann.call('PATCH', '/api/admin/settings', { body: settings });
    expect(status, JSON.stringify(json)).toBe(200);
  }

  /** A request of Dana's, in one process or the other. */
  async function ask(
    path = '/api/workspaces',
    { url = cuebird.url, headers = {} }: { url?: string; headers?: Record<string, string> } = {},
  ) {
    const response = await fetch(`${url}${path}`, { headers: { cookie: dana.cookie, ...headers }, redirect: 'manual' });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** What holds in the process that was asked, in another one, and in one that starts later. */
  async function everywhere(check: (url: string) => Promise<unknown>, expected: unknown): Promise<void> {
    expect(await check(cuebird.url), 'the process that was asked').toEqual(expected);
    await expect.poll(() => check(second.url)).toEqual(expected);
    const restarted = await anotherProcess();
    expect(await check(restarted.url), 'after a restart').toEqual(expected);
    await restarted.stop();
  }

  it('begin as the specification says, and a change of one leaves the others', async () => {
    const read = async () => (await ann.call('GET', '/api/admin/settings')).json;
    expect(await read()).toEqual({
      maintenanceMode: false,
      debugLogging: false,
      autoBackups: true,
      twoFactorAuth: true,
      apiRateLimit: true,
      sessionTimeout: true,
      apiRequestsPerHour: null,
    });
    await change({ apiRequestsPerHour: 50 });
    await change({ debugLogging: true });
    expect(await read()).toEqual({ ...defaultSettings, apiRequestsPerHour: 50, debugLogging: true });
  });

  it.each([{}, { maintenance: true }, { debugLogging: 'on' }, { apiRequestsPerHour: 0 }, { apiRequestsPerHour: 1.5 }])(
    '%o is refused',
    async (body) => {
      expect((await ann.call('PATCH', '/api/admin/settings', { body })).status).toBe(400);
    },
  );

  it('are changed by administrators only, who prove who they are before they lower what protects', async () => {
    expect((await dana.call('PATCH', '/api/admin/settings', { body: { debugLogging: true } })).status).toBe(403);
    expect((await dana.call('GET', '/api/admin/settings')).status).toBe(403);
    await database.query("update auth_sessions set created_at = created_at - interval '1 hour' where user_id = $1", [
      ann.userId,
    ]);
    const lowering = [
      { autoBackups: false },
      { twoFactorAuth: false },
      { apiRateLimit: false },
      { sessionTimeout: false },
      { apiRequestsPerHour: 1_000_000 },
    ];
    for (const body of lowering) {
      const refused = await ann.call('PATCH', '/api/admin/settings', { body });
      expect(refused.json.error.code, JSON.stringify(body)).toBe('reauthentication_required');
    }
    for (const body of [
      { debugLogging: true },
      { maintenanceMode: true },
      { maintenanceMode: false },
      { twoFactorAuth: true },
    ])
      expect((await ann.call('PATCH', '/api/admin/settings', { body })).status).toBe(200);
    await ann.call('POST', '/api/reauthentication', { body: { password: 'correct horse battery' } });
  });

  it('leave an act for each value that changes, from where', async () => {
    await database.query('alter table audit_log disable trigger user');
    await database.query("delete from audit_log where action = 'admin.setting_changed'");
    await database.query('alter table audit_log enable trigger user');
    await change({ debugLogging: true, autoBackups: true, apiRequestsPerHour: 70 });
    const { json } = await ann.call('GET', '/api/admin/audit-log');
    const acts = json.data.filter(({ action }: { action: string }) => action === 'admin.setting_changed');
    expect(acts.map(({ text }: { text: string }) => text).toSorted()).toEqual([
      'Changed the setting apiRequestsPerHour of the installation to 70',
      'Changed the setting debugLogging of the installation from off to on',
    ]);
    expect(acts[0]).toMatchObject({
      actor: { id: ann.userId },
      client_address: expect.stringMatching(/127.0.0.1|::1/),
    });
  });

  describe('maintenance mode', () => {
    const statusAt = async (url: string) => (await ask('/api/workspaces', { url })).status;

    it('closes every process to everybody but administrators, and opens it again', async () => {
      await change({ maintenanceMode: true });
      await everywhere(statusAt, 503);
      const { headers, text } = await ask();
      expect(JSON.parse(text).error.code).toBe('maintenance');
      expect(headers.get('retry-after')).toBe('120');
      expect((await ann.call('GET', '/api/workspaces')).status).toBe(200);
      await change({ maintenanceMode: false });
      await everywhere(statusAt, 200);
    });

    it('shows a page in place of a screen, and leaves sign-in, files, the console and unsubscribing open', async () => {
      await change({ maintenanceMode: true });
      const closed = await ask('/dashboard');
      expect([closed.status, closed.headers.get('retry-after')]).toEqual([503, '120']);
      expect(closed.headers.get('refresh'), 'it comes back by itself').toBe('30');
      expect(closed.text).toContain('<h1>Cuebird is under maintenance</h1>');
      const administrator = await fetch(`${cuebird.url}/dashboard`, { headers: { cookie: ann.cookie } });
      expect(administrator.status).toBe(200);
      for (const path of ['/auth', '/auth/code', '/admin', '/admin/workspace/1/manage', '/setup'])
        expect((await ask(path)).status, path).toBe(200);
      expect((await ask('/authors')).status).toBe(503);
      for (const path of ['/api/health', '/api/ready', '/api/config', '/api/auth/get-session'])
        expect((await ask(path)).status, path).toBe(200);
      // An unknown link, hook or provider is looked up, and not refused.
      for (const path of ['/unsubscribe/x', '/api/callbacks/twilio/x'])
        expect((await ask(path)).status, path).toBe(404);
      const hook = await fetch(`${cuebird.url}/api/hooks/x`, { method: 'POST', body: '{}' });
      expect(hook.status).toBe(404);
    });

    it('lets people sign in, who then see it, and refuses programs', async () => {
      const { json } = await dana.call('POST', '/api/api-keys', {
        workspace,
        body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
      });
      await change({ maintenanceMode: true });
      const erin = await signUp(cuebird.url, { name: 'Erin', email: 'erin@example.com' });
      expect((await erin.call('GET', '/api/workspaces')).json.error.code).toBe('maintenance');
      const headers = { cookie: ann.cookie, authorization: `Bearer ${json.key}` };
      expect((await ask('/api/reminders', { headers })).status).toBe(503);
    });
  });

  describe('debug logging', () => {
    it('changes the level of every process, and of each thread that delivers', async () => {
      const config = parseConfig({ DATABASE_URL: cuebird.databaseUrl, LOG_LEVEL: 'error' }, []);
      const open = async () => {
        const { stop, ...base } = createRuntimeBase(config);
        const options = { config, ownerUrl: cuebird.databaseUrl, encryptionKey: TEST_ENCRYPTION_KEY, olderKeys: [] };
        const { log } = await connectRuntime(base, { ...options, migrations: ownMigrations.href });
        return { log, stop };
      };
      const runtimes = [await open(), await open()];
      const levels = () => runtimes.map(({ log }) => log.level);
      expect(levels()).toEqual(['error', 'error']);
      await change({ debugLogging: true });
      await expect.poll(levels).toEqual(['debug', 'debug']);
      const restarted = await open();
      expect(restarted.log.level).toBe('debug');
      await change({ debugLogging: false });
      await expect.poll(levels).toEqual(['error', 'error']);
      for (const { stop } of [...runtimes, restarted]) await stop();
    });
  });

  describe('the limit of API requests', () => {
    let key: string;
    beforeEach(async () => {
      key = (
        await dana.call('POST', '/api/api-keys', {
          workspace,
          body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
        })
      ).json.key;
      await database.query('delete from request_counts where workspace_id = $1', [workspace]);
    });
    const limitAt = async (url: string) => {
      const { status, headers } = await ask('/api/reminders', { url, headers: { authorization: `Bearer ${key}` } });
      return [status, headers.get('ratelimit-limit')];
    };

    it('is that of the plan, or the administrator’s own, for every process', async () => {
      await everywhere(limitAt, [200, '1000']);
      await change({ apiRequestsPerHour: 2 });
      await database.query('delete from request_counts where workspace_id = $1', [workspace]);
      expect([await limitAt(cuebird.url), await limitAt(cuebird.url)]).toEqual([
        [200, '2'],
        [200, '2'],
      ]);
      await everywhere(limitAt, [429, '2']);
    });

    it('is none while it is off', async () => {
      await change({ apiRequestsPerHour: 1 });
      await limitAt(cuebird.url);
      expect(await limitAt(cuebird.url)).toEqual([429, '1']);
      await change({ apiRateLimit: false });
      await everywhere(limitAt, [200, null]);
    });
  });

  describe('two-factor authentication of administrators', () => {
    let carl: TestPerson;
    beforeEach(async () => {
      carl = await signUp(cuebird.url, { name: 'Carl', email: `${crypto.randomUUID()}@example.com` });
      await database.query('update profiles set is_system_admin = true where id = $1', [carl.userId]);
    });
    const askedAgo = (days: number) =>
      database.query(
        'update profiles set second_factor_asked_at = now() - make_interval(hours => (24 * $2::numeric)::int) where id = $1',
        [carl.userId, days],
      );
    const codeAt = async (url: string) => {
      const response = await fetch(`${url}/api/admin/settings`, { headers: { cookie: carl.cookie } });
      const answer: { error?: { code: string } } = await response.json();
      return answer.error?.code ?? response.status;
    };
    const requiredAt = async (of = carl) => (await of.call('GET', '/api/two-factor')).json.required_at;

    it('is asked for at once, and needed after seven days by what administrators do, and by nothing else', async () => {
      // The process has to hear first that Carl is an administrator.
      await expect.poll(async () => Date.parse(await requiredAt()) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
      expect(await requiredAt(dana)).toBeNull();
      await askedAgo(6.9);
      await everywhere(codeAt, 200);
      await askedAgo(7);
      // No request has changed it: the process hears of it in a moment.
      await expect.poll(() => codeAt(cuebird.url)).toBe('two_factor_setup_required');
      await everywhere(codeAt, 'two_factor_setup_required');
      expect((await carl.call('GET', '/api/admin/overview')).json.error.code).toBe('two_factor_setup_required');
      expect((await carl.call('GET', '/api/workspaces')).status).toBe(200);
      await change({ maintenanceMode: true });
      expect((await carl.call('GET', '/api/two-factor')).status, 'there is a way in to turn it on').toBe(200);
    });

    it('gives the rights back once it is on', async () => {
      await askedAgo(8);
      await expect.poll(() => codeAt(cuebird.url)).toBe('two_factor_setup_required');
      const post = async (path: string, body: object) => {
        const response = await fetch(`${cuebird.url}/api/auth/two-factor${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: cuebird.url, cookie: carl.cookie },
          body: JSON.stringify(body),
        });
        return response;
      };
      const begun = await post('/enable', { password: 'correct horse battery' });
      const { totpURI } = (await begun.json()) as { totpURI: string };
      const passed = await post('/verify-totp', { code: authenticatorOf(totpURI).code() });
      const [cookie = ''] = passed.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
      carl = personWith(cuebird.url, { ...carl, cookie });
      await everywhere(codeAt, 200);
      expect(await requiredAt()).toBeNull();
    });

    it('is not needed while it is off, and gives seven days anew when it is on again', async () => {
      await askedAgo(30);
      await expect.poll(() => codeAt(cuebird.url)).toBe('two_factor_setup_required');
      await change({ twoFactorAuth: false });
      await everywhere(codeAt, 200);
      expect(await requiredAt()).toBeNull();
      await change({ twoFactorAuth: true });
      // When each administrator was asked is in their sessions, of which the process hears in a moment.
      await expect.poll(() => codeAt(cuebird.url)).toBe(200);
      await everywhere(codeAt, 200);
      await expect.poll(async () => Date.parse(await requiredAt()) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    });
  });

  describe('the time-out of sessions', () => {
    /** Lets Erin's session begin and be used so many days ago. */
    const age = (began: number, used: number) =>
      database.query(
        `update auth_sessions s set created_at = now() - make_interval(days => $1), updated_at = now() - make_interval(days => $2)
           from profiles p where p.id = s.user_id and p.email = 'erin2@example.com'`,
        [began, used],
      );
    const daysLeft = async () => {
      const { rows } = await database.query<{ days: number }>(
        `select round(extract(epoch from s.expires_at - now()) / 86400)::int as days
           from auth_sessions s join profiles p on p.id = s.user_id where p.email = 'erin2@example.com'`,
      );
      return rows.map(({ days }) => days);
    };

    it('ends them after 30 days without use; off, after 90 days', async () => {
      const erin = await signUp(cuebird.url, { name: 'Erin', email: 'erin2@example.com' });
      const statusAt = async (url: string) =>
        (await fetch(`${url}/api/workspaces`, { headers: { cookie: erin.cookie } })).status;
      expect(await daysLeft()).toEqual([30]);
      await change({ sessionTimeout: false });
      expect(await daysLeft()).toEqual([90]);
      await age(60, 40);
      await change({ sessionTimeout: true });
      await everywhere(statusAt, 401);
      expect(await daysLeft(), 'the session is gone').toEqual([]);
    });

    it('is off for sessions that begin later, and for their renewal, in every process', async () => {
      await change({ sessionTimeout: false });
      await database.query("delete from profiles where email = 'erin2@example.com'");
      const erin = await signUp(second.url, { name: 'Erin', email: 'erin2@example.com' });
      await expect.poll(daysLeft).toEqual([90]);
      await age(20, 20);
      expect((await fetch(`${cuebird.url}/api/workspaces`, { headers: { cookie: erin.cookie } })).status).toBe(200);
      expect(await daysLeft(), 'renewed up to the absolute limit').toEqual([70]);
    });
  });
});
