import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { successRate } from './analytics.service.ts';

const day = '2026-03-10';

describe('the analytics of a workspace', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const read = async (path = '/api/analytics') => (await dana.call('GET', path, { workspace })).json;
  const deliveriesOf = (from: string, to: string, timezone = 'UTC') =>
    read(`/api/analytics/deliveries?from=${from}&to=${to}&timezone=${timezone}`);

  async function insertJob(row: { status: string; at?: string; type?: string; ms?: number | null; of?: string }) {
    const { status, at = `${day}T09:00:00Z`, type = 'reminder', ms = null, of = workspace } = row;
    const { rows } = await database.query<{ id: string }>(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at) values ($1, 'Rent', $2, $3, $4, $4) returning id`,
      [of, type, status, at],
    );
    const [job] = rows;
    if (job === undefined) throw new Error('no job was inserted');
    if (ms !== null)
      await database.query(
        `insert into job_executions (workspace_id, job_id, status, started_at, duration_ms) values ($1, $2, $3, $4, $5)`,
        [of, job.id, status, at, ms],
      );
    return job.id;
  }

  it('counts a run on the row of its job like one with a row of its own, and lists both by time', async () => {
    await insertJob({ status: 'completed', ms: 100, at: `${day}T09:00:00Z` });
    await insertJob({ status: 'completed', at: `${day}T09:30:00Z` });
    await insertJob({ status: 'failed', ms: 300, at: `${day}T10:00:00Z` });
    await insertJob({ status: 'completed', type: 'test_reminder', at: `${day}T11:00:00Z` });
    await database.query(
      `update jobs set started_at = scheduled_for, completed_at = scheduled_for + interval '200 ms', run_outcome = 'accepted'
        where workspace_id = $1 and (scheduled_for = $2 or type = 'test_reminder')`,
      [workspace, `${day}T09:30:00Z`],
    );
    const { executions } = await read();
    expect(executions).toMatchObject({ total: 3, average_ms: 200 });
    expect(executions.latest.map((run: { duration_ms: number }) => run.duration_ms)).toEqual([300, 200, 100]);
  });

  it('list a run that began ahead, by a clock that was corrected since, also for administrators of the installation', async () => {
    const job = await insertJob({ status: 'completed' });
    await database.query(
      `insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms)
       values ($1, $2, 'completed', now() + interval '1 day', now() + interval '1 day', 7)`,
      [workspace, job],
    );
    const durations = (runs: { duration_ms: number }[]) => runs.map(({ duration_ms: ms }) => ms);
    expect(durations((await read()).executions.latest)).toEqual([7]);
    const asAdministrator = async (call: string) => {
      await database.query('begin');
      await database.query('update profiles set is_system_admin = true where id = $1', [dana.userId]);
      await database.query("select set_config('app.user_id', $1, true)", [dana.userId]);
      const { rows } = await database.query(call, [workspace]);
      await database.query('rollback');
      return rows;
    };
    const [row] = await asAdministrator(
      "select analytics_for_administrator($1, 10) -> 'executions' -> 'latest' as latest",
    );
    expect(durations(row.latest)).toEqual([7]);
    expect(durations(await asAdministrator("select * from latest_executions($1, '2026-01-01', 10)"))).toEqual([7]);
  });

  type Row = {
    to?: string;
    contact?: string;
    channel?: string;
    status: string;
    after?: number;
    reason?: string;
    history?: object[];
  };
  async function deliver(rows: Row[], { at = `${day}T09:00:00Z`, type = 'reminder', of = workspace } = {}) {
    const job = await insertJob({ status: 'completed', at, type, of });
    for (const [
      index,
      { to = `r${index}@example.com`, contact, channel = 'email', status, after, reason, history },
    ] of rows.entries())
      await database.query(
        `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts, reason, completed_at, attempt_history, contact_id)
         values ($1, $2, $3, $4, $5, $6, 1, $7, $3::timestamptz + $8 * interval '1 second', $9, $10)`,
        [
          of,
          job,
          at,
          channel,
          to,
          status,
          reason,
          after,
          history === undefined ? null : JSON.stringify(history),
          contact,
        ],
      );
  }

  it('of a new one are zero, with nothing that could have failed', async () => {
    expect(await read()).toEqual({
      templates: 0,
      reminders: 0,
      active_reminders: 0,
      members: 1,
      channels: 0,
      contacts: 0,
      jobs: { total: 0, pending: 0, running: 0, completed: 0, failed: 0, cancelled: 0, paused: 0 },
      success_rate: 100,
      people: { reached: 0, missed: 0 },
      executions: { total: 0, average_ms: null, latest: [] },
      recent_jobs: [],
    });
    expect(await deliveriesOf(day, day)).toEqual({
      from: day,
      to: day,
      sent: 0,
      failed: 0,
      people: { reached: 0, missed: 0 },
      days: [],
      latency: null,
      reasons: [],
      unreached: [],
      are_all_unreached_sought: true,
    });
  });

  it('count jobs by their status, and no test', async () => {
    for (const status of ['completed', 'completed', 'failed', 'cancelled', 'pending'])
      await insertJob({ status, ms: status === 'completed' ? 100 : null });
    await insertJob({ status: 'failed', ms: 401 });
    for (const status of ['failed', 'completed']) await insertJob({ status, type: 'test_reminder', ms: 9_000 });
    expect(await read()).toMatchObject({
      jobs: { total: 6, completed: 2, failed: 2, cancelled: 1, pending: 1 },
      executions: { total: 3, average_ms: 200.3 },
    });
  });

  it('compare the people who were reached with those who were due something, whoever else is written to over a second channel', async () => {
    const anna = '01900000-0000-7000-8000-00000000000a';
    for (const at of [`${day}T09:00:00Z`, Temporal.Now.instant().subtract({ minutes: 5 }).toString()])
      await deliver(
        [
          { to: 'anna@example.com', contact: anna, status: 'failed' },
          { to: '+491511234567', contact: anna, channel: 'sms', status: 'accepted' },
          { to: 'ben@example.com', status: 'skipped' },
          { to: 'carl@example.com', status: 'accepted' },
          { to: 'waits@example.com', status: 'waiting' },
        ],
        { at },
      );
    await deliver([{ status: 'failed' }], { type: 'test_reminder' });
    expect(await read()).toMatchObject({ people: { reached: 4, missed: 2 }, success_rate: 66.6 });
  });

  it('list the ten latest jobs and executions, newest first', async () => {
    const jobs: string[] = [];
    for (let n = 10; n < 22; n += 1)
      jobs.push(await insertJob({ status: 'completed', at: `2026-03-${n}T09:00:00Z`, ms: n }));
    const { executions, recent_jobs: recent } = await read();
    const newest = jobs.toReversed().slice(0, 10);
    expect(recent.map(({ id }: { id: string }) => id)).toEqual(newest);
    expect(executions.latest.map((run: { job_id: string }) => run.job_id)).toEqual(newest);
    expect(executions.latest[0]).toMatchObject({ name: 'Rent', status: 'completed', duration_ms: 21 });
  });

  it('say of what failed whether somebody was reached before', async () => {
    const at = `${day}T09:00:00Z`;
    const run = async (statuses: string[], logs: object) => {
      await deliver(
        statuses.map((status) => ({ status })),
        { at },
      );
      const { rows } = await database.query(
        `update jobs set status = 'failed' where id = (select id from jobs where workspace_id = $1 order by id desc limit 1) returning id`,
        [workspace],
      );
      await database.query(
        `insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms, logs)
         values ($1, $2, 'failed', $3, $3, 7, $4)`,
        [workspace, rows[0].id, at, JSON.stringify(logs)],
      );
      return rows[0].id;
    };
    const partly = await run(['delivered', 'failed'], { attempt: 1, delivered: 1, failed: 1 });
    const none = await run(['failed', 'skipped'], { attempt: 1, accepted: 0, failed: 1, skipped: 1 });
    const wanted = new Map([
      [partly, true],
      [none, false],
    ]);
    const { executions, recent_jobs: recent } = await read();
    const ofRecent = recent.map((job: { id: string; is_partly_sent: boolean }) => [job.id, job.is_partly_sent]);
    const ofLatest = executions.latest.map((execution: { job_id: string; is_partly_sent: boolean }) => [
      execution.job_id,
      execution.is_partly_sent,
    ]);
    expect([new Map(ofRecent), new Map(ofLatest)]).toEqual([wanted, wanted]);
  });

  it('are only those of the workspace', async () => {
    const other = await dana.createWorkspace('Oak Street');
    await insertJob({ of: other, status: 'failed', ms: 100 });
    await deliver([{ status: 'failed', reason: 'No such mailbox' }], { of: other });
    expect(await read()).toMatchObject({ jobs: { total: 0 }, executions: { total: 0 }, recent_jobs: [] });
    expect(await deliveriesOf(day, day)).toMatchObject({ failed: 0, reasons: [], unreached: [] });
  });

  it('count the messages of each day of the zone, both ends included, without tests', async () => {
    await deliver([{ status: 'accepted' }, { status: 'failed' }], { at: '2026-03-09T23:30:00Z' });
    await deliver([{ status: 'delivered' }], { at: '2026-03-12T22:30:00Z' });
    await deliver([{ status: 'accepted' }], { at: '2026-03-12T23:30:00Z' });
    await deliver([{ status: 'accepted' }], { type: 'test_reminder' });
    expect(await deliveriesOf('2026-03-10', '2026-03-12', 'Europe/Berlin')).toMatchObject({
      sent: 2,
      failed: 1,
      days: [
        { day: '2026-03-10', channel: 'email', sent: 1, failed: 1 },
        { day: '2026-03-12', channel: 'email', sent: 1, failed: 0 },
      ],
    });
  });

  it('measure from due to accepted, not to the receipt that came later', async () => {
    const seconds = Array.from({ length: 99 }, (_, index) => index + 1);
    await deliver(seconds.map((after) => ({ status: 'accepted', after })));
    await deliver([
      {
        status: 'delivered',
        after: 86_400,
        history: [{ attempt: 1, status: 'accepted', answered: `${day}T09:00:50Z` }],
      },
      { status: 'failed', after: 5_000 },
    ]);
    const { latency } = await deliveriesOf(day, day);
    expect([latency.median, latency.p95, latency.p99].map(Math.round)).toEqual([50, 94, 98]);
  });

  it('rank why messages failed', async () => {
    await deliver([
      { status: 'failed', reason: 'No such mailbox' },
      { status: 'failed', reason: 'No such mailbox' },
      { status: 'failed', channel: 'sms', reason: 'Number is blocked' },
      { status: 'unknown' },
      { status: 'skipped', reason: 'Unsubscribed' },
      { status: 'accepted' },
    ]);
    expect((await deliveriesOf(day, day)).reasons).toEqual([
      { channel: 'email', reason: 'No such mailbox', count: 2 },
      { channel: 'email', reason: 'No reason was given', count: 1 },
      { channel: 'sms', reason: 'Number is blocked', count: 1 },
    ]);
  });

  it('name who got nothing, and nobody who got something or still waits', async () => {
    for (const at of ['2026-03-10T09:00:00Z', '2026-03-11T09:00:00Z'])
      await deliver(
        [
          { to: 'bounces@example.com', status: 'failed', reason: 'No such mailbox' },
          { to: 'half@example.com', status: at.startsWith('2026-03-10') ? 'failed' : 'accepted' },
          { to: 'waits@example.com', status: at.startsWith('2026-03-10') ? 'failed' : 'waiting' },
        ],
        { at },
      );
    await deliver([{ to: 'left@example.com', status: 'skipped', reason: 'Unsubscribed' }]);
    expect((await deliveriesOf('2026-03-01', '2026-03-31')).unreached).toMatchObject([
      {
        channel: 'email',
        recipient: 'bounces@example.com',
        missed: 2,
        last_due: '2026-03-11T09:00:00.000Z',
        reason: 'No such mailbox',
      },
      { recipient: 'left@example.com', missed: 1, reason: 'Unsubscribed' },
    ]);
  });

  it('count a person once in a run, over whichever channel, and name nobody twice', async () => {
    const [anna, ben] = ['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-8000-00000000000b'];
    await deliver([
      { to: 'anna@example.com', contact: anna, status: 'failed', reason: 'No such mailbox' },
      { to: '+491511234567', contact: anna, channel: 'sms', status: 'accepted' },
      { to: 'ben@example.com', contact: ben, status: 'failed', reason: 'No such mailbox' },
      { to: '+491517654321', contact: ben, channel: 'sms', status: 'failed', reason: 'Number is blocked' },
      { to: 'waits@example.com', status: 'waiting' },
    ]);
    const { people, unreached } = await deliveriesOf(day, day);
    expect(people).toEqual({ reached: 1, missed: 1 });
    expect(unreached).toMatchObject([{ contact_id: ben, missed: 2, reason: 'Number is blocked' }]);
    expect(unreached).toHaveLength(1);
  });

  it('are written as CSV, and the audit log says so', async () => {
    await deliver([{ status: 'accepted' }, { status: 'failed' }, { status: 'accepted', channel: 'sms' }]);
    const file = `/api/analytics/deliveries/export?from=${day}&to=${day}&workspace=${workspace}`;
    const answer = await fetch(cuebird.url + file, { headers: { cookie: dana.cookie } });
    expect((await answer.text()).replace('\uFEFF', '').split('\r\n')).toEqual([
      'Day (UTC),Channel,Sent,Failed',
      `${day},email,1,1`,
      `${day},sms,1,0`,
      '',
    ]);
    const { data } = await read('/api/audit-log?kind=export');
    expect(data[0]).toMatchObject({ action: 'export.analytics', text: 'Exported delivery figures' });
  });

  it('refuse a range that ends before it begins, or is longer than a year, with the field’s name', async () => {
    for (const [from, to, message] of [
      ['2026-03-10', '2026-03-09', 'must not be before the first day'],
      ['2026-03-10', '2027-03-12', 'must be at most 366 days after the first day'],
    ])
      expect((await deliveriesOf(from ?? '', to ?? '')).error.fields).toEqual([{ path: 'to', message }]);
    expect((await deliveriesOf('2026-03-10', '2027-03-10')).error).toBeUndefined();
  });

  it('read a large ledger through its indexes', async () => {
    const before = await rowsScanned();
    await database.query(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at)
       select case when n <= 100 then $1::uuid else gen_random_uuid() end, 'Rent', 'reminder', 'completed', $2::timestamptz + n * interval '1 second', $2, $2
         from generate_series(1, 5000) n`,
      [workspace, `${day}T09:00:00Z`],
    );
    await database.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts, completed_at)
       select workspace_id, id, scheduled_for, 'email', n || '@example.com', 'accepted', 1, scheduled_for + interval '1 second'
         from jobs, generate_series(1, 10) n where scheduled_for > $1`,
      [`${day}T09:00:00Z`],
    );
    await database.query(
      `insert into job_executions (workspace_id, job_id, status, started_at, duration_ms)
       select workspace_id, id, 'completed', scheduled_for, 10 from jobs where scheduled_for > $1`,
      [`${day}T09:00:00Z`],
    );
    await database.query('analyze');
    const written = await rowsScanned();
    expect(await read()).toMatchObject({ jobs: { completed: 100 }, executions: { total: 100 } });
    expect(await deliveriesOf('2026-03-01', '2026-03-31')).toMatchObject({ sent: 1_000, latency: { median: 1 } });
    expect(written).toBeGreaterThan(before);
    expect((await rowsScanned()) - written).toBe(0);
  });

  /** The rows of large tables that were read by scanning a table. */
  async function rowsScanned(): Promise<number> {
    await database.query('select pg_stat_force_next_flush()');
    const { rows } = await database.query<{ scanned: number }>(
      `select coalesce(sum(seq_tup_read), 0)::int as scanned from pg_stat_user_tables
        where relname = 'jobs' or relname like 'deliveries%' or relname like 'job_executions%'`,
    );
    return rows[0]?.scanned ?? 0;
  }
});

describe('the success rate', () => {
  it('is 100 where nothing ended, and below it as soon as one job of many failed', () => {
    expect(successRate({ completed: 0, failed: 0 })).toBe(100);
    expect(successRate({ completed: 99_999, failed: 1 })).toBe(99.9);
    expect(successRate({ completed: 2, failed: 1 })).toBe(66.6);
    expect(successRate({ completed: 0, failed: 3 })).toBe(0);
  });
});
