import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

describe('the workspaces of the installation', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let ann: TestPerson;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    ({ owner } = cuebird);
    ann = await cuebird.signUp('Ann');
    await owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const names = async (person: TestPerson, query = '') =>
    (await person.call('GET', `/api/admin/workspaces?limit=200&${query}`)).json.data.map(
      ({ name }: { name: string }) => name,
    );
  const act = (method: 'PUT' | 'DELETE', what: string, id = workspace) =>
    ann.call(method, `/api/admin/workspaces/${id}/${what}`);

  async function insertDueJob(of: string): Promise<string> {
    const { rows } = await owner.query<{ id: string }>(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, payload)
       values ($1, 'Rent', 'api_notification', 'pending', now(), now(), $2) returning id`,
      [of, { channels: ['email'], recipients: ['erika@example.com'], content: { subject: 'Rent', message: 'Due' } }],
    );
    return rows[0]?.id ?? '';
  }
  const statusOf = async (job: string) =>
    (await owner.query<{ status: string }>('select status from jobs where id = $1', [job])).rows[0]?.status;

  it('are listed newest first with their members: all of them, or those that one administers', async () => {
    const finn = await cuebird.signUp('Finn');
    await finn.createWorkspace('Mill Road');
    await addMember(owner, { workspace, userId: finn.userId, role: 'admin' });
    const { rows } = await owner.query('select name from workspaces order by created_at desc, id desc');
    expect(await names(ann)).toEqual(rows.map(({ name }) => name));
    expect(await names(finn)).toEqual(['Mill Road', 'Elm Street']);
    expect(await names(finn, 'search=MILL')).toEqual(['Mill Road']);
    await owner.query("update workspace_members set role = 'member' where workspace_id = $1 and user_id = $2", [
      workspace,
      finn.userId,
    ]);
    expect(await names(finn)).toEqual(['Mill Road']);
    const { json } = await ann.call('GET', `/api/admin/workspaces/${workspace}`);
    expect(json).toMatchObject({
      id: workspace,
      name: 'Elm Street',
      member_count: 2,
      owner_email: dana.email,
      suspended_at: null,
      members: [
        { email: dana.email, role: 'owner' },
        { email: finn.email, role: 'member' },
      ],
    });
    expect((await finn.call('GET', `/api/admin/workspaces/${workspace}`)).status).toBe(403);
  });

  it('name the demo of whoever started the installation, which counts as any other', async () => {
    const erin = await cuebird.signUp('Erin');
    await erin.createWorkspace('Harbour');
    await owner.query('update profiles set is_demo = true where id = $1', [erin.userId]);
    const list = async (person: TestPerson, query = '') =>
      (await person.call('GET', `/api/admin/workspaces?limit=200&${query}`)).json.data.map(
        ({ name, is_demo: isDemo }: { name: string; is_demo: boolean }) => [name, isDemo],
      );
    const all = await list(ann);
    expect(all).toHaveLength((await ann.call('GET', '/api/admin/overview')).json.workspaces);
    expect(all.filter(([, isDemo]: [string, boolean]) => isDemo)).toEqual([['Harbour', true]]);
    expect(await list(erin)).toEqual([['Harbour', true]]);
    expect(await list(ann, 'demos=only')).toEqual([]);
  });

  it('send nothing and refuse every request while one is suspended, and go on afterwards', async () => {
    const made = await dana.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
    });
    const headers = { authorization: `Bearer ${made.json.key}`, cookie: '' };
    const suspended = await act('PUT', 'suspension');
    expect([suspended.status, suspended.json.suspended_at]).toEqual([200, expect.any(String)]);
    expect((await act('PUT', 'suspension')).json).toEqual(suspended.json);
    const refused = await dana.call('GET', '/api/reminders', { workspace });
    expect([refused.status, refused.json.error.message]).toEqual([
      403,
      'This workspace is suspended. Ask an administrator of this installation to lift the suspension.',
    ]);
    expect((await dana.call('GET', '/api/reminders', { headers })).status).toBe(403);
    const seen = await dana.call('GET', `/api/workspaces/${workspace}`, { workspace });
    expect([seen.status, seen.json.suspended_at]).toEqual([200, suspended.json.suspended_at]);
    const waiting = await insertDueJob(workspace);
    const next = await insertDueJob(await dana.createWorkspace('Oak Lane'));
    await owner.query("select pg_notify('cuebird_due', '')");
    // It came due later and has been claimed: so the other one would have been, too.
    await expect.poll(() => statusOf(next)).not.toBe('pending');
    expect(await statusOf(waiting)).toBe('pending');

    expect((await act('DELETE', 'suspension')).json.suspended_at).toBeNull();
    expect((await dana.call('GET', '/api/reminders', { workspace })).status).toBe(200);
    await expect.poll(() => statusOf(waiting)).not.toBe('pending');
  });

  it('are restored within a week of their deletion, and say in their own log that an administrator did it', async () => {
    await owner.query("update workspaces set delete_after = now() + interval '3 days' where id = $1", [workspace]);
    expect((await act('DELETE', 'deletion')).json.delete_after).toBeNull();
    expect((await dana.call('GET', '/api/reminders', { workspace })).status).toBe(200);
    expect((await act('DELETE', 'deletion')).status).toBe(409);
    await owner.query("update workspaces set delete_after = now() - interval '1 minute' where id = $1", [workspace]);
    expect((await act('DELETE', 'deletion')).status).toBe(409);
    const { rows } = await owner.query(
      `select action, actor_kind, actor_id, client_address, workspace_id from audit_log
        where target = $1 and action like '%restored' order by workspace_id nulls first`,
      [workspace],
    );
    expect(rows).toEqual([
      {
        action: 'admin.workspace_restored',
        actor_kind: 'person',
        actor_id: ann.userId,
        client_address: '127.0.0.1',
        workspace_id: null,
      },
      {
        action: 'workspace.restored',
        actor_kind: 'administrator',
        actor_id: null,
        client_address: null,
        workspace_id: workspace,
      },
    ]);
  });

  it('have the figures that their members see', async () => {
    await owner.query(
      `with job as (
         insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, created_at)
         select $1, 'Rent ' || n, type, status, at - n * interval '1 hour', at, at
           from generate_series(1, 12) n, (values ('reminder', 'completed'), ('reminder', 'failed'), ('test_reminder', 'failed')) k (type, status),
                (values ('2026-03-10T09:00:00.123456Z'::timestamptz)) t (at)
         returning id, workspace_id, scheduled_for
       )
       insert into job_executions (workspace_id, job_id, status, started_at, duration_ms)
       select workspace_id, id, 'completed', scheduled_for, 251 from job`,
      [workspace],
    );
    const { json: own } = await dana.call('GET', '/api/analytics', { workspace });
    expect(own.jobs.total).toBe(24);
    const { json } = await ann.call('GET', `/api/admin/workspaces/${workspace}/analytics`);
    expect(json).toEqual({ ...own, name: 'Elm Street' });
    expect((await dana.call('GET', `/api/admin/workspaces/${workspace}/analytics`)).status).toBe(403);
  });

  it('that do not exist are not found, by any act', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect((await ann.call('GET', `/api/admin/workspaces/${nobody}/analytics`)).status).toBe(404);
    for (const [method, what] of [
      ['PUT', 'suspension'],
      ['DELETE', 'suspension'],
      ['DELETE', 'deletion'],
    ] as const)
      expect((await act(method, what, nobody)).status).toBe(404);
  });

  it('cannot be read by the functions of administrators in anybody else’s name', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select p.oid::regprocedure::text as name from pg_proc p
        where p.prosrc like '%assert_administrator()%' and has_function_privilege('cuebird_app', p.oid, 'execute')`,
    );
    expect(rows.length).toBeGreaterThan(7);
    for (const { name } of rows) {
      const [functionName = '', types = ''] = name.slice(0, -1).split('(');
      const nulls = types
        .split(',')
        .map((type) => `null::${type}`)
        .join(', ');
      await owner.query('begin');
      await owner.query("select set_config('app.user_id', $1, true)", [dana.userId]);
      await owner.query('set local role cuebird_app');
      await expect(owner.query(`select * from ${functionName}(${nulls})`), name).rejects.toThrow(
        'Only system administrators',
      );
      await owner.query('rollback');
    }
  });
});
