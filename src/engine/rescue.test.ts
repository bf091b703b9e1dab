import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { passUntil } from '#testing/pass-until.ts';
import { answerOf, holdAnswers } from '#testing/receiver.ts';

describe('the rescue of what a lost worker held', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
  });
  afterEach(() => house.close());

  it('takes up the jobs of a worker that stopped, and serves whom it had not served', async () => {
    await loseWorker();
    await house.start({ isAlone: true });
    const ledger = await house.deliveries(workspace);
    expect(ledger).toMatchObject([
      { recipient: 'https://hooks.example.com/a', status: 'accepted' },
      { recipient: 'https://hooks.example.com/b', status: 'waiting', attempts: 1, unknowns: 1 },
    ]);
    house.clock.advance({ seconds: 5 });
    await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(house.requests.map((request) => request.url.slice(-1))).toEqual(['b']);
    expect(await house.executions(workspace)).toMatchObject([
      { status: 'failed', error_message: 'The worker stopped during this run' },
      { status: 'completed', error_message: null },
    ]);
  });

  it('leaves the jobs of a worker that may still live until its lease has run out', async () => {
    await loseWorker();
    await house.start();
    expect((await house.jobs(workspace))[0]?.status).toBe('running');
    house.clock.advance({ seconds: 89 });
    await house.clock.untilAsleep(4);
    expect((await house.jobs(workspace))[0]?.status).toBe('running');
    await passUntilRescued();
    house.clock.advance({ seconds: 5 });
    await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(house.requests).toHaveLength(1);
  });

  it('says when the lost attempt began, not when it was given up', async () => {
    await loseWorker();
    await house.start();
    await passUntilRescued();
    expect((await house.deliveries(workspace))[1]).toMatchObject({
      status: 'waiting',
      first_attempt_at: '2026-03-02T09:00:00.000Z',
      last_attempt_at: '2026-03-02T09:00:00.000Z',
    });
  });

  it('takes up its own jobs again after it could not keep its lease, and ends each once', async () => {
    const held = holdAnswers();
    house.receiver = held;
    await writeReminder(house, { workspace });
    await house.start({
      wrapStore: (store) => ({ ...store, extendLeases: () => Promise.reject(new Error('the database is away')) }),
    });
    house.clock.advance({ hours: 1 });
    await held.arrived(1);
    await passUntilRescued();
    house.clock.advance({ seconds: 5 });
    await held.arrived(2);
    held.release();
    const jobs = await house.jobsWhere(workspace, (all) => all[0]?.status === 'completed');
    expect(jobs.map((job) => job.status)).toEqual(['completed', 'pending']);
    expect(await house.deliveries(workspace)).toMatchObject([{ status: 'accepted', attempts: 2, unknowns: 1 }]);
  });

  const passUntilRescued = () =>
    passUntil(house, async () => {
      const runs = await house.executions(workspace);
      return runs.some((run) => run.error_message === 'The worker stopped during this run');
    });

  /** A worker that is lost while a recipient's answer is on its way; who is at /a has answered before. */
  async function loseWorker(): Promise<void> {
    const recipients = ['https://hooks.example.com/a', 'https://hooks.example.com/b'];
    await writeReminder(house, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    const held = holdAnswers();
    house.receiver = (request) => (request.url.endsWith('/a') ? answerOf(200) : held(request));
    const worker = await house.start();
    house.clock.advance({ hours: 1 });
    await held.arrived(1);
    await house.until(
      () => house.deliveries(workspace),
      (rows) => rows.length === 1,
    );
    worker.kill();
    house.receiver = () => answerOf(200);
    house.requests.length = 0;
  }
});
