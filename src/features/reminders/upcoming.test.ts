import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { setReminderStatus } from '#features/reminders/reminders.service.ts';
import { upcomingOf } from '#features/reminders/upcoming.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';

describe('when a reminder will be sent next', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  const upcoming = async (id: string, count = 3) => {
    const { occurrences, notes } = await fixture.inWorkspace(workspace, (ctx) => upcomingOf(ctx, { id, count }));
    return occurrences.map((at) =>
      [at.slice(5, 16), ...notes.filter((one) => one.at === at).map(({ note }) => note)].join(' '),
    );
  };
  const act = async (action: 'cancel' | 'pause') => {
    const [job] = await fixture.jobs(workspace);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action }));
  };

  it('follows its schedule from now on', async () => {
    const { id } = await writeReminder(fixture, { workspace });
    expect(await upcoming(id)).toEqual(['03-02T09:00', '03-03T09:00', '03-04T09:00']);
    fixture.clock.advance({ hours: 2 });
    expect(await upcoming(id, 1)).toEqual(['03-03T09:00']);
  });

  it('omits cancelled occurrences and marks paused ones', async () => {
    const { id } = await writeReminder(fixture, { workspace });
    await act('pause');
    expect(await upcoming(id, 2)).toEqual(['03-02T09:00 Paused: waits until somebody resumes it', '03-03T09:00']);
    await fixture.inWorkspace(workspace, async (ctx) => {
      const [job] = await fixture.jobs(workspace);
      await actOnJob(ctx, { id: job?.id ?? '', action: 'resume' });
    });
    await act('cancel');
    expect(await upcoming(id)).toEqual(['03-03T09:00', '03-04T09:00', '03-05T09:00']);
  });

  it('is computed for a paused reminder, and empty for an ended or event reminder', async () => {
    const { id } = await writeReminder(fixture, { workspace });
    await fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id, status: 'paused' }));
    expect(await upcoming(id, 1)).toEqual(['03-02T09:00']);
    const timezone = 'UTC';
    const over = { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T08:00:00', timezone };
    const once = await writeReminder(fixture, { workspace, schedule_config: over });
    await fixture.start();
    await fixture.jobsWhere(workspace, (jobs) => jobs.some(({ status }) => status === 'completed'));
    expect(await upcoming(once.id)).toEqual([]);
    const schedule_config = { type: 'event-based', eventTrigger: 'trial_ending', timezone };
    const event = await writeReminder(fixture, { workspace, schedule_config });
    expect(await upcoming(event.id)).toEqual([]);
  });
});
