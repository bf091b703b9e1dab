import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, inTenant, openDatabase } from '#platform/database.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { addMember } from '#testing/owner.ts';
import { insertInvitation, insertThings, type Things } from '#testing/sample-rows.ts';
import { openTables, type Tables } from '#testing/tables.ts';

const tenantTables = [
  'channels',
  'reminders',
  'jobs',
  'deliveries',
  'job_executions',
  'executions',
  'sandbox_messages',
  'sandbox_simulated_failures',
  'idempotency_keys',
  'audit_log',
  'workspace_members',
  'workspace_invitations',
  'api_keys',
  'request_counts',
  'events',
  'event_payloads',
  'received_reports',
  'reminder_hooks',
  'hook_calls',
  'signing_secrets',
  'calendar_sources',
  'webhooks',
  'webhook_activities',
  'push_browsers',
  'template_categories',
  'topics',
  'consent_texts',
  'consents',
  'preferences',
  'templates',
  'template_versions',
];
const authTables = ['auth_sessions', 'auth_accounts', 'auth_verifications'];

describe('the boundary between workspaces', () => {
  let tables: Tables;
  let owner: Client;
  let database: Database;
  let dana: string;
  let here: Things;
  let there: Things;

  beforeAll(async () => {
    tables = await openTables();
    ({ owner, database, dana } = tables);
    here = await settle('here', dana);
    there = await settle('there', tables.erin);
  });
  afterAll(() => tables.close());

  /** A workspace with one row in every table. */
  async function settle(slug: string, userId: string): Promise<Things> {
    const workspace = await tables.insertWorkspace(slug);
    await addMember(owner, { workspace, userId, role: 'owner' });
    const things = await insertThings(owner, { workspace, userId });
    const of = [workspace, things.failedJob];
    await owner.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status)
       values ($1, $2, now(), 'email', 'dana@example.com', 'queued')`,
      of,
    );
    await owner.query(
      "insert into job_executions (workspace_id, job_id, status, started_at) values ($1, $2, 'failed', now())",
      of,
    );
    await owner.query(
      "insert into idempotency_keys (workspace_id, user_id, key, request_hash) values ($1, $2, 'k', 'h')",
      [workspace, userId],
    );
    await owner.query("insert into audit_log (workspace_id, action) values ($1, 'tried')", [workspace]);
    await owner.query(
      "insert into request_counts (workspace_id, bucket, used, expires_at) values ($1, 'api', 1, now() + interval '1 hour')",
      [workspace],
    );
    await insertInvitation(owner, things, { email: 'guest@example.com' });
    await owner.query('insert into reminder_hooks (workspace_id, reminder_id) values ($1, $2)', [
      workspace,
      things.hookedReminder,
    ]);
    await owner.query(
      "insert into hook_calls (workspace_id, reminder_id, slot, received_at, status, problem) values ($1, $2, 1, now(), 401, 'no')",
      [workspace, things.hookedReminder],
    );
    await owner.query("insert into signing_secrets (workspace_id, sealed_secret) values ($1, 's')", [workspace]);
    await owner.query(
      "insert into push_browsers (workspace_id, user_id, endpoint, p256dh, auth) values ($1, $2, 'http://127.0.0.1:2/', 'k', 'k')",
      [workspace, userId],
    );
    return things;
  }

  /** No request may move a row, by the rights on columns: without that, its policies alone refuse it. */
  const allowMoves = (table: string) => owner.query(`grant update (workspace_id) on ${table} to cuebird_app`);

  /** Runs what nobody has written in our code: SQL without a word about the workspace. */
  async function asApp<Row extends object>(sql: string, { settings = {} }: { settings?: Record<string, string> } = {}) {
    const client = await database.appPool.connect();
    try {
      await client.query('begin');
      for (const [name, value] of Object.entries(settings))
        await client.query('select set_config($1, $2, true)', [name, value]);
      const { rows, rowCount } = await client.query<Row>(sql);
      return { rows, rowCount };
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  const inHere = () => ({ settings: { 'app.workspace_id': here.workspace, 'app.user_id': dana } });

  it.each(tenantTables)('a query on %s that forgets the workspace sees its own rows only', async (table) => {
    const { rows } = await asApp<{ workspace_id: string }>(`select workspace_id from ${table}`, inHere());
    expect(rows.length).toBeGreaterThan(0);
    expect([...new Set(rows.map((row) => row.workspace_id))]).toEqual([here.workspace]);
  });

  it.each(tenantTables)('naming the other workspace in a query on %s finds nothing', async (table) => {
    const { rows } = await asApp(`select * from ${table} where workspace_id = '${there.workspace}'`, inHere());
    expect(rows).toEqual([]);
  });

  it('nor does a join, a view of the catalog or a function reach over', async () => {
    const names = await asApp<{ slug: string }>('select slug from workspaces', inHere());
    expect(names.rows).toEqual([{ slug: 'here' }]);
    const people = await asApp<{ email: string }>('select email from profiles', inHere());
    expect(people.rows).toEqual([{ email: 'dana@example.com' }]);
    await expect(asApp('select stavalues1 from pg_statistic', inHere())).rejects.toThrow(/permission denied/);
    await expect(asApp('select pg_read_file($$/etc/passwd$$)', inHere())).rejects.toThrow(/permission denied/);
  });

  it.each([
    'reminders',
    'jobs',
    'channels',
    'deliveries',
    'job_executions',
    'workspace_members',
    'workspace_invitations',
    'idempotency_keys',
  ])('rows of %s next door are neither changed nor removed nor taken over', async (table) => {
    await allowMoves(table);
    const inTheirs = `where workspace_id = '${there.workspace}'`;
    const counts = [
      (await asApp(`delete from ${table} ${inTheirs}`, inHere())).rowCount,
      (await asApp(`update ${table} set workspace_id = '${here.workspace}' ${inTheirs}`, inHere())).rowCount,
    ];
    expect(counts).toEqual([0, 0]);
    await expect(
      asApp(
        `update ${table} set workspace_id = '${there.workspace}' where workspace_id = '${here.workspace}'`,
        inHere(),
      ),
    ).rejects.toThrow(/row-level security/);
  });

  it('a row cannot be put into the workspace next door, nor point there', async () => {
    await expect(
      asApp(`insert into channels (workspace_id, name, type) values ('${there.workspace}', 'x', 'email')`, inHere()),
    ).rejects.toThrow(/row-level security/);
    await expect(
      asApp(
        `insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at)
         values ('${here.workspace}', '${there.reminder}', 'x', 'reminder', 'pending', now(), now())`,
        inHere(),
      ),
    ).rejects.toThrow(/row-level security/);
  });

  it.each<[string, Record<string, string>]>([
    ['no workspace', {}],
    [
      'an empty text, as a setting reads after the transaction that set it',
      { 'app.workspace_id': '', 'app.user_id': '' },
    ],
  ])('a transaction that names %s sees nothing', async (_, settings) => {
    for (const table of [...tenantTables, 'workspaces', 'profiles'])
      expect((await asApp(`select from ${table}`, { settings })).rowCount, table).toBe(0);
  });

  it('one that names nonsense is refused', async () => {
    await expect(asApp('select from reminders', { settings: { 'app.workspace_id': 'x' } })).rejects.toThrow(/uuid/);
  });

  it('a connection forgets its workspace with the transaction, however that ends', async () => {
    const one = openDatabase(tables.url, { encryptionKey: TEST_ENCRYPTION_KEY, poolSizes: { app: 1 } });
    const work = () =>
      inTenant(one.app, { workspaceId: here.workspace, userId: dana }, (db) =>
        db.selectFrom('reminders').select('id').execute(),
      );
    expect(await work()).toHaveLength(2);
    expect((await one.appPool.query('select from reminders')).rowCount).toBe(0);
    const failing = inTenant(one.app, { workspaceId: here.workspace, userId: dana }, async () => {
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect((await one.appPool.query('select from reminders')).rowCount).toBe(0);
    const { rows } = await one.appPool.query("select current_setting('app.workspace_id', true) as left_over");
    expect(rows).toEqual([{ left_over: '' }]);
    await one.close();
  });

  it('no setting and no SET ROLE makes the role more than it is', async () => {
    for (const role of ['cuebird_engine', 'cuebird_auth', 'cuebird', 'pg_read_all_data'])
      await expect(asApp(`set role ${role}`), role).rejects.toThrow(/permission denied to set role/);
    await expect(asApp('set session authorization cuebird')).rejects.toThrow(/permission denied/);
    await expect(asApp('set local row_security = off; select from reminders', inHere())).rejects.toThrow(
      /row-level security/,
    );
    await expect(asApp('alter table reminders disable row level security')).rejects.toThrow(/must be owner/);
    await expect(asApp('create table mine (id int)')).rejects.toThrow(/permission denied/);
    await expect(asApp('select ensure_month_partitions(current_date, 1)')).rejects.toThrow(/permission denied/);
    await expect(asApp("copy reminders to program 'cat'")).rejects.toThrow(/permission denied|must be superuser/);
  });

  it('partitions are closed to every role: their rows are read through the parent alone', async () => {
    const { rows } = await owner.query<{ name: string }>(
      'select oid::regclass::text as name from pg_class where relispartition and relkind = $1',
      ['r'],
    );
    expect(rows.length).toBeGreaterThanOrEqual(10);
    for (const { name } of rows) {
      for (const pool of [database.appPool, database.engine, database.auth])
        await expect(pool.query(`select from ${name}`), name).rejects.toThrow(/permission denied/);
    }
  });

  it('the engine sees every workspace and nothing of sign-in', async () => {
    expect((await database.engine.query('select from jobs')).rowCount).toBe(8);
    for (const table of [
      ...authTables,
      'idempotency_keys',
      'workspace_members',
      'workspace_invitations',
      'api_keys',
      'request_counts',
      'events',
      'received_reports',
      'reminder_hooks',
      'hook_calls',
    ])
      await expect(database.engine.query(`select from ${table}`), table).rejects.toThrow(/permission denied/);
    await owner.query("insert into app_settings (key, value) values ('admin_setup', '1'), ('engine.x', '1')");
    expect((await database.engine.query('select key from app_settings')).rows).toEqual([{ key: 'engine.x' }]);
    await expect(database.engine.query("update reminders set name = 'x'")).rejects.toThrow(/permission denied/);
  });

  it('sign-in sees people and nothing of what they do', async () => {
    expect((await database.auth.query('select from profiles')).rowCount).toBe(2);
    for (const table of [
      'reminders',
      'jobs',
      'channels',
      'deliveries',
      'job_executions',
      'executions',
      'workspaces',
      'workspace_members',
      'workspace_invitations',
      'api_keys',
      'events',
      'event_payloads',
      'received_reports',
      'reminder_hooks',
      'hook_calls',
      'signing_secrets',
      'calendar_sources',
      'webhooks',
      'webhook_activities',
    ])
      await expect(database.auth.query(`select from ${table}`), table).rejects.toThrow(/permission denied/);
    expect((await database.auth.query('select from sandbox_messages')).rowCount).toBe(0);
  });

  it('requests see no passwords and no sessions, and cannot unwrite the audit log', async () => {
    for (const table of [...authTables, 'app_settings'])
      await expect(asApp(`select from ${table}`, inHere()), table).rejects.toThrow(/permission denied/);
    await expect(asApp('select email_verified from profiles', inHere())).rejects.toThrow(/permission denied/);
    await expect(asApp("update audit_log set action = 'other'", inHere())).rejects.toThrow(/permission denied/);
    await expect(asApp('delete from audit_log', inHere())).rejects.toThrow(/permission denied/);
  });

  it.each(['api_keys', 'request_counts', 'events', 'reminder_hooks', 'hook_calls', 'signing_secrets'])(
    'rows of %s next door are neither changed nor taken over, and nobody removes them',
    async (table) => {
      await allowMoves(table);
      const taking = `update ${table} set workspace_id = '${here.workspace}' where workspace_id = '${there.workspace}'`;
      expect((await asApp(taking, inHere())).rowCount).toBe(0);
      await expect(
        asApp(
          `update ${table} set workspace_id = '${there.workspace}' where workspace_id = '${here.workspace}'`,
          inHere(),
        ),
      ).rejects.toThrow(/row-level security/);
      await expect(asApp(`delete from ${table}`, inHere())).rejects.toThrow(/permission denied/);
    },
  );

  it('what a key has sent is known to that key alone, not to a person or another key', async () => {
    await owner.query(
      "insert into idempotency_keys (workspace_id, api_key_id, key, request_hash) values ($1, $2, 'of a key', 'h')",
      [here.workspace, here.apiKey],
    );
    const keysSeenBy = async (settings: Record<string, string>) => {
      const all = { 'app.workspace_id': here.workspace, ...settings };
      const { rows } = await asApp<{ key: string }>('select key from idempotency_keys', { settings: all });
      return rows.map((row) => row.key);
    };
    expect(await keysSeenBy({ 'app.user_id': dana })).toEqual(['k']);
    expect(await keysSeenBy({ 'app.api_key_id': here.apiKey })).toEqual(['of a key']);
    expect(await keysSeenBy({ 'app.api_key_id': there.apiKey })).toEqual([]);
    expect(await keysSeenBy({})).toEqual([]);
  });

  it('every table with a workspace has forced row-level security and a policy', async () => {
    const { rows } = await owner.query(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
        where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition
          and (not c.relforcerowsecurity or not exists (select from pg_policy p where p.polrelid = c.oid))`,
    );
    expect(rows).toEqual([]);
  });
});
