import { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as analytics from '#features/analytics/analytics.db.ts';
import { TenantDialect } from '#platform/database.ts';
import type { Schema } from '#platform/schema.ts';
import { type Asked, plansOf } from '#testing/plans.ts';
import { openTables, type Tables } from '#testing/tables.ts';

describe('the figures of runs in a workspace with 20,000 tests', () => {
  let tables: Tables;
  let watched: Kysely<Schema>;
  let workspace: string;
  const asked: Asked[] = [];

  beforeAll(async () => {
    tables = await openTables();
    watched = new Kysely<Schema>({
      dialect: new TenantDialect({ pool: tables.database.appPool }),
      log: ({ query }) => void asked.push(query),
    });
    workspace = await tables.insertWorkspace('elm-street');
    await tables.owner.query(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, started_at, completed_at, run_outcome)
       select $1, 'Rent', case when n <= 20000 then 'test_reminder' else 'reminder' end, 'completed', at, at, at, at, 'accepted'
         from (select n, timestamptz '2026-01-01Z' + n * interval '1 minute' as at from generate_series(1, 21000) n) times`,
      [workspace],
    );
    await tables.owner.query('vacuum (analyze) jobs, job_executions');
  });
  afterAll(() => tables.close());

  /** Whether each run is looked up in a hash of the tests. In an array, or in a plain subplan, all of them would be compared with it. */
  const isHashed = (plan: string) =>
    plan.includes('hashed SubPlan') &&
    // Whether a reminder is done asks for the jobs of that reminder, by their index and a few states.
    !/= ANY \((?!'\{)|[( ]SubPlan \d+\)/.test(plan.replaceAll(/hashed SubPlan|EXISTS\(SubPlan \d+\)/g, ''));

  it('looks each run up in a hash of the tests', async () => {
    const of = { workspaceId: workspace };
    const now = Temporal.Instant.from('2026-03-01T00:00:00Z');
    const plans = await plansOf({ watched, asked, workspace }, async (db) => {
      await analytics.measureExecutions(db, of);
      await analytics.latestExecutions(db, { ...of, limit: 10, now });
    });
    for (const plan of plans.map((one) => JSON.stringify(one))) expect(isHashed(plan), plan).toBe(true);
  });

  it('does so for administrators of the installation', async () => {
    const { owner, dana } = tables;
    await owner.query('update profiles set is_system_admin = true where id = $1', [dana]);
    const plans: string[] = [];
    owner.on('notice', ({ message = '' }) => void plans.push(message));
    await owner.query(`load 'auto_explain'`);
    await owner.query('begin');
    for (const [name, value] of [
      ['app.user_id', dana],
      ['enable_seqscan', 'off'],
      ['work_mem', '4MB'],
      ['auto_explain.log_min_duration', '0'],
      ['auto_explain.log_nested_statements', 'on'],
      ['auto_explain.log_level', 'notice'],
    ])
      await owner.query('select set_config($1, $2, true)', [name, value]);
    const { rows } = await owner.query(
      `select analytics_for_administrator($1, 10) -> 'executions' ->> 'total' as total`,
      [workspace],
    );
    await owner.query('commit');
    expect(rows).toEqual([{ total: '1000' }]);
    const [plan = ''] = plans.filter((one) => one.includes('as average_ms'));
    expect(isHashed(plan), plan).toBe(true);
  });
});
