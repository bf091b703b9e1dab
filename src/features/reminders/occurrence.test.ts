import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { deleteReminder } from '#features/reminders/deletion.service.ts';
import { setReminderStatus, updateReminder } from '#features/reminders/reminders.service.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf, holdAnswers } from '#testing/receiver.ts';

describe('the occurrences of a reminder', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
  });
  afterEach(() => house.close());

  const act = (id: string | undefined, action: 'cancel' | 'retry') =>
    house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: id ?? '', action }));
  const times = async () =>
    (await house.jobs(workspace)).map(({ status, scheduled_for: at }) => `${at.slice(8, 16)} ${status}`);

  describe('when one is retried and has not gone out again yet', () => {
    let reminder: Awaited<ReturnType<typeof writeReminder>>;
    beforeEach(async () => {
      house.receiver = ({ url }) => answerOf(url.endsWith('/a') ? 200 : 404);
      const recipients = ['https://hooks.example.com/a', 'https://hooks.example.com/b'];
      reminder = await writeReminder(house, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
      const worker = await house.start();
      house.clock.advance({ hours: 1 });
      const [failed] = await house.jobsWhere(workspace, ([job]) => job?.status === 'failed');
      await worker.stop(0);
      await act(failed?.id, 'retry');
    });

    it.each([
      ['edited', 'pending', () => updateNow()],
      [
        'paused',
        'paused',
        () => house.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id: reminder.id, status: 'paused' })),
      ],
    ])(
      'it ends where its reminder is %s, with its record, and the next one keeps its time',
      async (change, next, make) => {
        await make();
        expect(await times()).toEqual(['02T09:00 cancelled', `03T09:00 ${next}`]);
        expect((await house.deliveries(workspace)).map(({ status, reason }) => [status, reason])).toEqual([
          ['accepted', null],
          ['skipped', `The reminder was ${change}`],
        ]);
      },
    );

    it('its record stays when its reminder is deleted', async () => {
      await house.inWorkspace(workspace, (ctx) => deleteReminder(ctx, reminder.id));
      expect(await times()).toEqual(['02T09:00 cancelled']);
      expect(await house.deliveries(workspace)).toHaveLength(2);
    });

    const updateNow = () =>
      house.inWorkspace(workspace, (ctx) => updateReminder(ctx, { id: reminder.id, input: reminder }));
  });

  const every = (customCron: string) => ({
    type: 'scheduled' as const,
    scheduleType: 'custom' as const,
    customCron,
    timezone: 'UTC',
  });

  it('go on behind one that a person has sent early, when they come more often meanwhile', async () => {
    const held = holdAnswers();
    house.receiver = held;
    const reminder = await writeReminder(house, { workspace, schedule_config: every('0 9-20 * * *') });
    await act((await house.jobs(workspace)).at(-1)?.id, 'cancel');
    await act((await house.jobs(workspace))[0]?.id, 'retry');
    await house.start();
    await held.arrived(1);
    const input = { ...reminder, schedule_config: every('*/30 8-20 * * *') };
    house.clock.advance({ minutes: 1 });
    await house.inWorkspace(workspace, (ctx) => updateReminder(ctx, { id: reminder.id, input }));
    expect(await times()).toEqual(['02T08:30 pending', '02T09:00 running', '02T09:30 pending']);
    held.release();
  });

  describe('of which a later one was called off', () => {
    let reminder: Awaited<ReturnType<typeof writeReminder>>;
    beforeEach(async () => {
      reminder = await writeReminder(house, { workspace, schedule_config: every('0 * * * *') });
      house.clock.advance({ minutes: 1 });
      await act((await house.jobs(workspace)).at(-1)?.id, 'cancel');
      await act((await house.jobs(workspace)).at(-1)?.id, 'cancel');
      expect(await times()).toEqual(['02T08:00 cancelled', '02T09:00 cancelled', '02T10:00 pending']);
      const input = { ...reminder, schedule_config: every('*/30 * * * *') };
      await house.inWorkspace(workspace, (ctx) => updateReminder(ctx, { id: reminder.id, input }));
    });

    it('go on behind it when they come more often now', async () => {
      expect(await times()).toEqual([
        '02T08:00 cancelled',
        '02T08:30 pending',
        '02T09:00 cancelled',
        '02T09:30 pending',
      ]);
    });

    it('go on behind it when the one before it is called off too', async () => {
      await act((await house.jobs(workspace))[1]?.id, 'cancel');
      await act((await house.jobs(workspace))[3]?.id, 'cancel');
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
