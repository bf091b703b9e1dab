import { randomUUIDv7 } from 'node:crypto';
import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nextDue } from '#engine/postgres/queue.sql.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import type { ClaimRequest, Found } from '#engine/store.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type EngineFixture, openEngineFixture } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';
import { forgetPlans, reportPlans, watchScans } from '#testing/watched-plans.ts';

const backlog = 3_000;
const limit = 20;

describe('a claim during a backlog', () => {
  let fixture: EngineFixture;
  let owner: Client;
  let database: Database;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T09:00:00Z');
    owner = await connectOwner(fixture.databaseUrl);
    await reportPlans(owner);
    database = openDatabase(fixture.databaseUrl, { encryptionKey: TEST_ENCRYPTION_KEY });
  });
  afterEach(async () => {
    await database.close();
    await forgetPlans(owner);
    await owner.end();
    await fixture.close();
  });

  const request = (order: ClaimRequest['order']): ClaimRequest => ({
    claimId: randomUUIDv7(),
    now: fixture.clock.now(),
    leaseUntil: fixture.clock.now().add({ seconds: 90 }),
    worker: 'test',
    maxJobs: limit,
    order,
    except: [],
  });

  /** Due jobs, written in no order of time, and what the planner knows of them. */
  async function seed({ workspaces, spreadSeconds }: { workspaces: number; spreadSeconds: number }) {
    const ids: string[] = [];
    for (let n = 0; n < workspaces; n += 1) ids.push((await fixture.createWorkspace()).workspaceId);
    await owner.query(
      `insert into jobs (workspace_id, name, type, scheduled_for, run_at)
       select ($1::uuid[])[1 + n % cardinality($1::uuid[])], 'Rent', 'api_notification', at, at
         from generate_series(1, $3::int) as n, lateral (select $2::timestamptz - make_interval(secs => (n * 7919) % $4::int) as at) as due`,
      [ids, fixture.clock.now().toString(), backlog, spreadSeconds],
    );
    await owner.query('vacuum (analyze) jobs, queue, workspaces');
  }

  it.each([
    { workspaces: 1, spreadSeconds: 1 },
    { workspaces: 1, spreadSeconds: 3_000 },
    { workspaces: 5, spreadSeconds: 60 },
  ])('in due order reads what it takes, and not the rest: %j', async (of) => {
    await seed(of);
    const scans = await watchScans(database)(() =>
      createPostgresStore(database.engine).claim(request({ by: 'due' }), leaveAll),
    );
    const queue = scans.filter(({ table }) => table === 'queue' || table === 'jobs');
    expect(queue.map(({ table }) => table)).toEqual(expect.arrayContaining(['queue', 'jobs']));
    expect(queue.filter(({ rows, loops }) => rows * loops > 2 * limit)).toEqual([]);
  });

  it.each([{ workspaces: 1 }, { workspaces: 5 }])(
    'finds the next due time without reading the queue: %j',
    async (of) => {
      await seed({ ...of, spreadSeconds: 3_000 });
      let dueAt: Temporal.Instant | null = null;
      const scans = await watchScans(database)(async () => {
        dueAt = await createPostgresStore(database.engine).nextDue([]);
      });
      const { rows } = await owner.query<{ at: string }>('select min(run_at) as at from queue');
      expect(dueAt).toEqual(Temporal.Instant.from(new Date(rows[0]?.at ?? 0).toISOString()));
      expect(scans.filter(({ table }) => table === 'queue').map(({ rows, loops }) => rows * loops)).toEqual([1]);
      // A planner that expects to read everything reads a larger queue from another index, and whole.
      const plan = await database.engine.query<{ 'QUERY PLAN': [{ Plan: { 'Total Cost': number } }] }>(
        `explain (format json) ${nextDue.text}`,
      );
      expect(plan.rows[0]?.['QUERY PLAN'][0].Plan['Total Cost']).toBeLessThan(10);
    },
  );

  it('takes the jobs that have waited longest', async () => {
    await seed({ workspaces: 2, spreadSeconds: 3_000 });
    let taken: string[] = [];
    await createPostgresStore(database.engine).claim(request({ by: 'due' }), async (found) => {
      taken = found.jobs.map((job) => job.scheduled_for);
      return leaveAll(found);
    });
    const { rows } = await owner.query<{ at: string }>(
      'select scheduled_for as at from jobs order by scheduled_for limit $1',
      [limit],
    );
    expect(taken.map(Date.parse).toSorted((a, b) => a - b)).toEqual(rows.map(({ at }) => new Date(at).getTime()));
  });

  const leaveAll = async ({ jobs }: Found) => ({
    id: randomUUIDv7(),
    left: jobs.map(({ id }) => id),
    started: [],
    rows: [],
    closed: [],
    reopened: [],
    continued: [],
    deferred: [],
    extended: [],
    nextOccurrences: [],
    usage: [],
    demoUse: [],
    notices: [],
  });
});
