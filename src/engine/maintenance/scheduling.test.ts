import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setReminderStatus, updateReminder } from '#features/reminders/reminders.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';

describe('scheduling of occurrences', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  it('always has the next occurrence of an active reminder as a pending job', async () => {
    await writeReminder(fixture, { workspace });
    const jobs = await fixture.jobs(workspace);
    expect(jobs.map((job) => [job.status, job.scheduled_for])).toEqual([['pending', '2026-03-02T09:00:00.000Z']]);
  });

  it('schedules the next occurrence of one that was paused when its time passed', async () => {
    await writeReminder(fixture, { workspace });
    await fixture.start();
    const [job] = await fixture.jobs(workspace);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'pause' }));
    fixture.clock.advance({ hours: 2 });
    const jobs = await fixture.until(
      () => fixture.jobs(workspace),
      (all) => all.length === 2,
    );
    expect(jobs.map((one) => [one.status, one.scheduled_for])).toEqual([
      ['paused', '2026-03-02T09:00:00.000Z'],
      ['pending', '2026-03-03T09:00:00.000Z'],
    ]);
  });

  it('leaves the next occurrence of a resumed job as it is, and begins what else is due', async () => {
    const resumed = await writeReminder(fixture, { workspace });
    const worker = await fixture.start();
    const [paused] = await fixture.jobs(workspace);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: paused?.id ?? '', action: 'pause' }));
    fixture.clock.advance({ hours: 2 });
    const [, scheduled] = await fixture.jobsWhere(workspace, (all) => all.length === 2);
    await worker.stop(0);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: paused?.id ?? '', action: 'resume' }));
    const other = await writeReminder(fixture, {
      workspace,
      schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate: '2026-03-02T10:30:00', timezone: 'UTC' },
    });
    fixture.clock.advance({ minutes: 30 });
    await fixture.start();
    const jobs = await fixture.jobsWhere(
      workspace,
      (all) => all.filter(({ status }) => status === 'completed').length === 2,
    );
    const of = ({ id }: { id: string }) =>
      jobs
        .filter(({ reminder_id }) => reminder_id === id)
        .map((job) => [job.id, job.status, job.scheduled_for, job.attempts]);
    expect(of(resumed)).toEqual([
      [paused?.id, 'completed', '2026-03-02T09:00:00.000Z', 1],
      [scheduled?.id, 'pending', '2026-03-03T09:00:00.000Z', 0],
    ]);
    expect(of(other).map(([, ...rest]) => rest)).toEqual([
      ['completed', '2026-03-02T10:30:00.000Z', 1],
      ['pending', '2026-03-03T10:30:00.000Z', 0],
    ]);
  });

  it('goes on after a paused one although a later one was cancelled before', async () => {
    const hourly = (minute: number) => ({
      type: 'scheduled' as const,
      scheduleType: 'custom' as const,
      customCron: `${minute} * * * *`,
      timezone: 'UTC',
    });
    const reminder = await writeReminder(fixture, { workspace, schedule_config: hourly(30) });
    const act = async (action: 'cancel' | 'pause') => {
      const waiting = (await fixture.jobs(workspace)).find(({ status }) => status === 'pending');
      await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: waiting?.id ?? '', action }));
    };
    await act('cancel');
    await act('cancel');
    const input = { ...reminder, schedule_config: hourly(15) };
    await fixture.inWorkspace(workspace, (ctx) => updateReminder(ctx, { id: reminder.id, input }));
    await act('pause');
    await fixture.start();
    fixture.clock.advance({ minutes: 16 });
    const jobs = await fixture.jobsWhere(workspace, (all) => all.some(({ status }) => status === 'pending'));
    expect(jobs.map(({ status, scheduled_for: at }) => `${at.slice(11, 16)} ${status}`)).toEqual([
      '08:15 paused',
      '08:30 cancelled',
      '09:15 pending',
      '09:30 cancelled',
    ]);
  });

  it('moves the next occurrence when a reminder is edited, and sends the new text', async () => {
    const reminder = await writeReminder(fixture, { workspace });
    await fixture.inWorkspace(workspace, (ctx) =>
      updateReminder(ctx, {
        id: reminder.id,
        input: {
          ...reminder,
          schedule_config: { ...reminder.schedule_config, startDate: '2026-03-02T10:30:00' },
          content: { ...reminder.content, message: 'New text' },
        },
      }),
    );
    await fixture.start();
    fixture.clock.advance({ hours: 2, minutes: 30 });
    const jobs = await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(jobs.map((job) => job.scheduled_for)).toEqual(['2026-03-02T10:30:00.000Z', '2026-03-03T10:30:00.000Z']);
    expect(fixture.messages()).toMatchObject([{ message: 'New text' }]);
  });

  it('cancels one occurrence and goes on with the next', async () => {
    await writeReminder(fixture, { workspace });
    const [job] = await fixture.jobs(workspace);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'cancel' }));
    await fixture.start();
    fixture.clock.advance({ hours: 25 });
    const jobs = await fixture.jobsWhere(workspace, (all) => all.some((one) => one.status === 'completed'));
    expect(jobs.map((one) => [one.status, one.scheduled_for.slice(0, 10)])).toEqual([
      ['cancelled', '2026-03-02'],
      ['completed', '2026-03-03'],
      ['pending', '2026-03-04'],
    ]);
  });

  it('does not send a paused reminder, and resumes with the next occurrence without catching up', async () => {
    const reminder = await writeReminder(fixture, { workspace });
    await fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id: reminder.id, status: 'paused' }));
    await fixture.start();
    fixture.clock.advance({ hours: 50 });
    const resumed = await fixture.inWorkspace(workspace, (ctx) =>
      setReminderStatus(ctx, { id: reminder.id, status: 'active' }),
    );
    expect(resumed.next_run_at).toBe('2026-03-05T09:00:00.000Z');
    fixture.clock.advance({ hours: 23 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(fixture.messages()).toMatchObject([{ scheduled_for: '2026-03-05T09:00:00.000Z' }]);
  });
});
