import { setImmediate as tick } from 'node:timers/promises';
import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runArchiver, type Sweep, sweepOnce } from '#engine/archiver.ts';
import { neverAborts } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';

const log = createLog('silent');
let fixture: EngineFixture;
let owner: Client;
let workspace: TestWorkspace;
async function open(startAt: Temporal.Instant) {
  fixture = await openEngineFixture(startAt.toString());
  owner = await connectOwner(fixture.databaseUrl);
  workspace = await fixture.createWorkspace();
}
afterEach(async () => {
  await owner.end();
  await fixture.close();
});

const deps = (isPaused = false) => ({
  pool: fixture.database.engine,
  clock: fixture.clock,
  log,
  isPaused: async () => isPaused,
});

async function sweep(isPaused = false): Promise<Sweep> {
  const swept = await sweepOnce(deps(isPaused), neverAborts);
  if (swept === null) throw new Error('somebody else sweeps');
  return swept;
}

const set = (settings: object, of = workspace) =>
  owner.query('update workspaces set settings = $2 where id = $1', [of.workspaceId, settings]);

type JobRow = { status: string; at: string; ended?: string | null; of?: TestWorkspace; name?: string };

/** Inserts a job in its final state, created a day before its time, with one delivery and one execution. */
async function insertJob({ status, at, ended = at, of = workspace, name = 'Rent' }: JobRow): Promise<string> {
  const isEnded = ['completed', 'failed', 'cancelled'].includes(status);
  const { rows } = await owner.query<{ id: string }>(
    `with job as (
       insert into jobs (id, workspace_id, name, type, status, scheduled_for, run_at, completed_at, claim_id, paused_at, created_at, updated_at)
       values (uuidv7($4::timestamptz - interval '1 day' - clock_timestamp()), $1, $2, 'api_notification', $3, $4, $4, $5,
               case $3 when 'running' then uuidv7() end, case $3 when 'paused' then $4::timestamptz end, $4::timestamptz - interval '1 day',
               coalesce($5, $4)::timestamptz)
       returning id, scheduled_for
     ), delivery as (
       insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status)
       select $1, id, scheduled_for, 'email', 'dana@example.com', $6 from job
     ), execution as (
       insert into job_executions (workspace_id, job_id, status, started_at) select $1, id, 'completed', scheduled_for from job
     )
     select id from job`,
    [of.workspaceId, name, status, at, isEnded ? ended : null, isEnded ? 'accepted' : 'waiting'],
  );
  return rows[0]?.id ?? '';
}

const idsOf = async (condition: string) =>
  (await owner.query<{ id: string }>(`select id from jobs where ${condition} order by id`)).rows.map((row) => row.id);

const countOf = async (table: string) =>
  (await owner.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]?.count;

const day = (count: number) =>
  fixture.clock
    .now()
    .subtract({ hours: 24 * count })
    .toString();

describe('archiving', () => {
  beforeEach(() => open(Temporal.Now.instant()));

  it('takes the completed jobs of 30 days ago, where the workspace wants that, and nothing else', async () => {
    const other = await fixture.createWorkspace('Oak Street');
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
    fixture.clock.advance({ hours: 48 });
    expect((await sweep()).archived).toBe(2);
  });

  it('goes through more than one transaction holds', async () => {
    await set({ autoArchiveJobs: true });
    await owner.query(
      `insert into jobs (id, workspace_id, name, type, status, scheduled_for, run_at, completed_at)
       select uuidv7($2::timestamptz - clock_timestamp() + n * interval '1 ms'), $1, 'Rent', 'api_notification',
              case when n % 3 = 0 then 'failed' else 'completed' end, $2, $2, $2
         from generate_series(1, 4500) n`,
      [workspace.workspaceId, day(50)],
    );
    expect((await sweep()).archived).toBe(3000);
  });

  it('happens soon after the start and then every hour', async () => {
    await set({ autoArchiveJobs: true });
    const stopped = new AbortController();
    const running = runArchiver(deps(), stopped.signal);
    const archived = async () => (await idsOf('archived_at is not null')).length;
    await insertJob({ status: 'completed', at: day(31) });
    await fixture.clock.untilAsleep(1);
    expect(await archived()).toBe(0);
    fixture.clock.advance({ minutes: 1 });
    await slept();
    expect(await archived()).toBe(1);
    await insertJob({ status: 'completed', at: day(31) });
    fixture.clock.advance({ minutes: 59 });
    await slept();
    expect(await archived()).toBe(1);
    fixture.clock.advance({ minutes: 1 });
    await slept();
    expect(await archived()).toBe(2);
    stopped.abort();
    await running;
  });

  /** Waits until the actor that the last advance woke sleeps again. */
  async function slept() {
    await tick();
    await fixture.clock.untilAsleep(1);
  }

  it('is left to one worker at a time', async () => {
    await owner.query('select pg_advisory_lock(726004)');
    expect(await sweepOnce(deps(), neverAborts)).toBeNull();
    await owner.query('select pg_advisory_unlock(726004)');
    expect(await sweepOnce(deps(), neverAborts)).not.toBeNull();
  });

  it('leaves the state of a job free of indexes, so that a claim and a result stay within the page', async () => {
    const { rows } = await owner.query<{ column: string }>(
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
    ])
      expect(columns).not.toContain(changing);
  });
});

describe('retention', () => {
  beforeEach(() => open(Temporal.Now.instant()));

  it('deletes what ended before the days of the workspace, with its ledger, and never what is open', async () => {
    const other = await fixture.createWorkspace('Oak Street');
    await set({ retentionDays: 90 });
    for (const status of ['completed', 'failed', 'cancelled']) await insertJob({ status, at: day(91) });
    const kept = [
      await insertJob({ status: 'completed', at: day(89) }),
      await insertJob({ status: 'failed', at: day(200), ended: day(80) }),
      await insertJob({ status: 'pending', at: day(400) }),
      await insertJob({ status: 'running', at: day(400) }),
      await insertJob({ status: 'paused', at: day(400) }),
      await insertJob({ status: 'completed', at: day(400), of: other }),
    ];
    expect((await sweep()).deleted).toBe(3);
    expect(await idsOf('true')).toEqual(kept.toSorted());
    expect([await countOf('deliveries'), await countOf('job_executions'), await countOf('queue')]).toEqual([6, 6, 1]);
  });

  it('deletes archived jobs as well', async () => {
    await set({ retentionDays: 60, autoArchiveJobs: true });
    await insertJob({ status: 'completed', at: day(45) });
    expect(await sweep()).toMatchObject({ archived: 1, deleted: 0 });
    fixture.clock.advance({ hours: 24 * 20 });
    expect(await sweep()).toMatchObject({ archived: 0, deleted: 1 });
  });

  it('keeps an occurrence that was cancelled before its time, so that it is not planned again', async () => {
    await set({ retentionDays: 30 });
    const cancelled = await insertJob({ status: 'cancelled', at: day(-300), ended: day(100) });
    expect((await sweep()).deleted).toBe(0);
    expect(await idsOf('true')).toEqual([cancelled]);
  });

  it.each([null, 'forever', {}, false])('keeps everything where the setting is %j', async (retentionDays) => {
    await set({ retentionDays });
    await insertJob({ status: 'completed', at: day(4000) });
    expect((await sweep()).deleted).toBe(0);
  });

  it('never takes what is younger than 30 days, whatever is written in the settings', async () => {
    await set({ retentionDays: 1 });
    await insertJob({ status: 'completed', at: day(29) });
    await insertJob({ status: 'completed', at: day(31) });
    expect((await sweep()).deleted).toBe(1);
  });

  it('goes through more than one transaction holds', async () => {
    await set({ retentionDays: 30 });
    await owner.query(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, paused_at)
       select $1, 'Rent', 'api_notification', case when n % 5 = 0 then 'paused' else 'completed' end, at, at,
              case when n % 5 > 0 then at end, case when n % 5 = 0 then at end
         from (select n, $2::timestamptz + n / 700 * interval '1 s' as at from generate_series(1, 2000) n) made`,
      [workspace.workspaceId, day(50)],
    );
    expect((await sweep()).deleted).toBe(1600);
    expect(await countOf('jobs')).toBe(400);
  });

  it("deletes an event and its key with the event's last job", async () => {
    await set({ retentionDays: 30 });
    const events = await owner.query<{ id: string }>(
      `insert into events (workspace_id, key, event, request_hash, occurred_at, created_at)
       select $1, n::text, 'signup', 'h', $2, $2 from generate_series(1, 3) n returning id`,
      [workspace.workspaceId, day(50)],
    );
    const [ended, open, none] = events.rows.map((row) => row.id);
    const jobs = [
      await insertJob({ status: 'completed', at: day(50) }),
      await insertJob({ status: 'paused', at: day(50) }),
    ];
    await owner.query('update jobs set event_id = $2 where id = $1', [jobs[0], ended]);
    await owner.query('update jobs set event_id = $2 where id = $1', [jobs[1], open]);
    expect((await sweep()).deleted).toBe(3);
    const left = await owner.query<{ id: string }>('select id from events');
    expect(left.rows).toEqual([{ id: open }]);
    expect(none).not.toBe(open);
  });

  it('of requests, audit entries and sandbox messages is the same for every workspace', async () => {
    await owner.query(
      `insert into idempotency_keys (user_id, key, request_hash, created_at)
       values (uuidv7(), 'old', 'h', $1), (uuidv7(), 'young', 'h', $2)`,
      [day(8), day(6)],
    );
    await owner.query("insert into audit_log (action, created_at) values ('old', $1), ('young', $2)", [
      day(401),
      day(399),
    ]);
    await owner.query(
      `insert into sandbox_messages (workspace_id, channel, sender, recipient, subject, body_text, raw_size, received_at)
       select null, 'email', 'a', 'b', subject, '', 1, at from (values ('old', $1::timestamptz), ('young', $2)) as u (subject, at)`,
      [day(31), day(29)],
    );
    await owner.query(
      `insert into sandbox_messages (workspace_id, channel, sender, recipient, subject, body_text, raw_size, received_at)
       select $1, 'email', 'a', 'b', n::text, '', 1, $2::timestamptz + n * interval '1 s' from generate_series(1, 5003) n`,
      [workspace.workspaceId, day(2)],
    );
    expect((await sweep()).forgotten).toBe(6);
    const left = await owner.query<{ what: string }>(
      `select key as what from idempotency_keys union all select action from audit_log
       union all select subject from sandbox_messages where workspace_id is null
       union all select min(subject::int)::text from sandbox_messages where workspace_id is not null`,
    );
    expect(left.rows.map((row) => row.what)).toEqual(['young', 'young', 'young', '4']);
  });

  it('deletes every expired session, verification and count, and no other, in small steps', async () => {
    const { rows: people } = await owner.query<{ id: string }>('select id from profiles limit 1');
    const user = people[0]?.id;
    const about = [
      ['gone', '-1 hour'],
      ['kept', '1 hour'],
    ];
    for (const [name, age] of about) {
      await owner.query(
        `insert into auth_sessions (user_id, token, expires_at)
         select $1, $2::text || n, now() + $3::interval from generate_series(1, 600) n`,
        [user, name, age],
      );
      await owner.query(
        `insert into auth_verifications (identifier, value, expires_at)
         select $1, n::text, now() + $2::interval from generate_series(1, 600) n`,
        [name, age],
      );
      await owner.query(
        `insert into request_counts (subject, bucket, used, expires_at)
         select $1::text || n, 'sign-in', 1, now() + $2::interval from generate_series(1, 600) n`,
        [name, age],
      );
    }
    expect((await sweep()).forgotten).toBe(1_800);
    for (const column of [
      'token from auth_sessions',
      'identifier from auth_verifications',
      'subject from request_counts',
    ]) {
      const { rows } = await owner.query<{ count: number; kept: boolean }>(
        `select count(*)::int as count, bool_and(name like 'kept%') as kept from (select ${column}) as t(name)`,
      );
      expect(rows, column).toEqual([{ count: 600, kept: true }]);
    }
  });

  it('does not let the engine delete unexpired sessions and verifications', async () => {
    await owner.query(
      "insert into auth_verifications (identifier, value, expires_at) values ('x', 'y', now() + interval '1 minute')",
    );
    const { rows } = await fixture.database.engine.query(
      "select delete_expired('auth_sessions', 'infinity', 9) as sessions, delete_expired('auth_verifications', 'infinity', 9) as verifications",
    );
    expect(rows).toEqual([{ sessions: 0, verifications: 0 }]);
    for (const table of ['auth_sessions', 'auth_verifications', 'request_counts'])
      await expect(fixture.database.engine.query(`delete from ${table}`)).rejects.toThrow(/permission denied/);
  });

  it('does not let the engine delete audit entries younger than a year or stored responses younger than a day', async () => {
    await owner.query("insert into audit_log (action, created_at) values ('x', now() - interval '300 days')");
    await owner.query("insert into idempotency_keys (user_id, key, request_hash) values (uuidv7(), 'k', 'h')");
    const { rows } = await fixture.database.engine.query(
      "select delete_expired('audit_log', 'infinity', 100) as acts, delete_expired('idempotency_keys', 'infinity', 100) as requests",
    );
    expect(rows).toEqual([{ acts: 0, requests: 0 }]);
    await expect(fixture.database.engine.query("select delete_expired('profiles', 'infinity', 9)")).rejects.toThrow(
      'profiles is not deleted by age',
    );
    for (const table of ['audit_log', 'idempotency_keys', 'events'])
      await expect(fixture.database.engine.query(`delete from ${table}`)).rejects.toThrow(/permission denied/);
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
      dropped: 0,
    });
    expect((await sweep(true)).months).toBe(0);
    expect(await sweep()).toMatchObject({ deleted: 1 });
  });
});

describe('the partitions of the ledger', () => {
  beforeEach(async () => {
    await open(Temporal.Instant.from('2026-03-02T08:00:00Z'));
    // The migrations create the partitions for the real day of the run.
    const { rows } = await owner.query<{ name: string }>(
      "select relname as name from pg_class where relispartition and relname ~ '\\d$' and relkind = 'r'",
    );
    for (const { name } of rows) await owner.query(`drop table ${name}`);
  });

  const months = async (parent = 'deliveries') =>
    (
      await owner.query<{ name: string }>(
        `select relname as name from pg_inherits join pg_class c on c.oid = inhrelid
          where inhparent = $1::regclass and relname ~ '\\d$' order by 1`,
        [parent],
      )
    ).rows.map((row) => row.name.slice(-7));

  const partitionOf = async (table: string, job: string) =>
    (
      await owner.query<{ name: string }>(`select tableoid::regclass::text as name from ${table} where job_id = $1`, [
        job,
      ])
    ).rows[0]?.name;

  it('exist from last month to the fourth month ahead, however long the engine runs', async () => {
    expect((await sweep()).months).toBe(12);
    const first = ['2026_02', '2026_03', '2026_04', '2026_05', '2026_06', '2026_07'];
    expect([await months(), await months('job_executions')]).toEqual([first, first]);
    expect((await sweep()).months).toBe(0);
    fixture.clock.advance({ hours: 24 * 30 });
    expect((await sweep()).months).toBe(2);
    expect(await months()).toEqual([...first, '2026_08']);
  });

  it('take over rows that were written before they were created', async () => {
    const [march, old] = [
      await insertJob({ status: 'completed', at: day(1) }),
      await insertJob({ status: 'completed', at: day(900) }),
    ];
    expect(await partitionOf('deliveries', march)).toBe('deliveries_other');
    await sweep();
    expect(await partitionOf('deliveries', march)).toBe('deliveries_2026_03');
    expect(await partitionOf('job_executions', march)).toBe('job_executions_2026_03');
    expect(await partitionOf('deliveries', old)).toBe('deliveries_other');
    const seen = await fixture.deliveries(workspace);
    expect(seen.map((delivery) => delivery.job_id).toSorted()).toEqual([march, old].toSorted());
  });

  it('are as inaccessible to requests as the other tables', async () => {
    const mine = await insertJob({ status: 'completed', at: day(1) });
    await insertJob({ status: 'completed', at: day(1), of: await fixture.createWorkspace('Oak Street') });
    await sweep();
    expect((await fixture.deliveries(workspace)).map((delivery) => delivery.job_id)).toEqual([mine]);
    const { rows } = await owner.query(
      "select relname from pg_class where relname ~ '^(deliveries|job_executions)' and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)",
    );
    expect(rows).toEqual([]);
  });

  it('are created by the next sweep when a long read holds the lock', async () => {
    await owner.query('begin; lock table deliveries in access share mode');
    expect((await sweep()).months).toBe(0);
    await owner.query('rollback');
    expect((await sweep()).months).toBeGreaterThan(0);
  });

  it('are dropped once they are in the past and empty', async () => {
    await set({ retentionDays: 30 });
    await sweep();
    const gone = await insertJob({ status: 'completed', at: '2026-03-10T09:00:00Z' });
    const open = await insertJob({ status: 'paused', at: '2026-04-10T09:00:00Z' });
    fixture.clock.advance({ hours: 24 * 150 });
    expect(await sweep()).toMatchObject({ deleted: 1, dropped: 4 });
    expect(await idsOf('true')).toEqual([open]);
    expect(gone).not.toBe(open);
    expect((await months()).slice(0, 3)).toEqual(['2026_04', '2026_05', '2026_06']);
    expect(await partitionOf('deliveries', open)).toBe('deliveries_2026_04');
  });

  it.each(['with', 'without'])(
    'are not dropped while they hold rows, for an owner that is no superuser, %s policies that let it see the rows',
    async (policiesAre) => {
      const name = `owner_${workspace.workspaceId.replaceAll('-', '')}`;
      const { rows } = await owner.query<{ tables: string[] }>(
        "select array_agg(relname::text) as tables from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
      );
      await owner.query(`create role ${name} nosuperuser; grant create, usage on schema public to ${name}`);
      for (const table of rows[0]?.tables ?? []) await owner.query(`alter table ${table} owner to ${name}`);
      for (const signature of ['make_month_partition(text, date)', 'drop_empty_months(date)', 'allow_owner_reads()'])
        await owner.query(`alter function ${signature} owner to ${name}`);
      const { rows: policies } = await owner.query<{ policy: string; table: string }>(
        "select polname as policy, polrelid::regclass::text as table from pg_policy where polname in ('follow_parents', 'owner_reads', 'owner_deletes')",
      );
      for (const { policy, table } of policies)
        await owner.query(
          policiesAre === 'with'
            ? `alter policy ${policy} on ${table} to ${name}`
            : `drop policy ${policy} on ${table}`,
        );
      const came = policiesAre === 'with' ? [await insertJob({ status: 'completed', at: day(1) })] : [];
      await sweep();
      came.push(await insertJob({ status: 'completed', at: day(1) }));
      fixture.clock.advance({ hours: 24 * 200 });
      await sweep();
      for (const job of came) expect(await partitionOf('deliveries', job)).toBe('deliveries_2026_03');
      expect(await months()).not.toContain('2026_02');
      await owner.query(`reassign owned by ${name} to current_user; drop owned by ${name}; drop role ${name}`);
    },
  );
});
