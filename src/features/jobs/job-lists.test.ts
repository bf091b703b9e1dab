import { randomUUID } from 'node:crypto';
import { Kysely, sql } from 'kysely';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JobStatus, jobStatuses } from '#contract/job-states.ts';
import { executionStatuses } from '#contract/job-states.ts';
import { archivedFilters, testsFilters } from '#contract/jobs.ts';
import * as deliveries from '#features/jobs/deliveries.db.ts';
import * as executions from '#features/jobs/executions.db.ts';
import * as jobs from '#features/jobs/jobs.db.ts';
import * as search from '#features/jobs/recipient-search.db.ts';
import { countOfJob, countOfJobs } from '#features/jobs/recipient-counts.db.ts';
import { findComparedTexts } from '#features/jobs/texts.db.ts';
import { findEarlierTexts } from '#features/reminders/earlier-texts.service.ts';
import { type Database, type Db, inTenant, TenantDialect } from '#platform/database.ts';
import type { Schema } from '#platform/schema.ts';
import { plansOf } from '#testing/plans.ts';
import { openTables, type Tables } from '#testing/tables.ts';
import { scansIn } from '#testing/watched-plans.ts';

const large = /^(jobs|deliveries\w*|job_executions\w*|queue)$/;

describe('a query on many jobs', () => {
  let tables: Tables;
  let owner: Client;
  let database: Database;
  let workspace: string;
  const contactId = randomUUID();
  const reminderId = randomUUID();
  const asked: { sql: string; parameters: readonly unknown[] }[] = [];
  let watched: Kysely<Schema>;

  beforeAll(async () => {
    tables = await openTables();
    ({ owner, database } = tables);
    watched = new Kysely<Schema>({
      dialect: new TenantDialect({ pool: database.appPool }),
      log: ({ query }) => void asked.push(query),
    });
    const { rows } = await owner.query<{ id: string }>(
      "insert into workspaces (name, slug) select 'W' || n, 'w' || n from generate_series(1, 3) n returning id",
    );
    workspace = rows[0]!.id;
    await owner.query(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, paused_at)
       select w.id, 'Rent', 'api_notification', u.status, timestamptz '2099-01-01Z' + n * interval '1 minute', '2099-01-01Z',
              case when u.status in ('completed', 'failed', 'cancelled') then now() end, case u.status when 'paused' then now() end
         from generate_series(1, 4000) n
        cross join workspaces w
        cross join lateral (select (array['completed', 'completed', 'failed', 'cancelled', 'pending', 'paused'])[1 + n % 6] as status) u`,
    );
    await owner.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, contact_id, status)
       select workspace_id, id, scheduled_for, 'email', 'Person' || r || '@Example.com', case r % 2 when 0 then $1::uuid end, 'accepted'
         from (select *, row_number() over (partition by workspace_id) % 40 as r from jobs) numbered`,
      [contactId],
    );
    await owner.query(
      `insert into reminders (id, workspace_id, name, status, schedule_config, content, metadata) values ($1, $2, 'Rent', 'draft', '{}', '{}', '{}')`,
      [reminderId, workspace],
    );
    await owner.query(
      `insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at, completed_at)
       select $1, $2, 'Rent', type, 'completed', timestamptz '2099-01-01Z' + n * interval '1 minute', '2099-01-01Z', now()
         from generate_series(1, 100) n cross join unnest(array['reminder', 'event_reminder', 'test_reminder']) as type`,
      [workspace, reminderId],
    );
    await owner.query('vacuum (analyze) jobs, queue, deliveries');
  });
  afterAll(() => tables.close());

  /** The tables that a query scans completely, from the plan of each of its statements. */
  async function readWhole(query: (db: Db) => Promise<unknown>): Promise<string[]> {
    return inTenant(watched, { workspaceId: workspace, userId: null }, async (db) => {
      // The transaction's own statements are sent with the first one.
      await sql`select`.execute(db);
      asked.length = 0;
      await query(db);
      const statements = asked.splice(0);
      expect(statements.length).toBeGreaterThan(0);
      const plans: unknown[] = [];
      for (const { sql: text, parameters } of statements) {
        const explain = sql.raw<{ 'QUERY PLAN': unknown }>(`explain (format json) ${text}`).compile(db);
        plans.push((await db.executeQuery({ ...explain, parameters })).rows);
      }
      const found = JSON.stringify(plans).matchAll(/"Node Type":"Seq Scan"[^{}]*?"Relation Name":"(\w+)"/g);
      return [...found].map(([, table = '']) => table).filter((table) => large.test(table));
    });
  }

  /** The tables that a query has scanned completely, also in functions. */
  async function scanned(query: (db: Db) => Promise<unknown>): Promise<string[]> {
    return inTenant(watched, { workspaceId: workspace, userId: null }, async (db) => {
      const scans = async () => {
        const { rows } = await sql<{ name: string; scans: number }>`
          select relname as name, seq_scan::int as scans from pg_stat_xact_user_tables where seq_scan > 0`.execute(db);
        return new Map(rows.map((row) => [row.name, row.scans]));
      };
      const before = await scans();
      await query(db);
      const after = await scans();
      return [...after.keys()].filter((name) => large.test(name) && after.get(name) !== before.get(name));
    });
  }

  it.each([...jobStatuses, 'all'] as const)('finds the newest %s jobs without reading the others', async (status) => {
    const filter = { workspaceId: workspace, status, after: null, limit: 50 };
    for (const archived of archivedFilters)
      expect(await readWhole((db) => jobs.findJobs(db, { ...filter, archived }))).toEqual([]);
    for (const tests of testsFilters)
      expect(await readWhole((db) => jobs.findJobs(db, { ...filter, archived: 'false', tests }))).toEqual([]);
  });

  it('finds the jobs that lie ahead by their time without reading the others', async () => {
    const ahead = { workspaceId: workspace, archived: 'false', sort: 'soonest', after: null, limit: 50 } as const;
    expect(await readWhole((db) => jobs.findJobs(db, { ...ahead, status: 'pending' }))).toEqual([]);
    const from = '2099-01-01T12:00:00Z';
    expect(await readWhole((db) => jobs.findJobs(db, { ...ahead, status: 'all', from }))).toEqual([]);
  });

  it('counts them from indexes', async () => {
    for (const archived of archivedFilters)
      for (const tests of testsFilters)
        expect(await readWhole((db) => jobs.countAll(db, { workspaceId: workspace, archived, tests }))).toEqual([]);
  });

  it('finds the jobs whose names few others have in the index of the names', async () => {
    await owner.query(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, archived_at)
       select w, n, 'api_notification', 'completed', '2099-01-01Z', '2099-01-01Z', now(), a
         from unnest($1::uuid[]) w, unnest(array['Lift 100% out', 'lift 1000 out']) n, unnest(array[null, now()]) a`,
      [[workspace, (await owner.query('select id from workspaces where id <> $1 limit 1', [workspace])).rows[0].id]],
    );
    await owner.query('vacuum (analyze) jobs');
    const of = (text: string, most: number) => (db: Db) =>
      jobs.findFewNamed(db, { workspaceId: workspace, text, most });
    const named = (text: string, most: number) =>
      inTenant(database.app, { workspaceId: workspace, userId: null }, of(text, most));
    expect(await named('LIFT 100% ', 10)).toHaveLength(2);
    expect(await named('lift', 4)).toHaveLength(4);
    expect(await named('lift', 3)).toBeNull();
    expect(await named('nobody at all', 10)).toEqual([]);
    const scans = scansIn(await plansOf({ watched, asked, workspace }, of('nobody at all', 10), { isRun: true }));
    expect(scans.map(({ table, node }) => `${node} of ${table}`)).toEqual([
      'Index Only Scan of jobs',
      'Index Only Scan of jobs',
    ]);
    await owner.query("delete from jobs where name ilike 'lift%'");
  });

  it('counts the jobs of a day by an index on their time', async () => {
    const day = { workspaceId: workspace, from: '2099-01-01T00:00:00Z', to: '2099-01-02T00:00:00Z' };
    for (const archived of archivedFilters)
      expect(await readWhole((db) => jobs.countWithin(db, { ...day, archived, tests: 'false' }))).toEqual([]);
  });

  it('finds the runs and the recipients of a job by index', async () => {
    const { rows } = await owner.query<{ id: string }>('select id from jobs where workspace_id = $1 limit 1', [
      workspace,
    ]);
    const of = { workspaceId: workspace, jobId: rows[0]!.id, after: null, limit: 50 };
    const now = Temporal.Now.instant();
    const runs = { workspaceId: workspace, now, after: null, limit: 50 };
    expect(await readWhole((db) => executions.findExecutions(db, { ...runs, ...of }))).toEqual([]);
    for (const status of executionStatuses)
      expect(await readWhole((db) => executions.findExecutions(db, { ...runs, status, channel: 'email' }))).toEqual([]);
    for (const order of ['newest', 'problems_first'] as const)
      expect(await readWhole((db) => deliveries.findDeliveries(db, { ...of, order, search: 'ann' }))).toEqual([]);
  });

  it('finds the runs of a reminder, and the last one of each, by index', async () => {
    const of = { workspaceId: workspace, reminderId, after: null, limit: 50 };
    for (const isEvent of [true, false])
      expect(await readWhole((db) => jobs.findRuns(db, { ...of, isEvent }))).toEqual([]);
    expect(
      await readWhole((db) => jobs.findLastRuns(db, { workspaceId: workspace, reminderIds: [reminderId] })),
    ).toEqual([]);
    const compared = { workspaceId: workspace, reminderId, revision: 1 };
    expect(await readWhole((db) => findComparedTexts(db, compared))).toEqual([]);
    const texts = { workspaceId: workspace, reminderId, limit: 20 };
    expect(await readWhole((db) => findEarlierTexts(db, texts))).toEqual([]);
  });

  it('finds what a person was sent by index, also in the function that the plan does not show', async () => {
    const of = { workspaceId: workspace, contactId, addresses: ['person1@example.com'], after: null, limit: 50 };
    const find = (db: Db) => deliveries.findDeliveriesToPerson(db, of);
    expect(await readWhole(find)).toEqual([]);
    expect(await scanned(find)).toEqual([]);
    // Half of the rows have the contact; a fortieth has the address.
    const { rows } = await inTenant(watched, { workspaceId: workspace, userId: null }, find);
    expect(rows).toHaveLength(50);
    expect(new Set(rows.map(({ contact_id: id, recipient }) => id ?? recipient))).toEqual(
      new Set([contactId, 'Person1@Example.com']),
    );
  });

  it('finds the jobs of people by index, the runs of these, and the recipients of those that have not ended', async () => {
    const of = {
      workspaceId: workspace,
      contactIds: [contactId],
      addresses: [{ address: 'person1@example.com', owner: null }],
      each: 60,
      limit: 100,
    };
    const windows: search.LedgerWindow[] = [{}, { from: '2099-01-01T00:00:00Z', to: '2099-02-01T00:00:00Z' }];
    for (const window of windows) {
      const find = (db: Db) => search.findJobsToPeople(db, { ...of, ...window });
      expect(await readWhole(find)).toEqual([]);
      expect(await scanned(find)).toEqual([]);
      const found = await inTenant(watched, { workspaceId: workspace, userId: null }, find);
      expect([found.length, new Set(found).size]).toEqual([100, 100]);
      const listed = { workspaceId: workspace, after: null, limit: 50 };
      expect(
        await readWhole((db) =>
          jobs.findJobs(db, { ...listed, status: 'all', archived: 'true', search: 'none', searched: found }),
        ),
      ).toEqual([]);
      expect(
        await readWhole((db) =>
          executions.findExecutions(db, { ...listed, now: Temporal.Now.instant(), jobIds: found }),
        ),
      ).toEqual([]);
    }
    const named = { workspaceId: workspace, text: 'none', limit: 100 };
    expect(await readWhole((db) => search.findJobsNamed(db, named))).toEqual([]);
    const unfinished = (db: Db) => search.findUnfinishedJobs(db, { workspaceId: workspace, limit: 50 });
    expect(await readWhole(unfinished)).toEqual([]);
    expect(await scanned(unfinished)).toEqual([]);
  });

  it('counts the recipients of a page of jobs, and of one job, by index', async () => {
    const { rows } = await owner.query<{ id: string; status: JobStatus; scheduled_for: string }>(
      "select id, status, scheduled_for from jobs where workspace_id = $1 and status = 'completed' limit 50",
      [workspace],
    );
    const [job] = rows;
    expect(await readWhole((db) => countOfJobs(db, { workspaceId: workspace, jobs: rows }))).toEqual([]);
    expect(await readWhole((db) => countOfJob(db, { workspaceId: workspace, job: job! }))).toEqual([]);
  });

  it.each([
    ['on the rows of jobs', 'true'],
    ['in the table', 'false'],
    ['in both', 'n % 2 = 0'],
  ])('reads a page of runs that are %s without reading the jobs before them', async (_, isOnJob) => {
    const { rows } = await owner.query<{ id: string }>(
      "insert into workspaces (name, slug) values ('Runs', gen_random_uuid()) returning id",
    );
    const of = rows[0]?.id ?? '';
    await owner.query(
      `with made as (
         insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, started_at, completed_at, run_outcome)
         select $1, 'Rent', 'api_notification', case n % 20 when 0 then 'failed' else 'completed' end, at, at, at, at,
                case when ${isOnJob} then case n % 20 when 0 then 'failed' else 'accepted' end end
           from (select n, now() - n / 10 * interval '1 minute' as at from generate_series(1, 4000) n) times
         returning *
       ), pending as (
         insert into jobs (workspace_id, name, type, scheduled_for, run_at)
         select $1, 'Rent', 'api_notification', now() + n * interval '2 hours', now() from generate_series(1, 1000) n
       )
       insert into job_executions (workspace_id, job_id, status, started_at, completed_at)
       select workspace_id, id, status, started_at, completed_at from made where run_outcome is null`,
      [of],
    );
    await owner.query('vacuum (analyze) jobs, job_executions');
    const listed = { workspaceId: of, now: Temporal.Now.instant(), after: null, limit: 20 };
    const after = { at: Temporal.Now.instant().subtract({ hours: 3 }).toString(), id: of };
    for (const filter of [{}, { status: 'failed' as const }, { after }]) {
      const find = (db: Db) => executions.findExecutions(db, { ...listed, ...filter });
      const plans = await plansOf({ watched, asked, workspace: of }, find, { isRun: true });
      const read = scansIn(plans).reduce((sum, { rows: count, loops }) => sum + count * loops, 0);
      // Each run with its job, from both sources.
      expect(read, JSON.stringify(plans)).toBeLessThan(6 * 21);
    }
  });

  it('without an index is reported as a full table scan', async () => {
    const all = (db: Db) => db.selectFrom('jobs').where('name', '=', 'none such').select('id').limit(1).execute();
    await owner.query(
      'drop index jobs_uncounted, jobs_by_age, jobs_by_time, jobs_archived, jobs_failed, jobs_failed_by_time, jobs_cancelled, jobs_paused_by_workspace',
    );
    expect(await readWhole(all)).toEqual(['jobs']);
    await owner.query('drop index deliveries_of_contact, deliveries_to_address');
    const of = { workspaceId: workspace, contactId, addresses: ['person1@example.com'], after: null, limit: 50 };
    expect(await scanned((db) => deliveries.findDeliveriesToPerson(db, of))).not.toEqual([]);
  });
});
