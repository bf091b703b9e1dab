import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countThings } from '#features/analytics/analytics.db.ts';
import { dashboardOf } from '#features/dashboard/dashboard.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { actOnReminders } from '#features/reminders/bulk.service.ts';
import { listReminders } from '#features/reminders/reminder-lists.service.ts';
import { getReminder, setReminderStatus, updateReminder } from '#features/reminders/reminders.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

const once = { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T09:00:00', timezone: 'UTC' } as const;
const twice = { ...once, scheduleType: 'daily', endDate: '2026-03-03T00:00:00' } as const;

describe('a reminder that has an end', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  const at = <T>(work: Parameters<typeof fixture.inWorkspace<T>>[1]) => fixture.inWorkspace(workspace, work);
  const isDone = async (id: string) => (await at((ctx) => getReminder(ctx, id))).is_done;
  const listed = async (status: 'active' | 'done' | 'all', sort: '-created' | 'next_run' = '-created') =>
    (await at((ctx) => listReminders(ctx, { status, sort, limit: 10 }))).data.map(({ name }) => name);
  const activeCounts = async () => [
    (await at((ctx) => dashboardOf(ctx, { hasSandbox: true }))).activeReminders,
    (await at(({ db, workspaceId }) => countThings(db, { workspaceId }))).active_reminders,
    (await listed('active')).length,
  ];
  const ended = () =>
    fixture.jobsWhere(workspace, (jobs) => jobs.every(({ status }) => ['completed', 'failed'].includes(status)));

  it('is done once its one message was sent, and not while that waits, runs or is retried', async () => {
    const delayed = delayAnswers(() => answerOf(404));
    fixture.receiver = delayed;
    const { id } = await writeReminder(fixture, { workspace, schedule_config: once });
    expect(await isDone(id)).toBe(false);
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    expect(await isDone(id)).toBe(false);
    delayed.release();
    const [job] = await ended();
    expect(await isDone(id)).toBe(true);
    fixture.receiver = delayAnswers();
    await at((ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'retry' }));
    expect(await isDone(id)).toBe(false);
  });

  it('is done after its end date, and one without an end is not', async () => {
    const { id } = await writeReminder(fixture, { workspace, schedule_config: twice });
    const endless = await writeReminder(fixture, { workspace, name: 'Endless' });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (jobs) => jobs.filter(({ status }) => status === 'completed').length === 2);
    expect([await isDone(id), await isDone(endless.id)]).toEqual([false, false]);
    fixture.clock.advance({ hours: 24 });
    await fixture.jobsWhere(workspace, (jobs) => jobs.filter(({ status }) => status === 'completed').length === 4);
    expect([await isDone(id), await isDone(endless.id)]).toEqual([true, false]);
  });

  it('is not done while its message is paused in the list of jobs', async () => {
    const { id } = await writeReminder(fixture, { workspace, schedule_config: once });
    const [job] = await fixture.jobs(workspace);
    await at((ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'pause' }));
    expect(await isDone(id)).toBe(false);
  });

  describe('and is done', () => {
    let id: string;
    beforeEach(async () => {
      fixture.receiver = () => answerOf(200);
      ({ id } = await writeReminder(fixture, { workspace, name: 'Once', schedule_config: once }));
      const later = { ...once, scheduleType: 'weekly', startDate: '2026-03-05T09:00:00' };
      await writeReminder(fixture, { workspace, name: 'Weekly', schedule_config: later });
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      await fixture.jobsWhere(workspace, ([job]) => job?.status === 'completed');
    });

    it('is in its own filter and counted among the active ones nowhere', async () => {
      for (const sort of ['-created', 'next_run'] as const) {
        expect(await listed('done', sort)).toEqual(['Once']);
        expect(await listed('active', sort)).toEqual(['Weekly']);
        expect((await listed('all', sort)).toSorted()).toEqual(['Once', 'Weekly']);
      }
      expect(await activeCounts()).toEqual([1, 1, 1]);
      const { recent } = await at((ctx) => dashboardOf(ctx, { hasSandbox: true }));
      expect(recent.map(({ name, is_done }) => [name, is_done])).toEqual([
        ['Weekly', false],
        ['Once', true],
      ]);
    });

    it('is not paused: nothing of it lies ahead', async () => {
      await expect(at((ctx) => setReminderStatus(ctx, { id, status: 'paused' }))).rejects.toThrow(
        'It is done: nothing of it lies ahead, so there is nothing to pause',
      );
      for (const action of ['pause', 'resume'] as const) {
        const { results } = await at((ctx) => actOnReminders(ctx, { ids: [id], action }));
        expect(results).toMatchObject([{ id, result: 'unchanged', message: expect.stringContaining('It is done') }]);
      }
      expect(await isDone(id)).toBe(true);
    });

    it('is active again with a new time, and sent at it', async () => {
      const { name, description, status, content, metadata } = await at((ctx) => getReminder(ctx, id));
      const written = { name, description, status, content, metadata };
      await at((ctx) => updateReminder(ctx, { id, input: { ...written, schedule_config: { ...once } } }));
      expect(await isDone(id)).toBe(true);
      const again = { ...once, startDate: '2026-03-02T12:00:00' };
      await at((ctx) => updateReminder(ctx, { id, input: { ...written, schedule_config: again } }));
      expect(await isDone(id)).toBe(false);
      expect(await activeCounts()).toEqual([2, 2, 2]);
      fixture.clock.advance({ hours: 3 });
      await fixture.jobsWhere(workspace, (jobs) => jobs.filter(({ status: of }) => of === 'completed').length === 2);
      expect(await isDone(id)).toBe(true);
    });
  });
});
