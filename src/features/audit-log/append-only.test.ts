import { Kysely } from 'kysely';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findActors, findActs } from '#features/audit-log/audit-log.db.ts';
import { type Database, TenantDialect } from '#platform/database.ts';
import type { Schema } from '#platform/schema.ts';
import { type Asked, plansOf } from '#testing/plans.ts';
import { openTables, type Tables } from '#testing/tables.ts';

describe('the table of the audit log', () => {
  let tables: Tables;
  let owner: Client;
  let database: Database;
  let dana: string;
  let erin: string;
  let workspace: string;
  let large: string;

  beforeAll(async () => {
    tables = await openTables();
    ({ owner, database, dana, erin } = tables);
    workspace = await tables.insertWorkspace('elm');
    large = await tables.insertWorkspace('oak');
  });
  afterAll(() => tables.close());

  async function asApp(sql: string, values: unknown[] = []) {
    const client = await database.appPool.connect();
    try {
      await client.query('begin');
      await client.query(
        "select set_config('app.workspace_id', $1, true), set_config('app.user_id', $2, true), set_config('app.client_address', '192.0.2.1', true)",
        [workspace, dana],
      );
      return (await client.query(sql, values)).rows;
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  const insert = 'insert into audit_log (workspace_id, actor_id, action) values ($1, $2, $3)';

  it('refuses changes and deletions by everybody, its owner included, until 400 days have passed', async () => {
    await owner.query(insert, [workspace, dana, 'member.left']);
    await owner.query("insert into audit_log (action, created_at) values ('old', now() - interval '401 days')");
    for (const sql of [
      "update audit_log set action = 'x'",
      'delete from audit_log',
      'truncate audit_log',
      `delete from audit_log where workspace_id = '${workspace}'`,
    ])
      await expect(owner.query(sql), sql).rejects.toMatchObject({ code: '42501' });
    const young = "select from audit_log where created_at > now() - interval '1 day'";
    const before = (await owner.query(young)).rowCount;
    expect((await database.engine.query("select delete_old_acts('infinity', 100) as gone")).rows).toEqual([
      { gone: 1 },
    ]);
    expect((await owner.query(young)).rowCount).toBe(before);
    for (const role of [database.appPool, database.engine, database.auth])
      for (const sql of ["update audit_log set action = 'x'", 'delete from audit_log', 'truncate audit_log'])
        await expect(role.query(sql), sql).rejects.toMatchObject({ code: '42501' });
  });

  it('takes the name and the address from the database, never from whoever writes', async () => {
    const [row] = await asApp(`${insert} returning actor_kind, actor_name, actor_email, client_address`, [
      workspace,
      dana,
      'member.left',
    ]);
    expect(row).toEqual({
      actor_kind: 'person',
      actor_name: 'Dana',
      actor_email: 'dana@example.com',
      client_address: '192.0.2.1',
    });
    await expect(asApp(insert, [workspace, erin, 'member.left'])).rejects.toThrow(/row-level security/);
    await expect(asApp(insert, [large, dana, 'member.left'])).rejects.toThrow(/row-level security/);
    await expect(
      asApp("insert into audit_log (workspace_id, action, actor_name) values ($1, 'x', 'Erin')", [workspace]),
    ).rejects.toMatchObject({ code: '42501' });
  });

  it('lets a request record acts on no account but its own, and sign-in nothing but acts on accounts', async () => {
    await asApp("select record_own_act('account.password_changed', '{}', now())");
    await expect(asApp("select record_account_act($1, true, 'account.x', '{}', null, now())", [erin])).rejects.toThrow(
      /permission denied/,
    );
    await expect(
      database.auth.query("select record_account_act($1, true, 'member.removed', '{}', null, now())", [dana]),
    ).rejects.toThrow('member.removed is not an act on an account');
  });

  it('is read by index, whatever the filter, and only as far as the page', async () => {
    await owner.query(
      `insert into audit_log (workspace_id, actor_id, action, created_at)
       select $1, case when n % 1000 = 0 then $2::uuid else $3::uuid end,
              case when n % 1000 = 0 then 'export.jobs' else 'sign_in.succeeded' end, now() - n * interval '1 minute'
         from generate_series(1, 40000) n`,
      [large, dana, erin],
    );
    await owner.query('analyze audit_log');
    const asked: Asked[] = [];
    const watched = new Kysely<Schema>({
      dialect: new TenantDialect({ pool: database.appPool }),
      log: ({ query }) => void asked.push(query),
    });
    const of = { workspaceId: large, after: null, limit: 30 };
    const readBy = async (query: Parameters<typeof plansOf>[1]) => {
      const plans = JSON.stringify(await plansOf({ watched, asked, workspace: large }, query, { isRun: true }));
      return {
        most: Math.max(...[...plans.matchAll(/"Actual Rows":([\d.]+)/g)].map(([, rows]) => Number(rows))),
        isSorted: plans.includes('"Index Name":"audit_log_by_age"'),
        scansAll: plans.includes('"Node Type":"Seq Scan"'),
        removed: Math.max(
          0,
          ...[...plans.matchAll(/"Rows Removed by Filter":([\d.]+)/g)].map(([, rows]) => Number(rows)),
        ),
      };
    };
    const filters = [{}, { who: dana }, { kind: 'export' }, { who: erin, from: '2026-01-01T00:00:00Z' }] as const;
    for (const matches of filters) {
      const { most, removed, ...plan } = await readBy((db) => findActs(db, { ...of, matches }));
      expect(plan, JSON.stringify(matches)).toEqual({ isSorted: false, scansAll: false });
      expect(most, JSON.stringify(matches)).toBeLessThanOrEqual(31);
      expect(removed, JSON.stringify(matches)).toBeLessThanOrEqual(31);
    }
    const actors = await readBy((db) => findActors(db, { workspaceId: large, limit: 500 }));
    expect(actors).toMatchObject({ scansAll: false });
    expect(actors.most).toBeLessThanOrEqual(3);
  });
});
