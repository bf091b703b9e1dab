import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#platform/database.ts';
import { addMember } from '#testing/owner.ts';
import { openTables, type Tables } from '#testing/tables.ts';

/** What a request may write, where a column gives power, money or somebody's identity. */
const ofRequests: Record<string, { insert: string; update: string }> = {
  profiles: { insert: '', update: 'avatar_url full_name notify_missed notify_over_plan time_zone updated_at' },
  workspaces: {
    insert: 'description id name slug',
    update: 'avatar_url delete_after description name reminders_paused_until settings updated_at',
  },
  workspace_members: { insert: 'role user_id workspace_id', update: 'first_steps_dismissed_at role' },
  workspace_invitations: {
    insert: 'created_at email expires_at invited_by role token_hash workspace_id',
    update: 'created_at declined_at expires_at invited_by role token_hash',
  },
  api_keys: {
    insert: 'created_at created_by expires_at name owned_by prefix role scopes token_hash workspace_id',
    update: 'expires_at last_used_at owned_by revoked_at',
  },
  audit_log: { insert: 'action actor_id created_at details target workspace_id', update: '' },
  request_counts: { insert: 'bucket expires_at subject used user_id workspace_id', update: 'expires_at used' },
  auth_sessions: { insert: '', update: '' },
  auth_accounts: { insert: '', update: '' },
  auth_verifications: { insert: '', update: '' },
};

const howTo =
  'A migration that adds a column which a request writes grants it: `grant update (column) on table to cuebird_app`, and insert where inserts are listed by column. Then list it here.';

describe('the columns that each role may write', () => {
  let tables: Tables;
  let owner: Client;
  let database: Database;
  let dana: string;
  let erin: string;
  let workspace: string;

  beforeAll(async () => {
    tables = await openTables();
    ({ owner, database, dana, erin } = tables);
    workspace = await tables.insertWorkspace('elm');
    await addMember(owner, { workspace, userId: dana, role: 'admin' });
    await addMember(owner, { workspace, userId: erin, role: 'owner' });
  });
  afterAll(() => tables.close());

  async function columnsOf(role: string, right: 'insert' | 'update'): Promise<Record<string, string[]>> {
    const { rows } = await owner.query<{ table: string; columns: string[] }>(
      `select c.relname as table,
              coalesce(array_agg(a.attname::text order by a.attname::text)
                         filter (where has_column_privilege($1, c.oid, a.attnum, $2)), '{}') as columns
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        group by 1`,
      [role, right],
    );
    return Object.fromEntries(rows.map(({ table, columns }) => [table, columns]));
  }

  /** As a request of Dana's, which our code would never send. */
  async function asDana(sql: string, values: unknown[] = []) {
    const client = await database.appPool.connect();
    try {
      await client.query('begin');
      await client.query("select set_config('app.workspace_id', $1, true), set_config('app.user_id', $2, true)", [
        workspace,
        dana,
      ]);
      return await client.query(sql, values);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  it('are these for a request, where they matter most', async () => {
    const [insert, update] = [await columnsOf('cuebird_app', 'insert'), await columnsOf('cuebird_app', 'update')];
    for (const [table, may] of Object.entries(ofRequests))
      expect({ insert: insert[table]?.join(' '), update: update[table]?.join(' ') }, `${table}: ${howTo}`).toEqual(may);
  });

  it('never are the id of a row, its workspace, who made it, or whose it is', async () => {
    const fixed = ['id', 'workspace_id', 'created_by', 'user_id', 'is_demo', 'is_system_admin'];
    const found = async (role: string) =>
      Object.entries(await columnsOf(role, 'update')).flatMap(([table, columns]) =>
        columns.filter((column) => fixed.includes(column)).map((column) => `${table}.${column}`),
      );
    // A browser belongs to whoever used it last.
    expect((await found('cuebird_app')).toSorted(), howTo).toEqual(['push_browsers.user_id']);
    const ofSignIn = (await found('cuebird_auth')).filter((column) => /^auth_(sessions|accounts)\./.test(column));
    expect(ofSignIn, howTo).toEqual([]);
  });

  it.each([
    ['the plan', "update workspaces set subscription_tier = 'enterprise'"],
    ['the state of the plan', "update workspaces set subscription_status = 'active'"],
    ['the end of the plan', "update workspaces set subscription_end_date = '2099-01-01Z'"],
    ['the plan, beside the name', "update workspaces set name = 'Oak', subscription_tier = 'enterprise'"],
    [
      'a new workspace with a plan',
      "insert into workspaces (name, slug, subscription_tier) values ('Oak', 'oak', 'premium')",
    ],
    ['an address', "update profiles set email = 'mallory@example.com'"],
    ['an administrator', 'update profiles set is_system_admin = true'],
    ['a confirmed address', 'update profiles set email_verified = true'],
    ['the role of an API key', "update api_keys set role = 'admin'"],
    ['the hash of an API key', "update api_keys set token_hash = 'known'"],
    ['the workspace of a channel', 'update channels set workspace_id = uuidv7()'],
    ['the own role', "update workspace_members set role = 'owner' where user_id = current_user_id()"],
    [
      'a second owner',
      "insert into workspace_members (workspace_id, user_id, role) values (current_workspace_id(), uuidv7(), 'owner')",
    ],
  ])('are not %s, for a request', async (_, sql) => {
    await expect(asDana(sql)).rejects.toMatchObject({ code: '42501' });
  });

  it('are those of oneself only', async () => {
    expect((await asDana("update profiles set full_name = 'Mallory'")).rowCount).toBe(1);
    expect((await asDana("update profiles set full_name = 'Mallory' where id = $1", [erin])).rowCount).toBe(0);
    expect((await asDana("update workspaces set name = 'Oak'")).rowCount).toBe(1);
    const own = 'update workspace_members set role = $1 where user_id = current_user_id()';
    expect((await asDana(own, ['member'])).rowCount).toBe(1);
  });
});
