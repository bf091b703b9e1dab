import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRateLimiter } from '#engine/limits/rate-limiter.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import { deleteChannel } from '#features/channels/channels.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { setReminderStatus } from '#features/reminders/reminders.service.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import {
  engineSleepers,
  type EngineFixture,
  openEngineFixture,
  type TestWorkspace,
  writeReminder,
} from '#testing/engine.ts';
import { addChannel } from '#testing/engine-rows.ts';
import { answerOf } from '#testing/receiver.ts';

describe('a channel that sends so many messages per second', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  afterEach(() => fixture.close());

  const people = (count: number, name = 'p') => Array.from({ length: count }, (_, n) => `${name}${n}@example.com`);
  const open = async (startAt: string) => {
    fixture = await openEngineFixture(startAt);
    workspace = await fixture.createWorkspace();
  };
  const addHook = (ratePerSecond: number) =>
    addChannel(fixture, {
      workspace,
      type: 'webhook',
      configuration: { url: 'https://hooks.example.com/' },
      ratePerSecond,
    });
  const write = (recipients: string[], startDate: string, more: object = {}) =>
    writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Hi', recipients },
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate, timezone: 'UTC' },
      ...more,
    });
  const allCompleted = (count: number) =>
    fixture.jobsWhere(workspace, (jobs) => jobs.filter((job) => job.status === 'completed').length === count);

  describe('on the real clock', () => {
    it('keeps to the rate, though two workers share it', async () => {
      const start = Temporal.Now.instant().add({ milliseconds: 300 });
      await open(Temporal.Now.instant().toString());
      const rate = 40;
      await addHook(rate);
      const arrivals: number[] = [];
      fixture.receiver = () => {
        arrivals.push(performance.now());
        return answerOf(200);
      };
      const startDate = start.round('millisecond').toString().replace(/Z$/, '');
      await write(people(60, 'a'), startDate);
      await write(people(60, 'b'), startDate);
      await Promise.all([fixture.start({ clock: systemClock }), fixture.start({ clock: systemClock })]);
      await allCompleted(2);

      expect(arrivals).toHaveLength(120);
      // In any window: on a busy machine one message may start up to a quarter of a second late, close to those after
      // it.
      const tooMany = arrivals.flatMap((from, first) =>
        arrivals
          .slice(first)
          .filter((to, n) => n > rate * ((to - from) / 1_000 + 0.25) + 1)
          .map((to) => to - from),
      );
      expect(tooMany).toEqual([]);
      expect((await fixture.deliveries(workspace)).map((row) => [row.status, row.attempts])).toEqual(
        people(120).map(() => ['accepted', 1]),
      );
    });
  });

  describe('on a virtual clock', () => {
    beforeEach(() => open('2026-03-02T08:00:00Z'));

    it('sends the first at once, says why the rest waits, and uses no slots for it', async () => {
      await addHook(0.5);
      await write(people(3), '2026-03-02T09:00:00');
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
      expect(fixture.requests).toHaveLength(1);
      expect(job).toMatchObject({
        run_at: '2026-03-02T09:00:01.800Z',
        error_message: 'Waits for the rate limit: the channel sends 0.5 messages per second',
      });
      expect((await fixture.deliveries(workspace)).map((row) => [row.status, row.attempts])).toEqual([
        ['accepted', 1],
        ['queued', 0],
        ['queued', 0],
      ]);
    });

    it('sends nothing more of a cancelled job, and its rate slots go to the others', async () => {
      await addHook(1);
      await write(people(50, 'long'), '2026-03-02T09:00:00');
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      const [long] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
      await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: long?.id ?? '', action: 'cancel' }));
      await write(people(1, 'short'), '2026-03-02T09:00:01');
      fixture.clock.advance({ seconds: 1 });
      await allCompleted(1);
      expect(fixture.messages().map((one) => one.recipient)).toEqual(['long0@example.com', 'short0@example.com']);
    });

    it('leaves a short list its share beside a long one', async () => {
      const id = await addHook(4);
      const store = createPostgresStore(fixture.database.engine);
      const rateLimiter = createRateLimiter({ store, clock: fixture.clock, log: createLog('silent') });
      const channel = { id, workspaceId: workspace.workspaceId, ratePerSecond: 4 };
      const slotTimesOf = async (jobId: string, count: number) =>
        (await rateLimiter.take(channel, { count, jobId })).startsAt.length;
      expect([await slotTimesOf('long', 400), await slotTimesOf('short', 3)]).toEqual([4, 0]);
      fixture.clock.advance({ seconds: 1 });
      expect([await slotTimesOf('long', 396), await slotTimesOf('long', 394), await slotTimesOf('short', 3)]).toEqual([
        2, 0, 2,
      ]);
      fixture.clock.advance({ seconds: 1 });
      expect([await slotTimesOf('short', 1), await slotTimesOf('long', 394)]).toEqual([1, 3]);
    });

    it('backs off for all messages when its provider asks one to wait', async () => {
      await addChannel(fixture, {
        workspace,
        type: 'sms',
        configuration: { provider: 'twilio', api_key: 'AC0123', api_secret: 'a-token', from_number: '+493012345678' },
        ratePerSecond: 1,
      });
      fixture.receiver = () => answerOf(429, '{}', { 'retry-after': '60' });
      await write(['+4915112345678'], '2026-03-02T09:00:00', { metadata: { channels: ['sms'] } });
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
      fixture.receiver = () => answerOf(201, '{"sid": "SM1", "status": "queued"}');
      await write(['+4915112345679'], '2026-03-02T09:00:10', { metadata: { channels: ['sms'] } });
      fixture.clock.advance({ seconds: 10 });
      const jobs = await fixture.jobsWhere(workspace, (all) =>
        all.every((one) => one.status === 'pending' && one.attempts === 1),
      );
      expect(jobs[1]?.run_at).toBe('2026-03-02T09:01:00.000Z');
      expect(fixture.requests).toHaveLength(1);
    });

    it('waits as long as its provider has asked at the most, not as it has asked last', async () => {
      const id = await addHook(2);
      const store = createPostgresStore(fixture.database.engine);
      const channel = { id, workspaceId: workspace.workspaceId, ratePerSecond: 2 };
      const now = fixture.clock.now();
      await store.takeTimes(channel, { count: 1, now });
      for (const seconds of [60, 5]) await store.backOffChannel(channel, now.add({ seconds }));
      const { first } = await store.takeTimes(channel, { count: 1, now: now.add({ seconds: 30 }) });
      expect(first.toString()).toBe(now.add({ seconds: 60 }).toString());
    });

    it('is not delayed by a worker whose clock is an hour ahead', async () => {
      const id = await addHook(2);
      const store = createPostgresStore(fixture.database.engine);
      const channel = { id, workspaceId: workspace.workspaceId, ratePerSecond: 2 };
      const now = fixture.clock.now();
      await store.takeTimes(channel, { count: 10, now: now.add({ hours: 1 }) });
      const times = await store.takeTimes(channel, { count: 10, now });
      expect(times.first.since(now).total('seconds')).toBeLessThanOrEqual(1.5);
      const later = await store.takeTimes(channel, { count: 10, now: now.add({ seconds: 2 }) });
      expect(later.count).toBeGreaterThan(0);
    });

    it('gives rate slots also after the clock was set back', async () => {
      const id = await addHook(2);
      const store = createPostgresStore(fixture.database.engine);
      const rateLimiter = createRateLimiter({ store, clock: fixture.clock, log: createLog('silent') });
      const channel = { id, workspaceId: workspace.workspaceId, ratePerSecond: 2 };
      const rateSlots = async (count: number) =>
        (await rateLimiter.take(channel, { count, jobId: 'one' })).startsAt.length;
      expect([await rateSlots(3), await rateSlots(3)]).toEqual([2, 0]);
      fixture.clock.advance({ hours: -1 });
      expect(await rateSlots(3)).toBe(0);
      fixture.clock.advance({ seconds: 2 });
      expect(await rateSlots(3)).toBe(2);
    });

    it('leaves nobody under way whose begin was never confirmed when the reminder is paused', async () => {
      await addHook(1);
      const { id } = await write(people(2), '2026-03-02T09:00:00');
      let hasFailed = false;
      await fixture.start({
        wrapStore: (store) => ({
          ...store,
          async beginAttempts(...asked) {
            const answer = await store.beginAttempts(...asked);
            if (hasFailed) return answer;
            hasFailed = true;
            await fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id, status: 'paused' }));
            throw new Error('the connection was lost');
          },
        }),
      });
      fixture.clock.advance({ hours: 1 });
      await fixture.clock.untilAsleep(engineSleepers);
      // The job comes back before the next slot is free.
      fixture.clock.advance({ milliseconds: 500 });
      const hasEnded = async () => (await fixture.jobs(workspace)).every(({ status }) => status !== 'running');
      for (
        await fixture.clock.untilAsleep(engineSleepers);
        !(await hasEnded());
        await fixture.clock.untilAsleep(engineSleepers)
      )
        fixture.clock.advance({ seconds: 15 });
      expect((await fixture.deliveries(workspace)).map(({ status }) => status)).toEqual(['unknown', 'skipped']);
    });

    it('that is deleted delays nothing: its deliveries go over another channel', async () => {
      const id = await addHook(1);
      await write(people(3), '2026-03-02T09:00:00');
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
      await addChannel(fixture, { workspace, type: 'webhook', configuration: { url: 'https://other.example.com/' } });
      await fixture.inWorkspace(workspace, (ctx) => deleteChannel(ctx, id));
      fixture.clock.advance({ seconds: 1 });
      await allCompleted(1);
      expect(fixture.requests.map(({ url }) => new URL(url).hostname)).toEqual([
        'hooks.example.com',
        'other.example.com',
        'other.example.com',
      ]);
      const times = await createPostgresStore(fixture.database.engine).takeTimes(
        { id, workspaceId: workspace.workspaceId, ratePerSecond: 1 },
        { count: 5, now: fixture.clock.now() },
      );
      expect(times.count).toBe(5);
    });

    it('gives no rate slot twice to concurrent callers', async () => {
      const id = await addHook(100);
      const store = createPostgresStore(fixture.database.engine);
      const channel = { id, workspaceId: workspace.workspaceId, ratePerSecond: 100 };
      const now = fixture.clock.now();
      const all = await Promise.all(Array.from({ length: 20 }, () => store.takeTimes(channel, { count: 7, now })));
      const startsAt = all.flatMap(({ first, count }) =>
        Array.from({ length: count }, (_, n) => first.epochMilliseconds + n * 10),
      );
      expect(startsAt.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 100 }, (_, n) => now.epochMilliseconds + n * 10),
      );
    });
  });
});
