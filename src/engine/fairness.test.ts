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
});
