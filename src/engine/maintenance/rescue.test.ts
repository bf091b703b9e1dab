import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  engineSleepers,
  type EngineFixture,
  openEngineFixture,
  type TestWorkspace,
  writeReminder,
} from '#testing/engine.ts';
import { passUntil } from '#testing/pass-until.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

describe("the rescue of a lost worker's jobs", () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  it('takes over the jobs of a lost worker, and serves the recipients it had not served', async () => {
    await loseWorker();
    await fixture.start({ isAlone: true });
    const ledger = await fixture.deliveries(workspace);
    expect(ledger).toMatchObject([
      { recipient: 'https://hooks.example.com/a', status: 'accepted' },
      { recipient: 'https://hooks.example.com/b', status: 'waiting', attempts: 1, unknowns: 1 },
    ]);
    fixture.clock.advance({ seconds: 5 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(fixture.requests.map((request) => request.url.slice(-1))).toEqual(['b']);
    expect(await fixture.executions(workspace)).toMatchObject([
      { status: 'failed', error_message: 'The worker stopped during this run' },
      { status: 'completed', error_message: null },
    ]);
  });

  it('leaves the jobs of a worker that may still live until its lease has run out', async () => {
    await loseWorker();
    await fixture.start();
    expect((await fixture.jobs(workspace))[0]?.status).toBe('running');
    fixture.clock.advance({ seconds: 89 });
    await fixture.clock.untilAsleep(engineSleepers);
    expect((await fixture.jobs(workspace))[0]?.status).toBe('running');
    await passUntilRescued();
    fixture.clock.advance({ seconds: 5 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(fixture.requests).toHaveLength(1);
  });

  it('says when the lost attempt began, not when it was given up', async () => {
    await loseWorker();
    await fixture.start();
    await passUntilRescued();
    expect((await fixture.deliveries(workspace))[1]).toMatchObject({
      status: 'waiting',
      first_attempt_at: '2026-03-02T09:00:00.000Z',
      last_attempt_at: '2026-03-02T09:00:00.000Z',
    });
  });

  it('takes over its own jobs again after it could not extend its lease, and ends each once', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    await writeReminder(fixture, { workspace });
    await fixture.start({
      wrapStore: (store) => ({ ...store, extendLeases: () => Promise.reject(new Error('the database is away')) }),
    });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    await passUntilRescued();
    fixture.clock.advance({ seconds: 5 });
    await delayed.arrived(2);
    delayed.release();
    const jobs = await fixture.jobsWhere(workspace, (all) => all[0]?.status === 'completed');
    expect(jobs.map((job) => job.status)).toEqual(['completed', 'pending']);
    expect(await fixture.deliveries(workspace)).toMatchObject([{ status: 'accepted', attempts: 2, unknowns: 1 }]);
  });

  it('sends again to all whose attempt was lost in one run of the job', async () => {
    const recipients = Array.from({ length: 20 }, (_, at) => `https://hooks.example.com/${at}`);
    await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    const worker = await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    worker.kill();
    fixture.receiver = () => answerOf(200);
    let drawn = 0;
    await fixture.start({ isAlone: true, random: () => (drawn += 0.013) % 1 });
    const { rows } = await fixture.database.engine.query('select distinct next_attempt_at from deliveries');
    expect(rows).toHaveLength(1);
    fixture.clock.advance({ seconds: 6 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect((await fixture.executions(workspace)).map(({ status }) => status)).toEqual(['failed', 'completed']);
    expect((await fixture.jobs(workspace))[0]).toMatchObject({ attempts: 2 });
  });

  const passUntilRescued = () =>
    passUntil(fixture, async () => {
      const runs = await fixture.executions(workspace);
      return runs.some((run) => run.error_message === 'The worker stopped during this run');
    });

  /** Loses a worker while a recipient's answer is on its way. /a has answered before. */
  async function loseWorker(): Promise<void> {
    const recipients = ['https://hooks.example.com/a', 'https://hooks.example.com/b'];
    await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    const delayed = delayAnswers();
    fixture.receiver = (request) => (request.url.endsWith('/a') ? answerOf(200) : delayed(request));
    const worker = await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.length === 1,
    );
    worker.kill();
    fixture.receiver = () => answerOf(200);
    fixture.requests.length = 0;
  }
});
