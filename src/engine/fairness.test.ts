import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf, holdAnswers } from '#testing/receiver.ts';

describe('fairness', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
  });
  afterEach(() => house.close());

  it('lets a flood of one workspace pass without holding up another', async () => {
    const other = await house.createWorkspace('Quiet');
    for (let n = 0; n < 40; n += 1) await writeReminder(house, { workspace, name: `Flood ${n}` });
    await writeReminder(house, {
      workspace: other,
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T09:00:01', timezone: 'UTC' },
      content: { subject: 'Quiet', message: 'Hi', recipients: ['https://hooks.example.com/quiet'] },
    });
    const held = holdAnswers();
    house.receiver = (request) => (request.url.endsWith('quiet') ? answerOf(200) : held(request));
    house.clock.advance({ hours: 1, seconds: 1 });
    await house.start({ limits: { slots: 16, slotsPerWorkspace: 8 } });
    const jobs = await house.until(
      () => house.jobs(other),
      (all) => all.some((job) => job.status === 'completed'),
    );
    expect(jobs).toHaveLength(1);
    held.release();
    await house.jobsWhere(workspace, (all) => all.filter((job) => job.status === 'completed').length === 40);
  });

  it('sends for others on time while a destination of one workspace hangs for minutes', async () => {
    const other = await house.createWorkspace('Quiet');
    for (let n = 0; n < 40; n += 1)
      await writeReminder(house, {
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
      await writeReminder(house, {
        workspace: other,
        schedule_config: { type: 'scheduled', scheduleType: 'once', startDate, timezone: 'UTC' },
      });
    const hanging = holdAnswers();
    house.receiver = (request) => (request.url.includes('hangs') ? hanging(request) : answerOf(200));
    await house.start({ limits: { slots: 16, slotsPerWorkspace: 8, perDestination: 4 } });
    house.clock.advance({ hours: 1 });
    await hanging.arrived(4);
    for (const [n, time] of times.entries()) {
      house.clock.advance(house.clock.now().until(`${time}Z`));
      await house.jobsWhere(other, (jobs) => jobs.filter((job) => job.status === 'completed').length === n + 1);
    }
    expect((await house.jobs(other)).map((job) => [job.status, job.completed_at])).toEqual(
      times.map((time) => ['completed', `${time}.000Z`]),
    );
    expect(house.requests.filter((request) => request.url.includes('hangs'))).toHaveLength(4);
    // None of the others has used up an attempt.
    await house.until(
      () => house.deliveries(workspace),
      (rows) => rows.every((row) => row.attempts === 0 && row.status === 'waiting'),
    );
  });
});
