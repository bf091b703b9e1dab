import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listAdministrators } from '#features/auth/listed-administrators.service.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

describe('the people of the installation', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let ann: TestPerson;
  let dana: TestPerson;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { DEMO: 'on' } });
    ({ owner } = cuebird);
  });
  beforeEach(async () => {
    await owner.query('update profiles set is_system_admin = false');
    ann = await newAdministrator('Ann');
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());

  async function newAdministrator(name: string): Promise<TestPerson> {
    const person = await cuebird.signUp(name);
    await owner.query('update profiles set is_system_admin = true where id = $1', [person.userId]);
    return person;
  }
  const people = async (query = '') => (await ann.call('GET', `/api/admin/people?${query}`)).json;
  const act = (method: 'PUT' | 'DELETE', what: string, { userId }: { userId: string }, by = ann) =>
    by.call(method, `/api/admin/people/${userId}/${what}`);
  const messageOf = ({ status, json }: { status: number; json: any }) => [status, json.error?.message];

  it('are listed newest first, each with what is true of it', async () => {
    const workspace = await dana.createWorkspace('Elm Street');
    const other = await ann.createWorkspace('Mill Road');
    await addMember(owner, { workspace: other, userId: dana.userId, role: 'member' });
    await dana.call('POST', '/api/api-keys', { workspace, body: { name: 'CRM', scopes: ['send', 'read', 'manage'] } });
    const { rows } = await owner.query('select id from profiles order by created_at desc, id desc');
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { data: { id: string }[]; next_cursor: string | null } = await people(
        `limit=3&cursor=${cursor}`.replace(/&cursor=$/, ''),
      );
      found.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(found).toEqual(rows.map(({ id }) => id));
    expect((await people(`search=${dana.email.toUpperCase()}`)).data).toEqual([
      {
        id: dana.userId,
        email: dana.email,
        full_name: 'Dana',
        is_system_admin: false,
        is_demo: false,
        email_verified: false,
        has_two_factor: false,
        suspended_at: null,
        created_at: expect.any(String),
        sessions: 1,
        last_seen_at: expect.any(String),
        api_keys: 1,
        memberships: [
          { workspace_id: other, workspace: 'Mill Road', role: 'member' },
          { workspace_id: workspace, workspace: 'Elm Street', role: 'owner' },
        ],
        membership_count: 2,
      },
    ]);
    expect((await people('search=%25')).data).toEqual([]);
  });

  it('count as confirmed when an administrator says so', async () => {
    expect((await act('PUT', 'verification', dana)).json.email_verified).toBe(true);
    expect((await act('PUT', 'verification', dana)).json.email_verified).toBe(true);
    const { rows } = await owner.query(
      "select actor_id, details, client_address from audit_log where action = 'admin.person_verified' and target = $1",
      [dana.userId],
    );
    expect(rows).toEqual([{ actor_id: ann.userId, details: { email: dana.email }, client_address: '127.0.0.1' }]);
  });

  it('are signed out everywhere, and may sign in again', async () => {
    await owner.query(
      "insert into auth_verifications (identifier, value, expires_at) values ('reset', $1, now() + interval '1 hour')",
      [dana.userId],
    );
    expect((await act('DELETE', 'sessions', dana)).json.sessions).toBe(0);
    expect((await dana.call('GET', '/api/workspaces')).status).toBe(401);
    const { rows } = await owner.query('select from auth_verifications where value = $1', [dana.userId]);
    expect(rows).toEqual([]);
  });

  it('become administrators and stop being one, but for the last', async () => {
    expect((await act('PUT', 'administration', dana)).json.is_system_admin).toBe(true);
    expect((await dana.call('GET', '/api/admin/people')).status).toBe(200);
    expect((await act('DELETE', 'administration', ann, dana)).json.is_system_admin).toBe(false);
    expect((await ann.call('GET', '/api/admin/people')).status).toBe(403);
    expect(messageOf(await act('DELETE', 'administration', dana, dana))).toEqual([
      409,
      'You cannot take the administration from yourself. Another administrator can.',
    ]);
  });

  it('are refused what only administrators may read, even before their process knows that they are none any more', async () => {
    const finn = await newAdministrator('Finn');
    expect((await finn.call('GET', '/api/admin/people')).status).toBe(200);
    // Without its triggers, which tell the processes.
    await owner.query('set session_replication_role = replica');
    await owner.query('update profiles set is_system_admin = false where id = $1', [finn.userId]);
    await owner.query('reset session_replication_role');
    const answer = await finn.call('GET', '/api/admin/people');
    expect(messageOf(answer)).toEqual([403, 'Only system administrators may do this']);
  });

  it('keep one administrator of two who remove each other', async () => {
    const finn = await newAdministrator('Finn');
    const answers = await Promise.all([
      act('DELETE', 'administration', finn, ann),
      act('DELETE', 'administration', ann, finn),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { rows } = await owner.query<{ id: string }>('select id from profiles where is_system_admin');
    expect(rows).toHaveLength(1);
  });

  it('are not made administrators while suspended, nor is the demo account', async () => {
    await act('PUT', 'suspension', dana);
    expect(messageOf(await act('PUT', 'administration', dana))).toEqual([409, 'Lift the suspension first']);
    const { rows } = await owner.query('select id as "userId" from profiles where is_demo');
    expect((await act('PUT', 'administration', rows[0])).status).toBe(422);
    const nobody = { userId: '00000000-0000-4000-8000-000000000000' };
    for (const what of ['verification', 'administration', 'suspension'])
      expect((await act('PUT', what, nobody)).status).toBe(404);
    expect((await act('DELETE', 'sessions', nobody)).status).toBe(404);
  });

  it('are administrators by an address of the configuration, once it is confirmed and whichever way', async () => {
    const auth = cuebird.database.auth;
    const isAdministrator = async ({ userId }: TestPerson) =>
      (await owner.query('select is_system_admin from profiles where id = $1', [userId])).rows[0].is_system_admin;
    const verified = await cuebird.signUp('Vera');
    await owner.query('update profiles set email_verified = true where id = $1', [verified.userId]);
    await listAdministrators(auth, [dana.email, verified.email, 'late@example.com']);
    expect(await isAdministrator(verified)).toBe(true);
    expect(await isAdministrator(dana), 'the address is not confirmed').toBe(false);
    await act('PUT', 'verification', dana);
    expect(await isAdministrator(dana)).toBe(true);
    expect((await act('DELETE', 'administration', dana)).json.error.message).toContain('ADMIN_EMAILS');
    const google = await auth.query(
      "insert into profiles (email, email_verified, full_name) values ('late@example.com', true, 'Late') returning is_system_admin",
    );
    expect(google.rows).toEqual([{ is_system_admin: true }]);
    const { rows } = await owner.query(
      "select actor_kind, details from audit_log where action = 'admin.administrator_made' and target = $1",
      [dana.userId],
    );
    expect(rows).toEqual([{ actor_kind: 'system', details: { email: dana.email, by: 'ADMIN_EMAILS' } }]);

    await listAdministrators(auth, []);
    expect(await isAdministrator(dana), 'who is one stays one').toBe(true);
    expect((await act('DELETE', 'administration', dana)).json.is_system_admin).toBe(false);
  });
});
