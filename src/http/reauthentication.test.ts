import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Route } from '#contract/route.ts';
import { type RouteName, routes } from '#contract/routes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { routeNames, sampleRequest } from '#testing/sample-requests.ts';
import { insertMember, insertThings, type Things } from '#testing/sample-rows.ts';

const need = (name: RouteName) => {
  const route: Route = routes[name];
  return route.needsReauthentication;
};
const sensitiveRoutes = routeNames.filter((name) => need(name) !== undefined);

describe('what is sensitive asks who it is', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  let things: Things;
  const tokens = { adminSetup: 'none', demo: 'none', accountMail: 'none' };

  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { DEMO: 'on' }, hasLimits: true });
    database = cuebird.owner;
  });
  beforeEach(async () => {
    await database.query('delete from request_counts');
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
    things = await insertThings(database, { workspace, userId: dana.userId });
    await insertMember(database, things);
  });
  afterAll(() => cuebird.stop());

  const passMinutes = ({ userId }: Pick<TestPerson, 'userId'>, minutes: number) =>
    database.query(
      `update auth_sessions set created_at = created_at - make_interval(mins => $2), reauthenticated_at = reauthenticated_at - make_interval(mins => $2)
        where user_id = $1`,
      [userId, minutes],
    );

  const createKey = () =>
    dana.call('POST', '/api/api-keys', { workspace, body: { name: 'CRM', scopes: ['send', 'read', 'manage'] } });
  const reauthenticate = (body: object, as = dana) => as.call('POST', '/api/reauthentication', { body });
  const keysNow = async () => (await dana.call('GET', '/api/api-keys', { workspace })).json.data.length;

  // The others ask for some bodies only.
  it.each(sensitiveRoutes.filter((name) => need(name) === true))(
    '%s, more than ten minutes after the sign-in, before anything happens',
    async (name) => {
      await database.query('update profiles set is_system_admin = true where id = $1', [dana.userId]);
      // The process remembers who she is until it hears of the change.
      await expect.poll(async () => (await dana.call('GET', '/api/admin/settings')).status).toBe(200);
      await passMinutes(dana, 11);
      const { method, path, body } = sampleRequest(name, things, tokens);
      const refused = await dana.call(method, path, { workspace, body: body && {} });
      expect([refused.status, refused.json.error.code]).toEqual([403, 'reauthentication_required']);
      await reauthenticate({ password: 'correct horse battery' });
      const { json } = await dana.call(method, path, { workspace, body });
      expect(json.error?.code).not.toBe('reauthentication_required');
    },
  );

  it('is declared by these routes, and said in the API description', async () => {
    expect(sensitiveRoutes.toSorted()).toEqual([
      'changeEmail',
      'completeAdminSetup',
      'createApiKey',
      'createChannel',
      'deleteAccount',
      'deleteWorkspace',
      'downloadBackup',
      'erasePerson',
      'makeAdministrator',
      'removeAdministrator',
      'revealSigningSecret',
      'revokeApiKey',
      'rotateApiKey',
      'rotateHook',
      'rotateSigningSecret',
      'setHookSecret',
      'transferOwnership',
      'updateChannel',
      'updateInstallationSettings',
      'verifyPerson',
    ]);
    const { paths } = (await dana.call('GET', '/api/openapi.json')).json;
    for (const name of sensitiveRoutes) {
      const { path, method } = routes[name];
      const described = paths[path.replaceAll(/:(\w+)/g, '{$1}')][method];
      expect(described.description, name).toContain('reauthentication_required');
    }
  });

  it('lasts for ten minutes after the sign-in, and ten after each confirmation', async () => {
    await passMinutes(dana, 9);
    expect((await createKey()).status).toBe(201);
    await passMinutes(dana, 2);
    expect((await createKey()).status).toBe(403);
    expect(await keysNow()).toBe(2);
    const confirmed = await reauthenticate({ password: 'correct horse battery' });
    expect(confirmed.json.method).toBe('password');
    const left = Temporal.Now.instant().until(confirmed.json.reauthenticated_until).total('minutes');
    expect(left).toBeGreaterThan(9);
    await passMinutes(dana, 9);
    expect((await createKey()).status).toBe(201);
    await passMinutes(dana, 2);
    expect((await createKey()).status).toBe(403);
  });

  it('asks for a change of a channel where its configuration changes, and not for its name', async () => {
    await passMinutes(dana, 11);
    const change = (body: object) => dana.call('PATCH', `/api/channels/${things.channel}`, { workspace, body });
    expect((await change({ name: 'Another name', is_active: false })).status).toBe(200);
    expect((await change({ configuration: { url: 'https://example.com/hook' } })).json.error.code).toBe(
      'reauthentication_required',
    );
  });

  it('refuses another proof than the person’s own, and an eleventh guess', async () => {
    await passMinutes(dana, 11);
    const none = await reauthenticate({});
    expect([none.status, none.json.error.message]).toEqual([
      400,
      'Give one of password, code, recovery_code and mailed_code',
    ]);
    expect((await reauthenticate({ mailed_code: '123456' })).status).toBe(409);
    expect((await reauthenticate({ code: '123456' })).json.error.message).toBe('Confirm with your password');
    expect((await dana.call('POST', '/api/reauthentication/code')).json).toEqual({ mailed_to: null });
    for (let guess = 0; guess < 10; guess += 1) {
      const wrong = await reauthenticate({ password: 'wrong horse' });
      expect([wrong.status, wrong.json.error.fields]).toEqual([
        400,
        [{ path: 'password', message: 'This is not your password' }],
      ]);
    }
    const refused = await reauthenticate({ password: 'correct horse battery' });
    expect([refused.status, refused.json.error.message]).toEqual([
      429,
      expect.stringMatching(/^Too many wrong answers\. Try again in \d+ minutes\.$/),
    ]);
    expect((await createKey()).status).toBe(403);
  });

  it('mails a code to somebody without a password, which works once, in this session', async () => {
    await database.query("update auth_accounts set provider_id = 'google' where user_id = $1", [dana.userId]);
    const again = await cuebird.signUp('Gina');
    await passMinutes(dana, 11);
    expect((await dana.call('GET', '/api/reauthentication')).json.method).toBe('mailed_code');
    const mailed = async () => {
      expect((await dana.call('POST', '/api/reauthentication/code')).json).toEqual({ mailed_to: dana.email });
      const sent = async () =>
        (
          await database.query<{ text: string }>(
            `select body_text as text from sandbox_messages where recipient = $1 and subject = 'Your confirmation code' order by id desc`,
            [dana.email],
          )
        ).rows;
      const before = (await sent()).length;
      await expect.poll(async () => (await sent()).length).toBeGreaterThan(Math.max(0, before - 1));
      return /^\d{6}$/m.exec((await sent())[0]?.text ?? '')?.[0] ?? 'no code';
    };
    const code = await mailed();
    expect((await reauthenticate({ mailed_code: code }, again)).status).toBe(409);
    expect((await reauthenticate({ mailed_code: 'no code' })).json.error.fields[0].path).toBe('mailed_code');
    expect((await reauthenticate({ mailed_code: `${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(200);
    expect((await createKey()).status).toBe(201);
    expect((await reauthenticate({ mailed_code: code })).status).toBe(400);
    for (let at = 0; at < 4; at += 1) await dana.call('POST', '/api/reauthentication/code');
    expect((await dana.call('POST', '/api/reauthentication/code')).status).toBe(429);
  });

  it('does not ask API keys, nor the demo account, whose password nobody knows', async () => {
    const { key } = (
      await dana.call('POST', '/api/api-keys', {
        workspace,
        body: { name: 'Admin', scopes: ['send', 'read', 'manage'] },
      })
    ).json;
    await passMinutes(dana, 11);
    const authorization = `Bearer ${key}`;
    const body = { name: 'Hook', type: 'webhook', configuration: { url: 'https://example.com/hook' } };
    const created = await dana.call('POST', '/api/channels', { body, headers: { authorization, cookie: '' } });
    expect(created.status).toBe(201);

    const entered = await fetch(cuebird.links.demo ?? '', { method: 'POST', redirect: 'manual' });
    const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const asVisitor = (method: string, path: string, options: object = {}) =>
      dana.call(method, path, { headers: { cookie }, ...options });
    const [demo] = (await asVisitor('GET', '/api/workspaces')).json.data;
    const { rows } = await database.query(
      "update auth_sessions s set created_at = now() - interval '1 day' from profiles p where p.id = s.user_id and p.is_demo returning s.id",
    );
    expect(rows).toHaveLength(1);
    const made = await asVisitor('POST', '/api/api-keys', {
      workspace: demo.id,
      body: { name: 'Demo', scopes: ['send', 'read', 'manage'] },
    });
    expect(made.status).toBe(201);
    const headers = { cookie, origin: cuebird.url };
    const enabled = await dana.call('POST', '/api/auth/two-factor/enable', { body: { password: 'x' }, headers });
    expect([enabled.status, enabled.json.error.message]).toEqual([
      403,
      'A demo account has no second factor. Sign up for your own.',
    ]);
  });

  it('holds back a session without its second factor, with a code of its own, on every route and the stream', async () => {
    const session = await fetch(`${cuebird.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: cuebird.url },
      body: JSON.stringify({ email: dana.email, password: 'correct horse battery' }),
    });
    const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    await database.query(
      `insert into auth_two_factors (user_id, secret, backup_codes, verified) values ($1, 'x', 'x', true)`,
      [dana.userId],
    );
    await database.query('alter table profiles disable trigger two_factor_turned');
    await database.query('update profiles set two_factor_enabled = true where id = $1', [dana.userId]);
    await database.query('alter table profiles enable trigger two_factor_turned');
    await database.query("select pg_notify('cuebird_access', json_build_object('person', $1::uuid)::text)", [
      dana.userId,
    ]);
    await expect
      .poll(async () => (await dana.call('GET', '/api/workspaces', { headers: { cookie } })).status)
      .toBe(401);
    const closed = routeNames.filter((name) => routes[name].access !== 'public');
    for (const name of closed) {
      const { method, path, body } = sampleRequest(name, things, tokens);
      const { status, json } = await dana.call(method, path, { workspace, body, headers: { cookie } });
      expect([name, status, json.error.code]).toEqual([name, 401, 'second_factor_required']);
    }
    const left = await fetch(`${cuebird.url}/api/auth/sign-out`, {
      method: 'POST',
      headers: { cookie, origin: cuebird.url, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(left.status).toBe(200);
    const gone = await dana.call('GET', '/api/workspaces', { headers: { cookie } });
    expect([gone.status, gone.json.error.code]).toEqual([401, 'unauthenticated']);
  });
});
