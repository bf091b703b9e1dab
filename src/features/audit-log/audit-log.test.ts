import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

const proxied = { 'x-forwarded-for': '203.0.113.9' };

describe('the audit log of a workspace', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let finn: TestPerson;
  let workspace: string;
  let other: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { TRUSTED_PROXIES: '127.0.0.0/8,::1/128' } });
    database = cuebird.owner;
  });
  beforeEach(async () => {
    [dana, finn] = [await cuebird.signUp('Dana Owens'), await cuebird.signUp('Finn Moss')];
    [workspace, other] = [await dana.createWorkspace('Elm Street'), await finn.createWorkspace('Mill Road')];
    await addMember(database, { workspace, userId: finn.userId, role: 'member' });
  });
  afterAll(() => cuebird.stop());

  const read = async (query: Record<string, string> = {}, { as = dana, of = workspace } = {}) => {
    const { status, json } = await as.call('GET', `/api/audit-log?${new URLSearchParams(query)}`, { workspace: of });
    expect([status, json.error]).toEqual([200, undefined]);
    return json;
  };
  const textsOf = async (...from: Parameters<typeof read>): Promise<string[]> =>
    (await read(...from)).data.map(
      ({ actor, text }: { actor: { name: string | null; kind: string }; text: string }) =>
        `${actor.name ?? actor.kind}: ${text}`,
    );

  const send = (path: string, body: object) =>
    fetch(`${cuebird.url}/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: cuebird.url, ...proxied },
      body: JSON.stringify(body),
    });
  const signIn = (email: string, password = 'correct horse battery') => send('/sign-in/email', { email, password });

  it('says who did what, from which address', async () => {
    const made = await dana.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
      headers: proxied,
    });
    const { json: members } = await dana.call('GET', `/api/workspaces/${workspace}/members`, { workspace });
    const member = members.data.find(({ user_id }: { user_id: string }) => user_id === finn.userId).id;
    await dana.call('PATCH', `/api/workspaces/${workspace}/members/${member}`, { workspace, body: { role: 'admin' } });
    await dana.call('PATCH', `/api/workspaces/${workspace}`, {
      workspace,
      body: { name: 'Elm Lane', settings: { retentionDays: 90 } },
    });
    const exported = await fetch(`${cuebird.url}/api/jobs/export`, {
      headers: { authorization: `Bearer ${made.json.key}`, ...proxied },
    });
    await exported.text();
    expect(await textsOf()).toEqual([
      'CRM: Exported jobs',
      'Dana Owens: Changed the setting days until jobs are deleted from not set to 90',
      'Dana Owens: Renamed the workspace from Elm Street to Elm Lane',
      `Dana Owens: Changed the role of Finn Moss (${finn.email}) to admin`,
      `Dana Owens: Created the API key CRM (${made.json.prefix}…), which may send, read, manage`,
      'Dana Owens: Created the workspace Elm Street',
    ]);
    const [byKey, , , , byDana] = (await read()).data;
    expect(byKey.actor).toEqual({ kind: 'api_key', id: made.json.id, name: 'CRM', email: null });
    expect(byDana).toMatchObject({
      actor: { kind: 'person', id: dana.userId, name: 'Dana Owens', email: dana.email },
      client_address: '203.0.113.9',
    });
  });

  it('has what happens to the accounts of its members, and nothing of their other workspaces', async () => {
    await finn.call('POST', '/api/api-keys', {
      workspace: other,
      body: { name: 'Theirs', scopes: ['send', 'read', 'manage'] },
    });
    expect((await signIn(finn.email.toUpperCase())).status).toBe(200);
    expect((await signIn(finn.email, 'wrong')).status).toBe(401);
    expect((await signIn('nobody@example.com', 'wrong')).status).toBe(401);
    await send('/request-password-reset', { email: finn.email });
    const ofAccount = [
      `stranger: Asked for a link to reset the password of ${finn.email}`,
      `stranger: Failed to sign in as ${finn.email}: wrong password`,
      'Finn Moss: Signed in with the password',
    ];
    // The answer to a request for a reset does not wait for it.
    await expect.poll(() => textsOf({ who: finn.userId })).toEqual(ofAccount);
    expect(await textsOf({}, { as: finn, of: other })).toEqual([
      ...ofAccount,
      expect.stringMatching(/^Finn Moss: Created the API key Theirs/),
      'Finn Moss: Created the workspace Mill Road',
    ]);
    const [, failed] = (await read({ kind: 'sign_in' })).data.toReversed();
    expect(failed).toMatchObject({ actor: { kind: 'stranger', id: null, name: null }, client_address: '203.0.113.9' });
    expect((await database.query("select from audit_log where details::text like '%nobody@%'")).rowCount).toBe(0);

    await database.query('delete from workspace_members where workspace_id = $1 and user_id = $2', [
      workspace,
      finn.userId,
    ]);
    await signIn(finn.email);
    expect(await textsOf({ who: finn.userId })).toEqual(ofAccount);
  });

  it('is filtered by person, kind and dates, and read page by page', async () => {
    await database.query(
      `insert into audit_log (workspace_id, actor_id, action, created_at)
       select $1, $2, case when n % 2 = 0 then 'reminders.paused' else 'reminders.resumed' end, '2026-03-01T00:00:00Z'::timestamptz + n * interval '1 hour'
         from generate_series(0, 29) n`,
      [workspace, finn.userId],
    );
    const of = { who: finn.userId, kind: 'reminders', from: '2026-03-01T02:00:00Z', to: '2026-03-02T00:00:00Z' };
    const first = await read({ ...of, limit: '15' });
    const rest = await read({ ...of, limit: '15', cursor: first.next_cursor });
    const hours = [...first.data, ...rest.data].map(({ created_at }: { created_at: string }) =>
      created_at.slice(11, 13),
    );
    expect(hours).toEqual(Array.from({ length: 22 }, (_, at) => String(23 - at).padStart(2, '0')));
    expect(rest.next_cursor).toBeNull();
    expect((await read({ ...of, who: dana.userId })).data).toEqual([]);
    const { json } = await dana.call('GET', '/api/audit-log/actors', { workspace });
    expect(json.data).toEqual([
      { id: dana.userId, name: 'Dana Owens', email: dana.email },
      { id: finn.userId, name: 'Finn Moss', email: finn.email },
    ]);
  });

  it('is exported as CSV without formulas, which is an act itself', async () => {
    await database.query("update profiles set full_name = '=1+1' where id = $1", [dana.userId]);
    await dana.call('POST', '/api/api-keys', { workspace, body: { name: 'CRM', scopes: ['send', 'read', 'manage'] } });
    const file = await fetch(`${cuebird.url}/api/audit-log/export?workspace=${workspace}&kind=api_key`, {
      headers: { cookie: dana.cookie },
    });
    const [head, line, ...more] = (await file.text()).trimEnd().split('\r\n');
    expect(head).toMatch(/^At \(UTC\),Who,Email/);
    expect(line).toContain(`,'=1+1,${dana.email},person,api_key.created,"Created the API key CRM`);
    expect(more).toEqual([]);
    expect(await textsOf({ kind: 'export' })).toEqual(['=1+1: Exported this audit log']);
  });

  it('has sign-outs, refusals of a suspended person, and the first refusal without a look at the password', async () => {
    const { cookie } = finn;
    await fetch(`${cuebird.url}/api/auth/sign-out`, {
      method: 'POST',
      headers: { cookie, origin: cuebird.url, ...proxied },
    });
    await database.query('update profiles set suspended_at = now() where id = $1', [finn.userId]);
    expect((await signIn(finn.email)).status).toBe(403);
    expect(await textsOf({ kind: 'sign_in' })).toEqual([
      `stranger: Failed to sign in as ${finn.email}: the account is suspended`,
      'Finn Moss: Signed out',
    ]);
    const [refused] = (await read({ kind: 'sign_in' })).data;
    expect(refused.client_address).toBe('203.0.113.9');
  });

  it('of a workspace that is gone is read by administrators of the installation, who read no other', async () => {
    const asAdministrator = async (path: string) => {
      const { status, json } = await finn.call('GET', `/api/admin${path}`);
      return { status, json };
    };
    expect((await asAdministrator('/audit-log')).status).toBe(403);
    await database.query('update profiles set is_system_admin = true where id = $1', [finn.userId]);
    await signIn(finn.email, 'wrong');
    const { data } = (await asAdministrator('/audit-log?limit=2')).json;
    expect(data.map(({ text }: { text: string }) => text)).toContain(
      `Failed to sign in as ${finn.email}: wrong password`,
    );
    expect((await asAdministrator('/audit-log?kind=account')).json.data[0].text).toBe('Signed up');
    expect((await asAdministrator(`/audit-log?workspace=${workspace}`)).status).toBe(404);

    await database.query(
      "insert into audit_log (workspace_id, action, details) select id, 'workspace.deleted', jsonb_build_object('name', name) from workspaces where id = $1",
      [workspace],
    );
    await database.query('delete from workspaces where id = $1', [workspace]);
    const gone = (await asAdministrator('/gone-workspaces?limit=1')).json;
    expect(gone.data).toEqual([{ id: workspace, name: 'Elm Street', deleted_at: expect.any(String) }]);
    const { json } = await asAdministrator(`/audit-log?workspace=${workspace}`);
    expect(json.data.map(({ text }: { text: string }) => text)).toEqual([
      'Deleted the workspace Elm Street for good',
      `Failed to sign in as ${finn.email}: wrong password`,
      'Created the workspace Elm Street',
    ]);
  });

  it('is read by owners and admins only', async () => {
    for (const path of ['', '/actors', '/export']) {
      const { status } = await finn.call('GET', `/api/audit-log${path}`, { workspace });
      expect([path, status]).toEqual([path, 403]);
    }
  });

  it('keeps who it was when the account, the key and the workspace are gone', async () => {
    await finn.call('POST', '/api/api-keys', {
      workspace: other,
      body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
    });
    await database.query('delete from profiles where id = $1', [finn.userId]);
    await database.query('delete from workspaces where id = $1', [other]);
    const { rows } = await database.query(
      'select action, actor_name, actor_email from audit_log where workspace_id = $1 order by id',
      [other],
    );
    const who = { actor_name: 'Finn Moss', actor_email: finn.email };
    expect(rows).toEqual([
      { action: 'workspace.created', ...who },
      { action: 'api_key.created', ...who },
      { action: 'api_key.ended', actor_name: null, actor_email: null },
    ]);
  });
});
