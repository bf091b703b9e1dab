import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { setReminderStatus } from '#features/reminders/reminders.service.ts';
import { upcomingOf } from '#features/reminders/upcoming.service.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';

describe('when a reminder will be sent next', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
  });
  afterEach(() => house.close());

  const upcoming = async (id: string, count = 3) => {
    const { occurrences, notes } = await house.inWorkspace(workspace, (ctx) => upcomingOf(ctx, { id, count }));
    return occurrences.map((at) =>
      [at.slice(5, 16), ...notes.filter((one) => one.at === at).map(({ note }) => note)].join(' '),
    );
  };
  const act = async (action: 'cancel' | 'pause') => {
    const [job] = await house.jobs(workspace);
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action }));
  };

  it('is what its schedule says from now on', async () => {
    const { id } = await writeReminder(house, { workspace });
    expect(await upcoming(id)).toEqual(['03-02T09:00', '03-03T09:00', '03-04T09:00']);
    house.clock.advance({ hours: 2 });
    expect(await upcoming(id, 1)).toEqual(['03-03T09:00']);
  });

  it('leaves out what was cancelled ahead of its time, and says what is held back', async () => {
    const { id } = await writeReminder(house, { workspace });
    await act('pause');
    expect(await upcoming(id, 2)).toEqual(['03-02T09:00 Paused: waits until somebody resumes it', '03-03T09:00']);
    await house.inWorkspace(workspace, async (ctx) => {
      const [job] = await house.jobs(workspace);
      await actOnJob(ctx, { id: job?.id ?? '', action: 'resume' });
    });
    await act('cancel');
    expect(await upcoming(id)).toEqual(['03-03T09:00', '03-04T09:00', '03-05T09:00']);
  });

  it('is when it would be sent while it is paused, and never for what is over or waits for an event', async () => {
    const { id } = await writeReminder(house, { workspace });
    await house.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id, status: 'paused' }));
    expect(await upcoming(id, 1)).toEqual(['03-02T09:00']);
    const timezone = 'UTC';
    const over = { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T08:00:00', timezone };
    const once = await writeReminder(house, { workspace, schedule_config: over });
    await house.start();
    await house.jobsWhere(workspace, (jobs) => jobs.some(({ status }) => status === 'completed'));
    expect(await upcoming(once.id)).toEqual([]);
    const schedule_config = { type: 'event-based', eventTrigger: 'trial_ending', timezone };
    const event = await writeReminder(house, { workspace, schedule_config });
    expect(await upcoming(event.id)).toEqual([]);
  });
});
