import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPushDevices } from '#features/push/push-devices.service.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { liftSuspension } from '#features/auth/suspension.service.ts';
import { APP, browserAt, codeOf, PASSWORD, startAuth } from '#testing/auth.ts';
import { addMember } from '#testing/owner.ts';

describe('a person whom an administrator suspends', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let administrator: TestPerson;
  let dana: TestPerson;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { DEMO: 'on' } });
    database = cuebird.owner;
    administrator = await makeAdministrator('Ann');
  });
  beforeEach(async () => {
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());

  async function makeAdministrator(name: string): Promise<TestPerson> {
    const person = await cuebird.signUp(name);
    await database.query('update profiles set is_system_admin = true where id = $1', [person.userId]);
    return person;
  }

  const suspend = (id: string, by = administrator) => by.call('PUT', `/api/admin/people/${id}/suspension`);
  const lift = (id: string) => administrator.call('DELETE', `/api/admin/people/${id}/suspension`);

  const auth = (path: string, body: object) =>
    fetch(`${cuebird.url}/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: cuebird.url },
      body: JSON.stringify(body),
    });
  const signIn = ({ email }: TestPerson, password = 'correct horse battery') =>
    auth('/sign-in/email', { email, password });

  it('is signed out, told why at the next sign-in, and back once it is lifted', async () => {
    const suspended = await suspend(dana.userId);
    expect([suspended.status, suspended.json]).toEqual([
      200,
      expect.objectContaining({ id: dana.userId, email: dana.email, suspended_at: expect.any(String), api_keys: 0 }),
    ]);
    expect((await dana.call('GET', '/api/workspaces')).status).toBe(401);
    expect(await (await signIn(dana)).json()).toEqual({
      code: 'ACCOUNT_SUSPENDED',
      message: 'This account is suspended. Ask an administrator of this installation to lift the suspension.',
    });
    const wrong = await signIn(dana, 'something else');
    expect(await codeOf(wrong), 'is not told to strangers').toEqual({
      status: 401,
      code: 'INVALID_EMAIL_OR_PASSWORD',
    });
    expect((await suspend(dana.userId)).json, 'repeated').toEqual(suspended.json);

    expect((await lift(dana.userId)).json.suspended_at).toBeNull();
    expect((await lift(dana.userId)).json.suspended_at).toBeNull();
    expect((await signIn(dana)).status).toBe(200);
    const { rows } = await database.query(
      "select actor_id, action from audit_log where target = $1 and kind = 'admin' order by id",
      [dana.userId],
    );
    expect(rows).toEqual(
      ['admin.person_suspended', 'admin.suspension_lifted'].map((action) => ({
        actor_id: administrator.userId,
        action,
      })),
    );
  });

  it('is found by address, with the number of keys, which end', async () => {
    const workspace = await dana.createWorkspace('Elm Street');
    const made = await dana.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
    });
    const found = async () =>
      (await administrator.call('GET', `/api/admin/people?search=${dana.email.toUpperCase()}`)).json.data;
    expect(await found()).toMatchObject([{ id: dana.userId, api_keys: 1, suspended_at: null }]);
    await suspend(dana.userId);
    expect(await found()).toMatchObject([{ id: dana.userId, api_keys: 0, suspended_at: expect.any(String) }]);
    const headers = { authorization: `Bearer ${made.json.key}`, cookie: '' };
    expect((await dana.call('GET', '/api/reminders', { headers })).status).toBe(401);
  });

  it('gets neither push messages nor mails about what the workspace missed', async () => {
    const workspace = await dana.createWorkspace('Elm Street');
    const erin = await cuebird.signUp('Erin');
    await addMember(database, { workspace, userId: erin.userId, role: 'owner' });
    await database.query(
      `insert into push_browsers (workspace_id, user_id, endpoint, p256dh, auth)
       select $1, id, 'http://127.0.0.1:2/' || id, 'k', 'k' from unnest($2::uuid[]) as u (id)`,
      [workspace, [dana.userId, erin.userId]],
    );
    await suspend(dana.userId);
    const devices = await createPushDevices(cuebird.database.engine).of(workspace);
    expect(devices.map(({ endpoint }) => endpoint)).toEqual([`http://127.0.0.1:2/${erin.userId}`]);
    const { rows } = await cuebird.database.engine.query('select email from owners_of($1)', [workspace]);
    expect(rows).toEqual([{ email: erin.email }]);
  });

  it('is nobody’s own self, nor the demo account, nor a stranger', async () => {
    const self = await suspend(administrator.userId);
    expect([self.status, self.json.error.message]).toEqual([
      409,
      'You cannot suspend yourself. Another administrator can.',
    ]);
    const { rows } = await database.query('select id from profiles where is_demo');
    expect((await suspend(rows[0].id)).status).toBe(422);
    expect((await suspend('00000000-0000-4000-8000-000000000000')).status).toBe(404);
    expect((await lift('00000000-0000-4000-8000-000000000000')).status).toBe(404);
    expect((await suspend(administrator.userId, dana)).status).toBe(403);
  });

  it('may be an administrator: of two who suspend each other one stays', async () => {
    const [one, other] = [await makeAdministrator('One'), await makeAdministrator('Other')];
    const answers = await Promise.all([suspend(other.userId, one), suspend(one.userId, other)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { rows } = await database.query('select id from profiles where id in ($1, $2) and suspended_at is null', [
      one.userId,
      other.userId,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('is not let in by somebody who was suspended while asking for it', async () => {
    const other = await makeAdministrator('Other');
    await suspend(dana.userId);
    const asked = {
      pool: cuebird.database.auth,
      actorId: other.userId,
      id: dana.userId,
      clientAddress: '192.0.2.1',
      now: Temporal.Now.instant(),
    };
    for (const change of ['suspended_at = now()', 'suspended_at = null, is_system_admin = false']) {
      await database.query(`update profiles set ${change} where id = $1`, [other.userId]);
      await expect(liftSuspension(asked), change).rejects.toThrow('Only system administrators may do this');
    }
    const { rows } = await database.query(
      "select suspended_at is not null as is_suspended, (select count(*)::int from audit_log where target = id::text and action = 'admin.suspension_lifted') as lifted from profiles where id = $1",
      [dana.userId],
    );
    expect(rows).toEqual([{ is_suspended: true, lifted: 0 }]);
    await database.query('update profiles set is_system_admin = true where id = $1', [other.userId]);
    await liftSuspension(asked);
    expect((await signIn(dana)).status).toBe(200);
  });

  it('has no session left of sign-ins that ran at the same moment', async () => {
    const signIns = Array.from({ length: 8 }, () => signIn(dana));
    await suspend(dana.userId);
    for (const answer of await Promise.all(signIns)) expect([200, 403]).toContain(answer.status);
    const { rows } = await database.query('select id from auth_sessions where user_id = $1', [dana.userId]);
    expect(rows).toEqual([]);
  });
});

describe('a link from a mail', () => {
  it('signs a suspended person in neither by verification nor after a reset, and shows why', async () => {
    const world = await startAuth({ emailVerification: true });
    const person = { name: 'Ben', email: 'ben@example.com', password: PASSWORD };
    const linkIn = async () => {
      await world.auth.mailSent();
      return /http:\/\/localhost:3000(\/\S+)/.exec(world.mails.at(-1)?.text ?? '')?.[1] ?? '';
    };
    const browser = browserAt(world.auth);
    await browser.post('/api/auth/sign-up/email', person);
    await world.owner.query('update profiles set suspended_at = now()');
    const opened = await browser.post('/api/auth/verify-email', { token: (await linkIn()).split('token=')[1] });
    expect(await codeOf(opened)).toEqual({ status: 403, code: 'ACCOUNT_SUSPENDED' });
    await browser.post('/api/auth/request-password-reset', { email: person.email });
    const token = /reset-password\?token=([A-Za-z0-9]+)/.exec(await linkIn())?.[1] ?? '';
    const reset = await browser.post('/api/auth/reset-password', { newPassword: 'another horse', token });
    expect(reset.status).toBe(200);
    const signedIn = await browser.post('/api/auth/sign-in/email', { ...person, password: 'another horse' });
    expect(await codeOf(signedIn)).toEqual({ status: 403, code: 'ACCOUNT_SUSPENDED' });
    expect(await world.auth.sessionOf(browser.headers())).toBeNull();
    await world.stop();
  });

  it('is needed by a session from before addresses had to be verified', async () => {
    const world = await startAuth();
    const browser = browserAt(world.auth);
    await browser.post('/api/auth/sign-up/email', { name: 'Ben', email: 'ben@example.com', password: PASSWORD });
    expect(await world.auth.sessionOf(browser.headers())).not.toBeNull();
    const stricter = await world.another({ emailVerification: true });
    expect(await stricter.sessionOf(browser.headers())).toBeNull();
    const session = new Request(`${APP}/api/auth/get-session`, { headers: browser.headers() });
    expect(await (await stricter.handle(session)).json()).toBeNull();
    await world.owner.query('update profiles set email_verified = true');
    expect(await stricter.sessionOf(browser.headers())).not.toBeNull();
    stricter.close();
    await world.stop();
  });
});
