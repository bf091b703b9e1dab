import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPostgresStore } from '#engine/postgres/store.ts';
import type { FinishRow, OutcomeRow } from '#engine/run/run-result.ts';
import type { EngineStore } from '#engine/store.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';
import { splitEndedRuns } from './ended-runs.ts';

const claimId = '019a9d3e-0000-7000-8000-00000000000c';
const otherClaim = '019a9d3e-0000-7000-8000-00000000000d';

describe('runs that end with their first attempt', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let owner: Client;
  let store: EngineStore;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T09:00:00Z');
    workspace = await fixture.createWorkspace();
    owner = await connectOwner(fixture.databaseUrl);
    store = createPostgresStore(fixture.database.engine);
  });
  afterEach(async () => {
    await owner.end();
    await fixture.close();
  });

  const jobId = (n: number) => `019a9d3e-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`;

  /** Jobs that this claim is running, or another one. */
  async function run(count: number, claim = claimId): Promise<void> {
    await owner.query(
      `insert into jobs (id, workspace_id, name, type, status, attempts, scheduled_for, run_at, started_at, claim_id)
       select id, $1, 'Rent', 'api_notification', 'running', 1, $2, $2, $2, $3 from unnest($4::uuid[]) as id`,
      [workspace.workspaceId, now(), claim, Array.from({ length: count }, (_, n) => jobId(n))],
    );
  }

  const now = () => fixture.clock.now().toString();

  function outcome(n: number, settled: Partial<OutcomeRow['settled']> = {}): OutcomeRow {
    return {
      job: { id: jobId(n), scheduled_for: now() },
      claimId,
      delivery: {
        id: `019a9d3e-0000-7000-8000-0000000002${String(n).padStart(2, '0')}`,
        channel: 'webhook',
        recipient: `https://hooks.example.com/${n}?a="{b}",\\`,
        recipient_name: null,
        attempts: 1,
        unknowns: 0,
      },
      settled: {
        status: 'accepted',
        code: null,
        params: null,
        reason: null,
        receipt: null,
        answer: 'HTTP 200',
        nextAttemptAt: null,
        isUnknown: false,
        ...settled,
      },
      channelId: null,
      provider: 'http',
      contentHash: 'ab12',
      beganAt: fixture.clock.now(),
    };
  }

  const logsOf = ({ settled: { status } }: OutcomeRow) => ({ attempt: 1, attempted: 1, [status]: 1 });

  const finish = (onlyOutcome: OutcomeRow, is: Partial<FinishRow> = {}): FinishRow => ({
    jobId: onlyOutcome.job.id,
    claimId,
    status: 'completed',
    ifStopped: 'completed',
    runAt: null,
    code: null,
    message: null,
    startedAt: fixture.clock.now(),
    rows: 0,
    logs: logsOf(onlyOutcome),
    onlyOutcome,
    ...is,
  });

  const record = (finishes: FinishRow[], outcomes = finishes.flatMap((one) => one.onlyOutcome ?? [])) =>
    store.record({
      now: fixture.clock.now(),
      outcomes,
      finishes,
      endedClaims: [],
      workspaceIds: [workspace.workspaceId],
    });

  const jobs = async () => (await fixture.jobs(workspace)).map(({ status, error_message: why }) => why ?? status);
  const ledger = async () =>
    (await fixture.deliveries(workspace)).map(({ recipient, status, reason, reason_code: code }) =>
      code === null ? [recipient, reason ?? status] : [recipient, reason ?? status, code],
    );
  const runs = async () => (await owner.query('select status, logs from executions order by job_id')).rows;

  const tableRuns = async () => (await owner.query('select job_id, logs from job_executions order by job_id')).rows;
  const runColumns = `
    select id, job_id, status, started_at, completed_at, duration_ms, error_message, logs, failed_at from executions order by id`;

  it('are written whole, each with what differs, whatever is alike', async () => {
    await run(3);
    const [a, b, c] = [
      outcome(0),
      outcome(1, { status: 'failed', code: 'no_such_url', reason: 'null', answer: 'HTTP 404' }),
      outcome(2, { status: 'unknown', code: 'unconfirmed', reason: '', answer: null, isUnknown: true }),
    ];
    const failed = { status: 'failed' } as const;
    await record([
      finish(c, { ...failed, message: '' }),
      finish(a),
      finish(b, { ...failed, message: 'HTTP "404", {}' }),
    ]);
    expect(await jobs()).toEqual(['completed', 'HTTP "404", {}', '']);
    expect(await ledger()).toEqual([
      [a.delivery.recipient, 'accepted'],
      [b.delivery.recipient, 'null', 'no_such_url'],
      [c.delivery.recipient, '', 'unconfirmed'],
    ]);
    expect(await runs()).toEqual([
      { status: 'completed', logs: logsOf(a) },
      { status: 'failed', logs: logsOf(b) },
      { status: 'failed', logs: logsOf(c) },
    ]);
  });

  it('have the recipient, name and content of each, where their neighbours have the same, another or none', async () => {
    const [url, mail] = ['https://hooks.example.com', 'dana@example.com'];
    const all: [string, string | null, string | null][] = [
      [url, null, 'ab12'],
      [url, null, 'ab12'],
      [mail, 'Dana', 'ab12'],
      [mail, null, 'cd34'],
      [url, 'Dana', null],
      [url, 'NULL', 'ab12'],
      [mail, 'Dana', null],
      [url, null, 'ab12'],
    ];
    await run(all.length);
    const rows = all.map(([recipient, recipient_name, contentHash], n) => {
      const one = outcome(n);
      return { ...one, contentHash, delivery: { ...one.delivery, recipient, recipient_name } };
    });
    await record(rows.map((row) => finish(row)));
    const { rows: written } = await owner.query({
      text: 'select recipient, recipient_name, content_hash from deliveries order by job_id',
      rowMode: 'array',
    });
    expect(written).toEqual(all);
  });

  it('are kept on the rows of their jobs, and read there as an execution has them', async () => {
    await run(1);
    fixture.clock.advance({ milliseconds: 1_234 });
    await record([finish(outcome(0), { startedAt: fixture.clock.now().subtract({ milliseconds: 1_234 }) })]);
    expect(await tableRuns()).toEqual([]);
    const read = await fixture.inWorkspace(workspace, ({ db }) => db.selectFrom('executions').selectAll().execute());
    expect(read).toEqual([
      {
        id: jobId(0),
        workspace_id: workspace.workspaceId,
        job_id: jobId(0),
        status: 'completed',
        started_at: '2026-03-02T09:00:00.000Z',
        completed_at: '2026-03-02T09:00:01.234Z',
        duration_ms: 1_234,
        error_message: null,
        logs: { attempt: 1, attempted: 1, accepted: 1 },
        failed_at: null,
        listed_at: '2026-03-02T09:00:00.000Z',
        is_on_job: true,
      },
    ]);
  });

  it('have a row of their own where that of the job does not say all of them', async () => {
    await run(4);
    const [late, other, usual, earlier] = [outcome(0), outcome(1), outcome(2), outcome(3)];
    const lateLogs = { attempt: 1, attempted: 1, late_seconds: 60, accepted: 1 };
    await record([
      finish(late, { logs: lateLogs }),
      finish(other, { logs: { attempt: 1 } }),
      finish(usual),
      finish(earlier, { startedAt: fixture.clock.now().subtract({ seconds: 1 }) }),
    ]);
    expect(await tableRuns()).toEqual([
      { job_id: jobId(0), logs: lateLogs },
      { job_id: jobId(1), logs: { attempt: 1 } },
      { job_id: jobId(3), logs: logsOf(earlier) },
    ]);
    expect(await runs()).toHaveLength(4);
  });

  it('have a row of their own if they began a minute after the scheduled time, also where no log says so', async () => {
    await run(2);
    await owner.query(
      `update jobs set scheduled_for = $1::timestamptz - case id when $2 then interval '1 minute' else interval '59 seconds' end`,
      [now(), jobId(0)],
    );
    await record([finish(outcome(0)), finish(outcome(1))]);
    expect(await tableRuns()).toEqual([{ job_id: jobId(0), logs: logsOf(outcome(0)) }]);
    expect(await runs()).toHaveLength(2);
  });

  it.each([
    ['forward', 'on the row of their job', 2_147_483_647],
    ['forward', 'as an execution', 2_147_483_647],
    ['back', 'as an execution', -2_147_483_648],
    ['forward', 'by the statement for every case', 2_147_483_647],
    ['back', 'by the statement for every case', -2_147_483_648],
  ])('are written when the clock was set %s a month meanwhile, %s', async (to, where, durationMs) => {
    await run(1);
    const days = to === 'forward' ? -31 : 31;
    const beganAt = fixture.clock.now().add({ hours: 24 * days });
    await owner.query('update jobs set started_at = $1, scheduled_for = $1, run_at = $1', [beganAt.toString()]);
    const one = { ...outcome(0), beganAt };
    const is = {
      startedAt: beganAt,
      ...(where === 'as an execution' && { logs: { ...logsOf(one), late_seconds: 60 } }),
      ...(where === 'by the statement for every case' && { onlyOutcome: null }),
    };
    await record([finish(one, is)], [one]);
    const durations = async () => (await owner.query('select duration_ms from executions')).rows;
    expect(await jobs()).toEqual(['completed']);
    expect(await durations()).toEqual([{ duration_ms: durationMs }]);
    expect(await tableRuns()).toHaveLength(where === 'on the row of their job' ? 0 : 1);
    await owner.query("update jobs set status = 'pending'");
    expect(await durations()).toEqual([{ duration_ms: durationMs }]);
    expect(await tableRuns()).toHaveLength(1);
  });

  it.each([
    ['status', "status = 'pending'"],
    ['message', "error_message = 'HTTP 500'"],
    ['time', "scheduled_for = scheduled_for + interval '1 hour'"],
    ['end', 'completed_at = null'],
    ['beginning', 'started_at = null'],
  ])('are kept once, whoever changes the %s of the job', async (_, change) => {
    await run(2);
    await record([
      finish(outcome(0, { status: 'failed', reason: 'HTTP 404' }), { status: 'failed', message: 'HTTP 404' }),
    ]);
    const seen = async () => (await owner.query(runColumns)).rows;
    const before = await seen();
    for (let times = 0; times < 2; times += 1) await owner.query(`update jobs set ${change} where id = $1`, [jobId(0)]);
    expect(await seen()).toEqual(before);
    expect(await tableRuns()).toEqual([{ job_id: jobId(0), logs: { attempt: 1, attempted: 1, failed: 1 } }]);
  });

  describe('whose reminder was edited meanwhile', () => {
    const edited = { code: 'reminder_edited', reason: 'The reminder was edited' } as const;
    beforeEach(async () => {
      await run(1);
      await owner.query('update jobs set stop_reason = $1, reason_code = $2', [edited.reason, edited.code]);
    });
    const said = async () =>
      (await fixture.jobs(workspace)).map(({ status, error_message, reason_code }) => [
        status,
        error_message,
        reason_code,
      ]);
    const refused = () => outcome(0, { status: 'failed', code: 'no_such_url', reason: 'HTTP 404' });
    const message = '1 of 1 failed: HTTP 404';
    const failed = { status: 'failed', message } as const;

    it('have no code of the edit where the message is failed', async () => {
      await record([finish(refused(), failed)]);
      expect(await said()).toEqual([['failed', message, null]]);
      expect(await ledger()).toEqual([[refused().delivery.recipient, 'HTTP 404', 'no_such_url']]);
    });

    it('have none where the run is written as an execution', async () => {
      await record([finish(refused(), { ...failed, onlyOutcome: null })], [refused()]);
      expect(await said()).toEqual([['failed', message, null]]);
    });

    it('have none where some were skipped, and the job is completed', async () => {
      const skipped = '1 of 2 skipped: The recipient is on the suppression list';
      await record([finish(outcome(0), { message: skipped, onlyOutcome: null })], [outcome(0)]);
      expect(await said()).toEqual([['completed', skipped, null]]);
    });

    it('have the code of what they were cancelled for', async () => {
      const why = { code: 'suppressed', message: 'The recipient is on the suppression list' } as const;
      await record([finish(outcome(0), { ...why, status: 'cancelled', onlyOutcome: null })], []);
      expect(await said()).toEqual([['cancelled', why.message, why.code]]);
    });

    it.each(['cancelled', 'failed'] as const)(
      'have its words and its code where it ended a wait (%s)',
      async (ifStopped) => {
        const later = {
          status: 'pending',
          runAt: fixture.clock.now(),
          message: 'Will be tried again: HTTP 503',
        } as const;
        await record([finish(outcome(0), { ...later, ifStopped, onlyOutcome: null })], []);
        expect(await said()).toEqual([[ifStopped, edited.reason, edited.code]]);
      },
    );
  });

  it('stay on the rows of jobs that are archived', async () => {
    await run(1);
    await record([finish(outcome(0))]);
    await owner.query('update jobs set archived_at = now()');
    expect(await tableRuns()).toEqual([]);
    expect(await runs()).toHaveLength(1);
  });

  it('are written once, though told twice because the first answer was lost', async () => {
    await run(2);
    const batch = [
      finish(outcome(0)),
      finish(outcome(1, { status: 'failed', reason: 'HTTP 404' }), { status: 'failed' }),
    ];
    await record(batch);
    const before = [await jobs(), await ledger(), await runs()];
    await record(batch);
    expect([await jobs(), await ledger(), await runs()]).toEqual(before);
  });

  it('leave no row of a job that another worker has taken over, unless the message arrived', async () => {
    await run(2, otherClaim);
    const [refused, accepted] = [outcome(0, { status: 'failed', reason: 'HTTP 404' }), outcome(1)];
    await record([finish(refused, { status: 'failed' }), finish(accepted)]);
    expect(await jobs()).toEqual(['running', 'running']);
    expect(await ledger()).toEqual([[accepted.delivery.recipient, 'accepted']]);
    expect(await runs()).toEqual([]);
  });

  it('do not write a recipient a second time who is in the ledger, and end all the same', async () => {
    await run(2);
    const [known, other] = [outcome(0), outcome(1)];
    await record([], [known]);
    await record([finish(known), finish(other)]);
    expect(await jobs()).toEqual(['completed', 'completed']);
    expect(await ledger()).toEqual([known, other].map(({ delivery }) => [delivery.recipient, 'accepted']));
    expect(await runs()).toHaveLength(2);
  });

  it('are told apart from those with more to write', () => {
    const [whole, later, nothing, elsewhere] = [outcome(0), outcome(1), outcome(2), outcome(3)];
    const finishes = [
      finish(whole),
      finish(later, { status: 'pending', runAt: fixture.clock.now() }),
      finish(nothing, { logs: null }),
      finish(elsewhere),
      { ...finish(outcome(4)), onlyOutcome: null },
    ];
    const split = splitEndedRuns({ outcomes: [later, whole, nothing], finishes });
    expect(split.ended.map(({ outcome: { job } }) => job.id)).toEqual([jobId(0)]);
    expect(split.outcomes).toEqual([later, nothing]);
    expect(split.finishes.map((one) => one.jobId)).toEqual([1, 2, 3, 4].map(jobId));
  });
});
