import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';

describe('after downtime', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
  });
  afterEach(() => house.close());

  it('sends the newest missed occurrence after downtime and records the older one as missed', async () => {
    await writeReminder(house, { workspace });
    house.clock.advance({ hours: 24 * 3 + 2 });
    await house.start();
    const jobs = await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(jobs.map((job) => [job.status, job.scheduled_for.slice(0, 10)])).toEqual([
      ['cancelled', '2026-03-02'],
      ['completed', '2026-03-05'],
      ['pending', '2026-03-06'],
    ]);
    expect(jobs[0]?.error_message).toBe('Missed: it was due at 2026-03-02T09:00:00.000Z and could not be sent in time');
    expect(house.requests).toHaveLength(1);
  });
});
