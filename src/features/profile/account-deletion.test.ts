import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { openEventStream } from '#testing/event-stream.ts';
import { addMember, connectOwner } from '#testing/owner.ts';
import { sampleReminder, samplePushBrowser } from '#testing/samples.ts';
import { samplePicture } from '#testing/sample-picture.ts';

describe('an account that is deleted, in two processes on one database', () => {
  let one: TestCuebird;
  let other: TestCuebird;
  let database: Client;
  let owner: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    one = await startTestCuebird({ env: { DEMO: 'on' } });
    other = await startTestCuebird({ env: { DATABASE_URL: one.databaseUrl } });
    database = await connectOwner(one.databaseUrl);
    owner = await one.signUp('Olga');
    workspace = await owner.createWorkspace('Elm Street');
  });
  afterAll(async () => {
    await database.end();
    await other.stop();
    await one.stop();
  });

  async function newMember(role: 'owner' | 'admin' | 'member' = 'member'): Promise<TestPerson> {
    const person = await one.signUp('Dana');
    await addMember(database, { workspace, userId: person.userId, role });
    return person;
  }

  const remove = (person: TestPerson, email = person.email) =>
    person.call('POST', '/api/profile/delete', { body: { email } });
  const exists = async ({ userId }: TestPerson) =>
    (await database.query('select from profiles where id = $1', [userId])).rowCount === 1;

  const waitingForLocks = async () =>
    (
      await database.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).rowCount;

  it('is signed out at once in both, and can sign in no more', async () => {
    const dana = await newMember();
    const stream = await openEventStream(other.url, { as: dana, workspace });
    const elsewhere = () => fetch(`${other.url}/api/profile`, { headers: { cookie: dana.cookie } });
    expect((await elsewhere()).status).toBe(200);
    expect((await remove(dana)).json).toEqual({ deleted: true });
    expect((await dana.call('GET', '/api/profile')).status).toBe(401);
    await expect.poll(async () => (await elsewhere()).status).toBe(401);
    while ((await stream.next()) !== null);
    const signIn = await fetch(`${one.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: one.url },
      body: JSON.stringify({ email: dana.email, password: 'correct horse battery' }),
    });
    expect(signIn.status).toBe(401);
    const mail = () =>
      database.query('select subject from sandbox_messages where recipient = $1 and workspace_id is null', [
        dana.email,
      ]);
    await expect.poll(async () => (await mail()).rows).toContainEqual({ subject: 'Your account was deleted' });
  });

  it('leaves what it wrote in its workspace, and takes along what was its own', async () => {
    const dana = await newMember('admin');
    const { json: reminder } = await dana.call('POST', '/api/reminders', { workspace, body: sampleReminder });
    await dana.call('POST', '/api/push-browsers', { workspace, body: samplePushBrowser });
    await dana.call('PUT', '/api/profile/picture', { body: { picture: samplePicture.dataUrl } });
    expect((await remove(dana)).status).toBe(200);
    const { json } = await owner.call('GET', `/api/reminders/${reminder.id}`, { workspace });
    expect(json).toMatchObject({ name: sampleReminder.name, created_by: null });
    for (const table of ['auth_accounts', 'auth_sessions', 'workspace_members', 'push_browsers', 'pictures'])
      expect((await database.query(`select from ${table} where user_id = $1`, [dana.userId])).rowCount).toBe(0);
    const { rows } = await database.query(
      "select workspace_id from audit_log where actor_id = $1 and action = 'account.deleted' order by workspace_id nulls first",
      [dana.userId],
    );
    expect(rows).toEqual([{ workspace_id: null }, { workspace_id: workspace }]);
  });

  it('is referred to by no table that would keep it, or keep it from going', async () => {
    const { rows } = await database.query<{ reference: string }>(
      `select conrelid::regclass || ': ' || pg_get_constraintdef(oid) as reference from pg_constraint
        where contype = 'f' and confrelid = 'profiles'::regclass`,
    );
    const endings = rows.map(({ reference }) => /ON DELETE (CASCADE|SET NULL)/.exec(reference)?.[1] ?? reference);
    expect(rows.length).toBeGreaterThan(10);
    expect([...new Set(endings)].toSorted()).toEqual(['CASCADE', 'SET NULL']);
  });

  it('is refused to the only owner of a workspace, who is told which', async () => {
    const dana = await one.signUp('Dana');
    const alone = await dana.createWorkspace('Alone');
    const shared = await dana.createWorkspace('Shared');
    const erin = await one.signUp('Erin');
    await addMember(database, { workspace: shared, userId: erin.userId, role: 'admin' });
    const { json } = await dana.call('GET', '/api/profile/deletion');
    expect(json.blocking.toSorted((a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name))).toEqual([
      { id: alone, name: 'Alone', other_members: 0 },
      { id: shared, name: 'Shared', other_members: 1 },
    ]);
    const refused = await remove(dana);
    expect(refused.status).toBe(409);
    expect(refused.json.error.message).toMatch(/You are the only owner of (Alone|Shared) and 1 more\. Transfer it/);
    expect(await exists(dana)).toBe(true);
    // With another owner of the one, and the other on its way out, nothing keeps her.
    await database.query("update workspace_members set role = 'owner' where workspace_id = $1", [shared]);
    const gone = await dana.call('POST', `/api/workspaces/${alone}/delete`, {
      workspace: alone,
      body: { name: 'Alone' },
    });
    expect(gone.status).toBe(200);
    expect((await dana.call('GET', '/api/profile/deletion')).json).toEqual({ blocking: [] });
    expect((await remove(dana)).status).toBe(200);
    expect((await erin.call('GET', `/api/workspaces/${shared}`, { workspace: shared })).json.member_count).toBe(1);
  });

  it('leaves its workspace with an owner, where both owners delete their accounts at once', async () => {
    const dana = await one.signUp('Dana');
    const erin = await one.signUp('Erin');
    const shared = await dana.createWorkspace('Shared');
    await addMember(database, { workspace: shared, userId: erin.userId, role: 'owner' });
    const answers = await Promise.all([remove(dana), remove(erin)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('is not deleted while a workspace is being transferred to it', async () => {
    const dana = await one.signUp('Dana');
    const erin = await one.signUp('Erin');
    const shared = await dana.createWorkspace('Shared');
    await addMember(database, { workspace: shared, userId: erin.userId, role: 'admin' });
    await database.query('begin');
    await database.query('select from workspaces where id = $1 for no key update', [shared]);
    await database.query(
      "update workspace_members set role = case when user_id = $2 then 'owner' else 'admin' end where workspace_id = $1",
      [shared, erin.userId],
    );
    const deletion = remove(erin);
    await expect.poll(waitingForLocks).toBe(1);
    await database.query('commit');
    expect((await deletion).json.error.message).toContain('You are the only owner of Shared.');
    expect(await exists(erin)).toBe(true);
  });

  it('leaves no workspace behind that it was creating', async () => {
    const dana = await one.signUp('Dana');
    const creator = await connectOwner(one.databaseUrl);
    await creator.query('begin');
    const { rows } = await creator.query<{ id: string }>(
      "insert into workspaces (name, slug) values ('New', 'new-of-dana') returning id",
    );
    await addMember(creator, { workspace: rows[0]?.id ?? '', userId: dana.userId, role: 'owner' });
    const deletion = remove(dana);
    await expect.poll(waitingForLocks).toBe(1);
    await creator.query('commit');
    await creator.end();
    expect((await deletion).json.error.message).toContain('You are the only owner of New.');
  });

  it('had its address typed, and its person asked who they are', async () => {
    const dana = await newMember();
    const wrong = await remove(dana, owner.email);
    expect(wrong.json.error.fields).toEqual([{ path: 'email', message: `Type ${dana.email}` }]);
    await database.query("update auth_sessions set created_at = now() - interval '11 minutes' where user_id = $1", [
      dana.userId,
    ]);
    expect((await remove(dana)).json.error.code).toBe('reauthentication_required');
    expect(await exists(dana)).toBe(true);
    await dana.call('POST', '/api/reauthentication', { body: { password: 'correct horse battery' } });
    expect((await remove(dana, dana.email.toUpperCase())).status).toBe(200);
  });

  it('is never the demo’s', async () => {
    const entered = await fetch(one.links.demo ?? '', { method: 'POST', redirect: 'manual' });
    const cookie = entered.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const { status, json } = await owner.call('POST', '/api/profile/delete', {
      body: { email: 'anything@example.com' },
      headers: { cookie },
    });
    expect(status).toBe(403);
    expect(json.error.message).toContain('A demo account cannot be changed or deleted');
  });

  it('had its data downloaded as one file, without secrets', async () => {
    const dana = await newMember('admin');
    await dana.call('POST', '/api/push-browsers', { workspace, body: samplePushBrowser });
    await dana.call('PUT', '/api/profile/picture', { body: { picture: samplePicture.dataUrl } });
    await dana.call('PUT', `/api/workspaces/${workspace}/picture`, {
      workspace,
      body: { picture: samplePicture.dataUrl },
    });
    const ask = (email: string) =>
      database.query(
        `with asked as (
           insert into support_requests (email, category, subject, message, created_at)
           values ($1, 'billing', 'An invoice', 'Where is it?', now()) returning id)
         insert into support_answers (request_id, author, message, created_at) select id, 'Ann', 'Here.', now() from asked`,
        [email],
      );
    await ask(dana.email);
    await ask('somebody.else@example.com');
    const downloaded = async () => (await dana.call('GET', '/api/profile/data')).json;
    await database.query('update profiles set email_verified = false where id = $1', [dana.userId]);
    expect((await downloaded()).support_requests, 'of an address that nobody has confirmed').toEqual([]);
    await database.query('update profiles set email_verified = true where id = $1', [dana.userId]);
    const { status, headers, json } = await dana.call('GET', '/api/profile/data');
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="cuebird-my-data.json"');
    expect(json).toMatchObject({
      profile: { email: dana.email, full_name: 'Dana', notifications: { missed: true, over_plan: true } },
      sign_in_methods: [{ provider: 'credential' }],
      sessions: [{ user_agent: expect.any(String) }],
      support_requests: [
        {
          category: 'billing',
          subject: 'An invoice',
          message: 'Where is it?',
          answers: [{ message: 'Here.', created_at: expect.any(String) }],
        },
      ],
      workspaces: [{ id: workspace, name: 'Elm Street', role: 'admin', push_devices: [{ service: '127.0.0.1:2' }] }],
    });
    const acts: { action: string }[] = json.workspaces[0].acts;
    expect(acts.map(({ action }) => action)).toContain('workspace.picture_changed');
    const { rows } = await database.query<{ secret: string }>(
      `select token as secret from auth_sessions where user_id = $1
       union all select password from auth_accounts where user_id = $1
       union all select endpoint from push_browsers where user_id = $1`,
      [dana.userId],
    );
    expect(rows).toHaveLength(3);
    for (const { secret } of rows) expect(JSON.stringify(json)).not.toContain(secret);
    expect(JSON.stringify(json)).not.toContain(owner.email);
  });
});
