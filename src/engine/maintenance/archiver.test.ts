import { setImmediate as tick } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { runArchiver, sweepOnce } from '#engine/maintenance/archiver.ts';
import { neverAborts } from '#platform/clock.ts';
import { advisoryLocks } from '#platform/advisory-locks.ts';
import { archiverFixture } from '#testing/archiver.ts';

const archiver = archiverFixture();
const { open, deps, sweep, set, insertJob, idsOf, day } = archiver;

describe('archiving', () => {
  beforeEach(() => open(Temporal.Now.instant()));

  it('takes the completed jobs of 30 days ago, where the workspace wants that, and nothing else', async () => {
    const other = await archiver.fixture.createWorkspace('Oak Street');
    await set({ autoArchiveJobs: true });
    await set({ autoArchiveJobs: false }, other);
    const old = [
      await insertJob({ status: 'completed', at: day(31) }),
      await insertJob({ status: 'completed', at: day(400) }),
    ];
    await insertJob({ status: 'completed', at: day(29) });
    await insertJob({ status: 'completed', at: day(40), ended: day(29) });
    for (const status of ['failed', 'cancelled', 'pending', 'running', 'paused'])
      await insertJob({ status, at: day(60) });
    await insertJob({ status: 'completed', at: day(60), of: other });

    expect((await sweep()).archived).toBe(2);
    expect(await idsOf('archived_at is not null')).toEqual(old.toSorted());
    expect((await sweep()).archived).toBe(0);
    archiver.fixture.clock.advance({ hours: 48 });
    expect((await sweep()).archived).toBe(2);
  });

  it('goes through more than one transaction holds', async () => {
    await set({ autoArchiveJobs: true });
    await archiver.owner.query(
      `insert into jobs (id, workspace_id, name, type, status, scheduled_for, run_at, completed_at)
       select uuidv7($2::timestamptz - clock_timestamp() + n * interval '1 ms'), $1, 'Rent', 'api_notification',
              case when n % 3 = 0 then 'failed' else 'completed' end, $2, $2, $2
         from generate_series(1, 4500) n`,
      [archiver.workspace.workspaceId, day(50)],
    );
    expect((await sweep()).archived).toBe(3000);
  });

  it('happens soon after the start and then every hour', async () => {
    await set({ autoArchiveJobs: true });
    const stopped = new AbortController();
    const running = runArchiver(deps(), stopped.signal);
    const archived = async () => (await idsOf('archived_at is not null')).length;
    await insertJob({ status: 'completed', at: day(31) });
    await archiver.fixture.clock.untilAsleep(1);
    expect(await archived()).toBe(0);
    archiver.fixture.clock.advance({ minutes: 1 });
    await slept();
    expect(await archived()).toBe(1);
    await insertJob({ status: 'completed', at: day(31) });
    archiver.fixture.clock.advance({ minutes: 59 });
    await slept();
    expect(await archived()).toBe(1);
    archiver.fixture.clock.advance({ minutes: 1 });
    await slept();
    expect(await archived()).toBe(2);
    stopped.abort();
    await running;
  });

  /** Waits until the actor that the last advance woke sleeps again. */
  async function slept() {
    await tick();
    await archiver.fixture.clock.untilAsleep(1);
  }

  it('is left to one worker at a time', async () => {
    await archiver.owner.query('select pg_advisory_lock($1)', [advisoryLocks.archiver]);
    expect(await sweepOnce(deps(), neverAborts)).toBeNull();
    await archiver.owner.query('select pg_advisory_unlock($1)', [advisoryLocks.archiver]);
    expect(await sweepOnce(deps(), neverAborts)).not.toBeNull();
  });

  it('leaves the state of a job free of indexes, so that a claim and a result stay within the page', async () => {
    const { rows } = await archiver.owner.query<{ column: string }>(
      `select distinct a.attname as column
         from pg_index i
         join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = i.indexrelid and d.refobjid = i.indrelid and d.refobjsubid > 0
         join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid
        where i.indrelid = 'jobs'::regclass
        union
       select a.attname from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
        where k.conrelid = 'jobs'::regclass and k.contype in ('p', 'u')`,
    );
    const columns = rows.map((row) => row.column);
    expect(columns).toEqual(expect.arrayContaining(['id', 'workspace_id', 'archived_at']));
    for (const changing of [
      'status',
      'run_at',
      'claim_id',
      'attempts',
      'updated_at',
      'completed_at',
      'started_at',
      'error_message',
      'expires_at',
      'run_outcome',
    ])
      expect(columns).not.toContain(changing);
  });
});

describe('while deliveries are paused', () => {
  beforeEach(() => open(Temporal.Now.instant()));

  it('nothing is archived or deleted, and partitions are still created', async () => {
    await set({ autoArchiveJobs: true, retentionDays: 30 });
    await insertJob({ status: 'completed', at: day(31) });
    expect(await sweep(true)).toEqual({
      months: expect.any(Number),
      archived: 0,
      deleted: 0,
      forgotten: 0,
      workspaces: 0,
      dropped: 0,
    });
    expect((await sweep(true)).months).toBe(0);
    expect(await sweep()).toMatchObject({ deleted: 1 });
  });
});
