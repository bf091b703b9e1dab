import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelEvent, takeEvent } from '#features/events/events.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import {
  engineSleepers,
  type EngineFixture,
  openEngineFixture,
  type TestWorkspace,
  writeReminder,
} from '#testing/engine.ts';
import { answerOf } from '#testing/receiver.ts';

const minute = { minutes: 1 };
const [a, b] = ['https://hooks.example.com/a', 'https://hooks.example.com/b'];

describe('a cancelled event', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture();
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  const write = (delayMinutes: number, changes: object = {}) =>
    writeReminder(fixture, {
      workspace,
      schedule_config: {
        type: 'event-based',
        eventTrigger: 'trial_ending',
        delayAmount: delayMinutes,
        delayUnit: 'minutes',
        timezone: 'UTC',
      },
      ...changes,
    });

  const send = (key = 'k-1') =>
    fixture.inWorkspace(workspace, (ctx) =>
      takeEvent(ctx, { event: 'trial_ending', key, reminderId: null, variables: {}, occurredAt: null }),
    );
  const cancel = (key = 'k-1') => fixture.inWorkspace(workspace, (ctx) => cancelEvent(ctx, { key, reminderId: null }));

  const untilStatus = (status: string) =>
    fixture.until(
      () => fixture.jobs(workspace),
      (jobs) => jobs.length > 0 && jobs.every((job) => job.status === status),
    );

  /** A receiver that answers when the test releases it. */
  function delayAnswers(status = 200) {
    let answer = () => {};
    const locked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const requested = new Promise<void>((resolve) => {
      fixture.receiver = async () => {
        resolve();
        await locked;
        return answerOf(status);
      };
    });
    return { requested, answer };
  }

  it('is not sent: pending and paused jobs are cancelled with the reason', async () => {
    await write(5);
    await write(10);
    await fixture.start();
    const { event } = await send();
    const [first, second] = event.jobs;
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: second?.job_id ?? '', action: 'pause' }));
    const cancelled = await cancel();
    expect(cancelled).toMatchObject({
      id: event.id,
      event: 'trial_ending',
      key: 'k-1',
      cancelled_at: '2026-03-02T08:00:00.000Z',
      cancelled: [first, second],
      stopped: [],
      too_late: [],
    });
    const jobs = await fixture.jobs(workspace);
    expect(jobs).toMatchObject([
      { status: 'cancelled', error_message: 'The event was cancelled' },
      { status: 'cancelled', error_message: 'The event was cancelled' },
    ]);
    fixture.clock.advance({ hours: 1 });
    await fixture.clock.untilAsleep(engineSleepers);
    expect(fixture.requests).toEqual([]);
  });

  it('stays cancelled when it is cancelled or sent again', async () => {
    await write(5);
    const { event } = await send();
    const first = await cancel();
    fixture.clock.advance(minute);
    expect(await cancel()).toEqual(first);
    const again = await send();
    expect(again.isRepeated).toBe(true);
    expect(again.event).toMatchObject({ id: event.id, jobs: event.jobs, cancelled_at: first.cancelled_at });
    expect(await fixture.jobs(workspace)).toMatchObject([{ status: 'cancelled' }]);
  });

  it('leaves other events alone', async () => {
    await write(5);
    await send('k-1');
    await send('k-2');
    await cancel('k-1');
    await fixture.start();
    fixture.clock.advance({ minutes: 6 });
    await fixture.until(
      () => fixture.jobs(workspace),
      (jobs) => jobs.some((job) => job.status === 'completed'),
    );
    expect(fixture.requests).toHaveLength(1);
  });

  it('cannot be cancelled after it was sent', async () => {
    await write(0);
    await fixture.start();
    const { event } = await send();
    await untilStatus('completed');
    expect(await cancel()).toMatchObject({ cancelled: [], stopped: [], too_late: event.jobs });
  });

  it('stops while it is being sent: attempts in flight finish, and no others start', async () => {
    await write(0, { content: { subject: 'Trial', message: 'Ends', recipients: [a, b] } });
    const { requested, answer } = delayAnswers();
    await fixture.start({ limits: { slots: 1, slotsPerWorkspace: 1 } });
    const { event } = await send();
    await requested;
    expect(await cancel()).toMatchObject({ cancelled: [], stopped: event.jobs, too_late: [] });
    answer();
    const [job] = await untilStatus('completed');
    expect(job?.error_message).toBe('1 of 2 skipped: The event was cancelled');
    expect(await fixture.deliveries(workspace)).toMatchObject([
      { recipient: a, status: 'accepted' },
      { recipient: b, status: 'skipped', reason: 'The event was cancelled', reason_code: 'event_cancelled' },
    ]);
    expect(fixture.requests).toHaveLength(1);
    expect(await cancel()).toMatchObject({ stopped: [], too_late: event.jobs });
  });

  it('is not retried when the attempt in flight fails', async () => {
    await write(0);
    const { requested, answer } = delayAnswers(500);
    await fixture.start();
    await send();
    await requested;
    await cancel();
    answer();
    await untilStatus('cancelled');
    fixture.clock.advance(minute);
    await fixture.clock.untilAsleep(engineSleepers);
    expect(fixture.requests).toHaveLength(1);
    expect(await fixture.deliveries(workspace)).toMatchObject([{ status: 'skipped', attempts: 1 }]);
  });

  it('that waits for a retry ends at once', async () => {
    await write(0);
    fixture.receiver = () => answerOf(500);
    await fixture.start();
    const { event } = await send();
    await untilStatus('pending');
    await fixture.until(
      () => fixture.deliveries(workspace),
      ([delivery]) => delivery?.status === 'waiting',
    );
    expect(await cancel()).toMatchObject({ cancelled: event.jobs });
    fixture.clock.advance(minute);
    await fixture.clock.untilAsleep(engineSleepers);
    expect(fixture.requests).toHaveLength(1);
    expect(await fixture.deliveries(workspace)).toMatchObject([
      { status: 'skipped', reason: 'The event was cancelled', reason_code: 'event_cancelled', attempts: 1 },
    ]);
  });

  it.each<[string, string]>([
    ['never came', 'k-2'],
    ['came to another workspace', 'k-3'],
  ])('is refused for %s', async (_, key) => {
    const elsewhere = await fixture.createWorkspace('Oak Street');
    await fixture.inWorkspace(elsewhere, (ctx) =>
      takeEvent(ctx, { event: 'trial_ending', key: 'k-3', reminderId: null, variables: {}, occurredAt: null }),
    );
    await expect(cancel(key)).rejects.toThrow('There is no such event');
  });
});
