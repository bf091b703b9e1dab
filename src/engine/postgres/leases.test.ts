import { randomUUIDv7 } from 'node:crypto';
import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPostgresStore } from '#engine/postgres/store.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type EngineFixture, openEngineFixture } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';
import { forgetPlans, reportPlans, watchScans } from '#testing/watched-plans.ts';

const backlog = 12_000;

describe('claims among many jobs', () => {
  let fixture: EngineFixture;
  let owner: Client;
  let database: Database;
  let claims: { id: string; jobIds: string[] }[];
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T09:00:00Z');
    owner = await connectOwner(fixture.databaseUrl);
    await reportPlans(owner);
    database = openDatabase(fixture.databaseUrl, { encryptionKey: TEST_ENCRYPTION_KEY });
    const { workspaceId } = await fixture.createWorkspace();
    const { rows } = await owner.query<{ id: string }>(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at)
       select $1, 'Rent', 'api_notification', 'completed', $2, $2, $2 from generate_series(1, $3::int) returning id`,
      [workspaceId, fixture.clock.now().toString(), backlog],
    );
    claims = [0, 1].map((at) => ({
      id: randomUUIDv7(),
      jobIds: rows.slice(at * 20, at * 20 + 20).map(({ id }) => id),
    }));
    for (const { id, jobIds } of claims)
      await owner.query("insert into claims (id, worker, lease_until, job_ids, begun) values ($1, 'w', $2, $3, '[]')", [
        id,
        fixture.clock.now().toString(),
        jobIds,
      ]);
    await owner.query('vacuum (analyze) jobs, claims, deliveries');
  });
  afterEach(async () => {
    await database.close();
    await forgetPlans(owner);
    await owner.end();
    await fixture.close();
  });

  const run = (at: number) =>
    owner.query("update jobs set status = 'running', claim_id = $1 where id = $2", [
      claims[at]?.id,
      claims[at]?.jobIds[7],
    ]);
  const left = async () => (await owner.query<{ id: string }>('select id from claims')).rows.map(({ id }) => id);

  it('end where no job names them, which reads their own jobs alone', async () => {
    await run(1);
    const batch = { now: fixture.clock.now(), outcomes: [], finishes: [], workspaceIds: [] };
    const scans = await watchScans(database)(() =>
      createPostgresStore(database.engine).record({ ...batch, endedClaims: claims.map(({ id }) => id) }),
    );
    expect(await left()).toEqual([claims[1]?.id]);
    const read = scans.filter(({ table }) => table === 'jobs').map(({ rows, loops }) => rows * loops);
    expect(Math.max(...read)).toBeLessThanOrEqual(40);
  });

  it('end a job by counting its own rows in the ledger alone', async () => {
    await run(0);
    const [claimId = '', jobId = ''] = [claims[0]?.id, claims[0]?.jobIds[7]];
    await owner.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status)
       select workspace_id, id, scheduled_for, 'email', 'p' || n || '@example.com', 'accepted' from jobs, generate_series(1, 2) n
        where id = $1 or id = any ($2::uuid[])`,
      [jobId, claims[1]?.jobIds],
    );
    await owner.query('vacuum (analyze) deliveries');
    const finish = {
      jobId,
      claimId,
      status: 'completed' as const,
      ifStopped: 'completed' as const,
      runAt: null,
      code: null,
      message: null,
      startedAt: fixture.clock.now(),
      logs: {},
      onlyOutcome: null,
    };
    const record = (rows: number) =>
      createPostgresStore(database.engine).record({
        now: fixture.clock.now(),
        outcomes: [],
        finishes: [{ ...finish, rows }],
        endedClaims: [],
        workspaceIds: [],
      });
    const status = async () => (await owner.query('select status from jobs where id = $1', [jobId])).rows[0]?.status;
    await record(3);
    expect(await status()).toBe('running');
    const scans = await watchScans(database)(() => record(2));
    expect(await status()).toBe('completed');
    const read = scans.filter(({ table, loops }) => table.startsWith('deliveries') && loops > 0);
    expect(Math.max(...read.map(({ rows, loops }) => rows * loops))).toBeLessThanOrEqual(2);
  });

  it('are written again for running jobs that lost theirs, in steps of five thousand jobs', async () => {
    await run(0);
    await owner.query('delete from claims where id = $1', [claims[0]?.id]);
    const store = createPostgresStore(database.engine);
    const found: number[] = [];
    const scans = await watchScans(database)(async () => {
      for (let after: string | null = nilUuid; after !== null; ) {
        const { jobs, last } = await store.restoreClaims({ after, now: fixture.clock.now() });
        found.push(jobs);
        after = last;
      }
    });
    expect(found).toEqual([1, 0, 0]);
    expect(await left()).toContain(claims[0]?.id);
    const read = scans.filter(({ table }) => table === 'jobs').map(({ rows, loops }) => rows * loops);
    expect(read).toEqual([5_000, 5_000, 2_000]);
  });
});
