import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelEvent, takeEvent } from '#features/events/events.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf } from '#testing/receiver.ts';

const minute = { minutes: 1 };
const [a, b] = ['https://hooks.example.com/a', 'https://hooks.example.com/b'];

describe('an event that is withdrawn', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse();
    workspace = await house.createWorkspace();
  });
  afterEach(() => house.close());

  const write = (delayMinutes: number, changes: object = {}) =>
    writeReminder(house, {
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
    house.inWorkspace(workspace, (ctx) =>
      takeEvent(ctx, { event: 'trial_ending', key, reminderId: null, variables: {}, occurredAt: null }),
    );
  const cancel = (key = 'k-1') => house.inWorkspace(workspace, (ctx) => cancelEvent(ctx, { key, reminderId: null }));

  const untilStatus = (status: string) =>
    house.until(
      () => house.jobs(workspace),
      (jobs) => jobs.length > 0 && jobs.every((job) => job.status === status),
    );

  /** A receiver that answers when the test says so. */
  function holdAnswers(status = 200) {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const called = new Promise<void>((resolve) => {
      house.receiver = async () => {
        resolve();
        await held;
        return answerOf(status);
      };
    });
    return { called, answer };
  }

  it('is not sent: what waits and what is paused is cancelled, with the reason', async () => {
    await write(5);
    await write(10);
    await house.start();
    const { event } = await send();
    const [first, second] = event.jobs;
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: second?.job_id ?? '', action: 'pause' }));
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
    const jobs = await house.jobs(workspace);
    expect(jobs).toMatchObject([
      { status: 'cancelled', error_message: 'The event was withdrawn' },
      { status: 'cancelled', error_message: 'The event was withdrawn' },
    ]);
    house.clock.advance({ hours: 1 });
    await house.clock.untilAsleep(4);
    expect(house.requests).toEqual([]);
  });

  it('stays withdrawn: to say it again changes nothing, nor does to send it again', async () => {
    await write(5);
    const { event } = await send();
    const first = await cancel();
    house.clock.advance(minute);
    expect(await cancel()).toEqual(first);
    const again = await send();
    expect(again.isRepeated).toBe(true);
    expect(again.event).toMatchObject({ id: event.id, jobs: event.jobs, cancelled_at: first.cancelled_at });
    expect(await house.jobs(workspace)).toMatchObject([{ status: 'cancelled' }]);
  });

  it('leaves other events alone', async () => {
    await write(5);
    await send('k-1');
    await send('k-2');
    await cancel('k-1');
    await house.start();
    house.clock.advance({ minutes: 6 });
    await house.until(
      () => house.jobs(workspace),
      (jobs) => jobs.some((job) => job.status === 'completed'),
    );
    expect(house.requests).toHaveLength(1);
  });

  it('and was sent already is too late', async () => {
    await write(0);
    await house.start();
    const { event } = await send();
    await untilStatus('completed');
    expect(await cancel()).toMatchObject({ cancelled: [], stopped: [], too_late: event.jobs });
  });

  it('stops while it is being sent: what has begun is finished, the others are not served', async () => {
    await write(0, { content: { subject: 'Trial', message: 'Ends', recipients: [a, b] } });
    const { called, answer } = holdAnswers();
    await house.start({ limits: { slots: 1, slotsPerWorkspace: 1 } });
    const { event } = await send();
    await called;
    expect(await cancel()).toMatchObject({ cancelled: [], stopped: event.jobs, too_late: [] });
    answer();
    const [job] = await untilStatus('completed');
    expect(job?.error_message).toBe('1 of 2 skipped: The event was withdrawn');
    expect(await house.deliveries(workspace)).toMatchObject([
      { recipient: a, status: 'accepted' },
      { recipient: b, status: 'skipped', reason: 'The event was withdrawn' },
    ]);
    expect(house.requests).toHaveLength(1);
    expect(await cancel()).toMatchObject({ stopped: [], too_late: event.jobs });
  });

  it('is not tried again when the attempt under way fails', async () => {
    await write(0);
    const { called, answer } = holdAnswers(500);
    await house.start();
    await send();
    await called;
    await cancel();
    answer();
    await untilStatus('cancelled');
    house.clock.advance(minute);
    await house.clock.untilAsleep(4);
    expect(house.requests).toHaveLength(1);
    expect(await house.deliveries(workspace)).toMatchObject([{ status: 'skipped', attempts: 1 }]);
  });

  it('while it waits for its next attempt ends there', async () => {
    await write(0);
    house.receiver = () => answerOf(500);
    await house.start();
    const { event } = await send();
    await untilStatus('pending');
    await house.until(
      () => house.deliveries(workspace),
      ([delivery]) => delivery?.status === 'waiting',
    );
    expect(await cancel()).toMatchObject({ cancelled: event.jobs });
    house.clock.advance(minute);
    await house.clock.untilAsleep(4);
    expect(house.requests).toHaveLength(1);
    expect(await house.deliveries(workspace)).toMatchObject([
      { status: 'skipped', reason: 'The event was withdrawn', attempts: 1 },
    ]);
  });

  it.each<[string, string]>([
    ['never came', 'k-2'],
    ['came to another workspace', 'k-3'],
  ])('but %s is not known', async (_, key) => {
    const elsewhere = await house.createWorkspace('Oak Street');
    await house.inWorkspace(elsewhere, (ctx) =>
      takeEvent(ctx, { event: 'trial_ending', key: 'k-3', reminderId: null, variables: {}, occurredAt: null }),
    );
    await expect(cancel(key)).rejects.toThrow('There is no such event');
  });
});
