import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '#contract/jobs.ts';
import { ReminderInput } from '#contract/reminders.ts';
import { takeEvent } from '#features/events/events.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { deleteReminder } from '#features/reminders/deletion.service.ts';
import { setReminderStatus, updateReminder } from '#features/reminders/reminders.service.ts';
import { connectOwner } from '#testing/owner.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';

describe('a job of an event, when its reminder changes before its time', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  let reminder: string;
  let job: string;
  beforeEach(async () => {
    house = await openEngineHouse();
    workspace = await house.createWorkspace();
    ({ id: reminder } = await writeReminder(house, { workspace, ...written }));
    const { event } = await send('k-1');
    job = event.jobs[0]?.job_id ?? '';
    await house.start();
  });
  afterEach(() => house.close());

  const schedule = {
    type: 'event-based',
    eventTrigger: 'trial_ending',
    delayAmount: 10,
    delayUnit: 'minutes',
    timezone: 'UTC',
  };
  const written = {
    name: 'Trial ends',
    schedule_config: schedule,
    content: { subject: 'Trial', message: 'Ends', recipients: ['https://hooks.example.com/a'] },
    metadata: { channels: ['webhook'] },
  };

  const send = (key: string) =>
    house.inWorkspace(workspace, (ctx) =>
      takeEvent(ctx, {
        event: 'trial_ending',
        key,
        reminderId: null,
        variables: { plan: 'Basic' },
        occurredAt: null,
      }),
    );

  const edit = (changes: object) =>
    house.inWorkspace(workspace, (ctx) =>
      updateReminder(ctx, { id: reminder, input: ReminderInput.parse({ ...written, ...changes }) }),
    );
  const setStatus = (status: 'active' | 'paused') =>
    house.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id: reminder, status }));

  const jobNow = async (): Promise<Job | undefined> => (await house.jobs(workspace)).find(({ id }) => id === job);

  async function outcomeAfter(minutes: number): Promise<Job | undefined> {
    house.clock.advance({ minutes });
    return house.until(jobNow, (found) => found?.status !== 'pending' && found?.status !== 'running');
  }

  it('is sent at its time with what the reminder says then', async () => {
    const content = { ...written.content, message: '{{plan}} ends today' };
    await edit({ name: 'Trial is over', content, schedule_config: { ...schedule, delayAmount: 500 } });
    expect(await jobNow()).toMatchObject({
      name: 'Trial is over',
      status: 'pending',
      scheduled_for: '2026-03-02T08:10:00.000Z',
    });
    expect(await outcomeAfter(11)).toMatchObject({ status: 'completed', error_message: null });
    expect(house.requests).toHaveLength(1);
    expect(String(house.requests[0]?.body)).toContain('Basic ends today');
  });

  it('waits with a paused reminder, and goes out with a resumed one', async () => {
    await setStatus('paused');
    expect(await jobNow()).toMatchObject({ status: 'paused' });
    house.clock.advance({ minutes: 5 });
    await setStatus('active');
    expect(await jobNow()).toMatchObject({ status: 'pending', scheduled_for: '2026-03-02T08:10:00.000Z' });
    expect(await outcomeAfter(6)).toMatchObject({ status: 'completed' });
  });

  it('is not sent late when its time has passed while the reminder was paused', async () => {
    await setStatus('paused');
    house.clock.advance({ minutes: 11 });
    await setStatus('active');
    expect(await jobNow()).toMatchObject({
      status: 'cancelled',
      error_message: 'Its time passed while the reminder was paused',
    });
    await house.clock.untilAsleep(4);
    expect(house.requests).toEqual([]);
  });

  it('stays paused through an edit when a person has paused it alone', async () => {
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job, action: 'pause' }));
    await edit({ name: 'Trial is over' });
    expect(await jobNow()).toMatchObject({ status: 'paused', name: 'Trial is over' });
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job, action: 'resume' }));
    expect(await outcomeAfter(11)).toMatchObject({ status: 'completed' });
  });

  it.each<[string, object]>([
    ['for another event', { ...schedule, eventTrigger: 'payment_failed' }],
    ['for none', { type: 'scheduled', scheduleType: 'daily', startDate: '2026-03-03T09:00:00', timezone: 'UTC' }],
  ])('ends when the reminder now waits %s', async (_, changed) => {
    await edit({ schedule_config: changed });
    expect(await jobNow()).toMatchObject({
      status: 'cancelled',
      error_message: 'The reminder no longer waits for this event',
    });
  });

  it('is made of the edited reminder when the event comes in the middle of the edit', async () => {
    const editor = await connectOwner(house.databaseUrl);
    await editor.query('begin');
    await editor.query("update reminders set revision = 7, name = 'Trial is over' where id = $1", [reminder]);
    const sent = send('k-2');
    const watcher = await connectOwner(house.databaseUrl);
    const isWaiting = async () => {
      const { rowCount } = await watcher.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rowCount === 1;
    };
    while (!(await isWaiting()));
    await editor.query('commit');
    const { event } = await sent;
    const { rows } = await watcher.query('select name, revision from jobs where id = $1', [event.jobs[0]?.job_id]);
    expect(rows).toEqual([{ name: 'Trial is over', revision: 7 }]);
    await Promise.all([editor.end(), watcher.end()]);
  });

  it('goes with a deleted reminder', async () => {
    await house.inWorkspace(workspace, (ctx) => deleteReminder(ctx, reminder));
    expect(await jobNow()).toBeUndefined();
  });
});
