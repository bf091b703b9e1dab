import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { deleteReminder } from '#features/reminders/deletion.service.ts';
import { setReminderStatus, updateReminder } from '#features/reminders/reminders.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

describe('the occurrences of a reminder', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  const act = (id: string | undefined, action: 'cancel' | 'retry') =>
    fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: id ?? '', action }));
  const times = async () =>
    (await fixture.jobs(workspace)).map(({ status, scheduled_for: at }) => `${at.slice(8, 16)} ${status}`);

  describe('with a retried one that has not been sent again', () => {
    let reminder: Awaited<ReturnType<typeof writeReminder>>;
    beforeEach(async () => {
      fixture.receiver = ({ url }) => answerOf(url.endsWith('/a') ? 200 : 404);
      const recipients = ['https://hooks.example.com/a', 'https://hooks.example.com/b'];
      reminder = await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
      const worker = await fixture.start();
      fixture.clock.advance({ hours: 1 });
      const [failed] = await fixture.jobsWhere(workspace, ([job]) => job?.status === 'failed');
      await worker.stop(0);
      await act(failed?.id, 'retry');
    });

    it.each([
      ['edited', 'pending', () => updateNow()],
      [
        'paused',
        'paused',
        () => fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id: reminder.id, status: 'paused' })),
      ],
    ])(
      'it ends where its reminder is %s, with its record, and the next one keeps its time',
      async (change, next, make) => {
        await make();
        expect(await times()).toEqual(['02T09:00 cancelled', `03T09:00 ${next}`]);
        expect((await fixture.deliveries(workspace)).map(({ status, reason }) => [status, reason])).toEqual([
          ['accepted', null],
          ['skipped', `The reminder was ${change}`],
        ]);
      },
    );

    it('its record stays when its reminder is deleted', async () => {
      await fixture.inWorkspace(workspace, (ctx) => deleteReminder(ctx, reminder.id));
      expect(await times()).toEqual(['02T09:00 cancelled']);
      expect(await fixture.deliveries(workspace)).toHaveLength(2);
    });

    const updateNow = () =>
      fixture.inWorkspace(workspace, (ctx) => updateReminder(ctx, { id: reminder.id, input: reminder }));
  });

  const every = (customCron: string) => ({
    type: 'scheduled' as const,
    scheduleType: 'custom' as const,
    customCron,
    timezone: 'UTC',
  });

  it('continue after one that was sent early by hand, on a more frequent schedule', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    const reminder = await writeReminder(fixture, { workspace, schedule_config: every('0 9-20 * * *') });
    await act((await fixture.jobs(workspace)).at(-1)?.id, 'cancel');
    await act((await fixture.jobs(workspace))[0]?.id, 'retry');
    await fixture.start();
    await delayed.arrived(1);
    const input = { ...reminder, schedule_config: every('*/30 8-20 * * *') };
    fixture.clock.advance({ minutes: 1 });
    await fixture.inWorkspace(workspace, (ctx) => updateReminder(ctx, { id: reminder.id, input }));
    expect(await times()).toEqual(['02T08:30 pending', '02T09:00 running', '02T09:30 pending']);
    delayed.release();
  });

  describe('with a cancelled later one', () => {
    let reminder: Awaited<ReturnType<typeof writeReminder>>;
    beforeEach(async () => {
      reminder = await writeReminder(fixture, { workspace, schedule_config: every('0 * * * *') });
      fixture.clock.advance({ minutes: 1 });
      await act((await fixture.jobs(workspace)).at(-1)?.id, 'cancel');
      await act((await fixture.jobs(workspace)).at(-1)?.id, 'cancel');
      expect(await times()).toEqual(['02T08:00 cancelled', '02T09:00 cancelled', '02T10:00 pending']);
      const input = { ...reminder, schedule_config: every('*/30 * * * *') };
      await fixture.inWorkspace(workspace, (ctx) => updateReminder(ctx, { id: reminder.id, input }));
    });

    it('continue after it on a more frequent schedule', async () => {
      expect(await times()).toEqual([
        '02T08:00 cancelled',
        '02T08:30 pending',
        '02T09:00 cancelled',
        '02T09:30 pending',
      ]);
    });

    it('continue after it when the earlier one is cancelled too', async () => {
      await act((await fixture.jobs(workspace))[1]?.id, 'cancel');
      await act((await fixture.jobs(workspace))[3]?.id, 'cancel');
      expect(await times()).toEqual([
        '02T08:00 cancelled',
        '02T08:30 cancelled',
        '02T09:00 cancelled',
        '02T09:30 cancelled',
        '02T10:00 pending',
      ]);
    });
  });
});
