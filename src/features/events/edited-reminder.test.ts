import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '#contract/jobs.ts';
import { ReminderInput } from '#contract/reminders.ts';
import { takeEvent } from '#features/events/events.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { deleteReminder } from '#features/reminders/deletion.service.ts';
import { setReminderStatus, updateReminder } from '#features/reminders/reminders.service.ts';
import { connectOwner } from '#testing/owner.ts';
import {
  engineSleepers,
  type EngineFixture,
  openEngineFixture,
  type TestWorkspace,
  writeReminder,
} from '#testing/engine.ts';

describe('the job of an event whose reminder changes before its time', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let reminder: string;
  let job: string;
  beforeEach(async () => {
    fixture = await openEngineFixture();
    workspace = await fixture.createWorkspace();
    ({ id: reminder } = await writeReminder(fixture, { workspace, ...written }));
    const { event } = await send('k-1');
    job = event.jobs[0]?.job_id ?? '';
    await fixture.start();
  });
  afterEach(() => fixture.close());

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
    fixture.inWorkspace(workspace, (ctx) =>
      takeEvent(ctx, {
        event: 'trial_ending',
        key,
        reminderId: null,
        variables: { plan: 'Basic' },
        occurredAt: null,
      }),
    );

  const edit = (changes: object) =>
    fixture.inWorkspace(workspace, (ctx) =>
      updateReminder(ctx, { id: reminder, input: ReminderInput.parse({ ...written, ...changes }) }),
    );
  const setStatus = (status: 'active' | 'paused') =>
    fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id: reminder, status }));

  const jobNow = async (): Promise<Job | undefined> => (await fixture.jobs(workspace)).find(({ id }) => id === job);

  async function outcomeAfter(minutes: number): Promise<Job | undefined> {
    fixture.clock.advance({ minutes });
    return fixture.until(jobNow, (found) => found?.status !== 'pending' && found?.status !== 'running');
  }

  it('is sent at its time with the reminder’s new text', async () => {
    const content = { ...written.content, message: '{{plan}} ends today' };
    await edit({ name: 'Trial is over', content, schedule_config: { ...schedule, delayAmount: 500 } });
    expect(await jobNow()).toMatchObject({
      name: 'Trial is over',
      status: 'pending',
      scheduled_for: '2026-03-02T08:10:00.000Z',
    });
    expect(await outcomeAfter(11)).toMatchObject({ status: 'completed', error_message: null });
    expect(fixture.requests).toHaveLength(1);
    expect(String(fixture.requests[0]?.body)).toContain('Basic ends today');
  });

  it('is paused and resumed with its reminder', async () => {
    await setStatus('paused');
    expect(await jobNow()).toMatchObject({ status: 'paused' });
    fixture.clock.advance({ minutes: 5 });
    await setStatus('active');
    expect(await jobNow()).toMatchObject({ status: 'pending', scheduled_for: '2026-03-02T08:10:00.000Z' });
    expect(await outcomeAfter(6)).toMatchObject({ status: 'completed' });
  });

  it('is not sent when its time passed while the reminder was paused', async () => {
    await setStatus('paused');
    fixture.clock.advance({ minutes: 11 });
    await setStatus('active');
    expect(await jobNow()).toMatchObject({
      status: 'cancelled',
      error_message: 'Its time passed while the reminder was paused',
    });
    await fixture.clock.untilAsleep(engineSleepers);
    expect(fixture.requests).toEqual([]);
  });

  it('stays paused after an edit when a person paused the job', async () => {
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job, action: 'pause' }));
    await edit({ name: 'Trial is over' });
    expect(await jobNow()).toMatchObject({ status: 'paused', name: 'Trial is over' });
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job, action: 'resume' }));
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

  it('uses the edited reminder when the event arrives during the edit', async () => {
    const editor = await connectOwner(fixture.databaseUrl);
    await editor.query('begin');
    await editor.query("update reminders set revision = 7, name = 'Trial is over' where id = $1", [reminder]);
    const sent = send('k-2');
    const watcher = await connectOwner(fixture.databaseUrl);
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

  it('is deleted with its reminder', async () => {
    await fixture.inWorkspace(workspace, (ctx) => deleteReminder(ctx, reminder));
    expect(await jobNow()).toBeUndefined();
  });
});
