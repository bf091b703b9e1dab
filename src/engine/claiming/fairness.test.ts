import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

describe('fairness', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  it("lets one workspace's flood of jobs delay no other workspace", async () => {
    const other = await fixture.createWorkspace('Quiet');
    for (let n = 0; n < 40; n += 1) await writeReminder(fixture, { workspace, name: `Flood ${n}` });
    await writeReminder(fixture, {
      workspace: other,
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T09:00:01', timezone: 'UTC' },
      content: { subject: 'Quiet', message: 'Hi', recipients: ['https://hooks.example.com/quiet'] },
    });
    const delayed = delayAnswers();
    fixture.receiver = (request) => (request.url.endsWith('quiet') ? answerOf(200) : delayed(request));
    fixture.clock.advance({ hours: 1, seconds: 1 });
    await fixture.start({ limits: { slots: 16, slotsPerWorkspace: 8 } });
    const jobs = await fixture.until(
      () => fixture.jobs(other),
      (all) => all.some((job) => job.status === 'completed'),
    );
    expect(jobs).toHaveLength(1);
    delayed.release();
    await fixture.jobsWhere(workspace, (all) => all.filter((job) => job.status === 'completed').length === 40);
  });

  it('claims many due jobs little by little, so that a job that comes due meanwhile waits for a short claim only', async () => {
    for (let n = 0; n < 10; n += 1) await writeReminder(fixture, { workspace, name: `Flood ${n}` });
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    fixture.clock.advance({ hours: 1 });
    const claimed: number[] = [];
    await fixture.start({
      limits: { jobsPerClaim: 4 },
      wrapStore: (store) => ({
        ...store,
        async claim(...args) {
          const claim = await store.claim(...args);
          claimed.push(claim?.started.length ?? 0);
          return claim;
        },
      }),
    });
    // No answer has come.
    await delayed.arrived(10);
    expect(claimed.slice(0, 3)).toEqual([4, 4, 2]);
    delayed.release();
    await fixture.jobsWhere(workspace, (all) => all.filter((job) => job.status === 'completed').length === 10);
  });

  it('sends for others on time while a destination of one workspace hangs for minutes', async () => {
    const other = await fixture.createWorkspace('Quiet');
    for (let n = 0; n < 40; n += 1)
      await writeReminder(fixture, {
        workspace,
        name: `Hanging ${n}`,
        content: {
          subject: 'Rent',
          message: 'Hi',
          recipients: [1, 2, 3].map((at) => `https://hangs.example.com/${n}/${at}`),
        },
      });
    const times = Array.from(
      { length: 8 },
      (_, n) => `2026-03-02T09:0${Math.floor(n / 2)}:${n % 2 === 0 ? '01' : '31'}`,
    );
    for (const startDate of times)
      await writeReminder(fixture, {
        workspace: other,
        schedule_config: { type: 'scheduled', scheduleType: 'once', startDate, timezone: 'UTC' },
      });
    const hanging = delayAnswers();
    fixture.receiver = (request) => (request.url.includes('hangs') ? hanging(request) : answerOf(200));
    await fixture.start({ limits: { slots: 16, slotsPerWorkspace: 8, perDestination: 4 } });
    fixture.clock.advance({ hours: 1 });
    await hanging.arrived(4);
    for (const [n, time] of times.entries()) {
      fixture.clock.advance(fixture.clock.now().until(`${time}Z`));
      await fixture.jobsWhere(other, (jobs) => jobs.filter((job) => job.status === 'completed').length === n + 1);
    }
    expect((await fixture.jobs(other)).map((job) => [job.status, job.completed_at])).toEqual(
      times.map((time) => ['completed', `${time}.000Z`]),
    );
    expect(fixture.requests.filter((request) => request.url.includes('hangs'))).toHaveLength(4);
    // No attempt of the others has been used up.
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.every((row) => row.attempts === 0 && row.status === 'waiting'),
    );
  });
});
