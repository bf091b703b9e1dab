import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstJobs, whatComes } from '#features/agenda/ahead.service.ts';
import { nextOccurrences } from '#features/agenda/next-occurrences.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { type Database, inTenant, openDatabase } from '#platform/database.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { openTables, type Tables } from '#testing/tables.ts';
import { forgetPlans, reportPlans, type Scan, watchScans } from '#testing/watched-plans.ts';

const now = Temporal.Instant.from('2027-03-01T12:00:00Z');
const soon = 5;
const paused = 3;
const others = 20_000;

describe('what comes, in a workspace with twenty thousand jobs of later days beside another with as many soon', () => {
  let tables: Tables;
  let database: Database;
  let workspaceId: string;
  let scansOf: (work: () => Promise<unknown>) => Promise<Scan[]>;
  beforeAll(async () => {
    tables = await openTables();
    workspaceId = await tables.insertWorkspace('large');
    const other = await tables.insertWorkspace('other');
    await tables.owner.query(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, paused_at)
       select workspace, 'Rent', 'api_notification', status, at, at, case status when 'paused' then now() end
         from (select $1::uuid as workspace, 'pending' as status, $3::timestamptz + n * interval '1 hour' as at from generate_series(1, $4::int) n
                union all select $1, 'paused', $3::timestamptz + n * interval '1 minute' from generate_series(1, $5::int) n
                union all select $1, 'pending', $3::timestamptz + interval '70 days' + n * interval '1 second' from generate_series(1, $6::int) n
                union all select $2, 'pending', $3::timestamptz + n * interval '1 second' from generate_series(1, $6::int) n) made`,
      [workspaceId, other, now.toString(), soon, paused, others],
    );
    await tables.owner.query('vacuum (analyze) jobs, queue');
    await reportPlans(tables.owner);
    database = openDatabase(tables.url, { encryptionKey: TEST_ENCRYPTION_KEY });
    scansOf = watchScans(database);
  });
  afterAll(async () => {
    await database.close();
    await forgetPlans(tables.owner);
    await tables.close();
  });

  const asRequest = <T>(work: (ctx: TenantContext) => Promise<T>) =>
    inTenant(database.app, { workspaceId, userId: null }, (db) =>
      work({ db, workspaceId, now, actor: { kind: 'user', userId: tables.dana }, role: 'owner' }),
    );
  const mostReadOfQueue = (scans: readonly Scan[]) =>
    Math.max(...scans.filter(({ table }) => table === 'queue').map(({ rows, loops }) => rows * loops));

  it('is found for the dashboard without reading those', async () => {
    let found = 0;
    const scans = await scansOf(async () => {
      found = (await asRequest((ctx) => nextOccurrences(ctx, { hours: 24, listed: 6 }))).count;
    });
    expect(found).toBe(soon + paused);
    expect(mostReadOfQueue(scans)).toBe(soon);
  });

  it('is found for a calendar feed without reading what is after its days', async () => {
    let found = 0;
    const scans = await scansOf(async () => {
      const until = now.add({ hours: 60 * 24 });
      const jobs = await asRequest(async (ctx) => {
        const coming = await whatComes(ctx, { until, filter: { ofPerson: null }, most: 10 });
        return firstJobs(ctx, { ...coming, limit: 100 });
      });
      found = jobs.length;
    });
    expect(found).toBe(soon + paused);
    expect(mostReadOfQueue(scans)).toBe(soon);
  });

  it('is asked which of its jobs run without reading the others', async () => {
    const { rows: taken } = await tables.owner.query<{ id: string }>(
      `with taken as (update jobs set status = 'running', claim_id = uuidv7(), started_at = now()
                       where id = (select id from jobs where workspace_id = $1 and status = 'pending' order by scheduled_for limit 1) returning id, claim_id)
            , claimed as (insert into claims (id, worker, lease_until, job_ids, begun) select claim_id, 'w', now(), array[id], '[]' from taken)
       select id from taken`,
      [workspaceId],
    );
    let running: unknown[] = [];
    const scans = await scansOf(async () => {
      const found = await asRequest(({ db }) => sql`select running_jobs() as id`.execute(db));
      running = found.rows;
    });
    expect(running).toEqual(taken);
    const read = scans.filter(({ table }) => table === 'jobs').map(({ rows, loops }) => rows * loops);
    expect(Math.max(...read)).toBe(1);
  });
});
