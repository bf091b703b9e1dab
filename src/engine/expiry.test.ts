import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '#contract/jobs.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf, holdAnswers } from '#testing/receiver.ts';

describe('the time of an occurrence', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
  });
  afterEach(() => house.close());

  const hook = (n: number | string) => `https://hooks.example.com/${n}`;
  const write = (count: number, customCron: string) =>
    writeReminder(house, {
      workspace,
      content: { subject: 'Rent', message: 'Hi', recipients: Array.from({ length: count }, (_, n) => hook(n)) },
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'custom',
        customCron,
        startDate: '2026-03-02T09:00:00',
        timezone: 'UTC',
      },
    });
  const everyMinute = '* * * * *';
  const everyHour = '0 * * * *';

  const of = (jobs: Job[], time: string) => jobs.find((job) => job.scheduled_for === `2026-03-02T${time}:00.000Z`);
  const ended = (time: string) =>
    house
      .jobsWhere(workspace, (jobs) => !['pending', 'running', undefined].includes(of(jobs, time)?.status))
      .then((jobs) => of(jobs, time));
  const ledgerOf = async (time: string) =>
    (await house.deliveries(workspace)).filter((row) => row.scheduled_for === `2026-03-02T${time}:00.000Z`);
  const expired = 'Expired: its time was over before it could be sent';

  it('is over with the next one, which goes out in its place', async () => {
    house.receiver = () => answerOf(house.requests.length === 1 ? 503 : 200);
    await write(1, everyHour);
    const worker = await house.start();
    house.clock.advance({ hours: 1 });
    await house.jobsWhere(workspace, ([job]) => job?.attempts === 1 && job.status === 'pending');
    worker.kill();
    house.clock.advance({ hours: 1, seconds: 10 });
    await house.start({ isAlone: true });
    expect(await ended('09:00')).toMatchObject({
      status: 'failed',
      error_message: '1 of 1 failed: HTTP 503 (expired before the next attempt)',
    });
    expect(await ended('10:00')).toMatchObject({ status: 'completed' });
    expect(house.messages().map((message) => message.scheduled_for)).toEqual([
      '2026-03-02T09:00:00.000Z',
      '2026-03-02T10:00:00.000Z',
    ]);
  });

  it('is over for whom it had not begun yet, who waited for a place', async () => {
    const held = holdAnswers();
    house.receiver = held;
    await write(6, everyMinute);
    await house.start({ limits: { slots: 2, slotsPerWorkspace: 2 } });
    house.clock.advance({ hours: 1 });
    await held.arrived(2);
    house.clock.advance({ seconds: 61 });
    held.release();
    expect(await ended('09:00')).toMatchObject({
      status: 'completed',
      error_message: `4 of 6 skipped: ${expired}`,
    });
    expect((await ledgerOf('09:00')).map((row) => [row.status, row.reason, row.attempts])).toEqual([
      ['accepted', null, 1],
      ['accepted', null, 1],
      ...Array.from({ length: 4 }, () => ['skipped', expired, 0]),
    ]);
    expect(await ended('09:01')).toMatchObject({ status: 'completed', error_message: null });
  });

  it('is over for whom it had not begun yet, who stood in line before a full destination', async () => {
    const held = holdAnswers();
    house.receiver = held;
    await write(6, everyMinute);
    await house.start({ limits: { perDestination: 2, stalledMs: 120_000 } });
    house.clock.advance({ hours: 1 });
    await held.arrived(2);
    house.clock.advance({ seconds: 61 });
    held.release();
    expect(await ended('09:00')).toMatchObject({ status: 'completed', error_message: `4 of 6 skipped: ${expired}` });
    expect(await ended('09:01')).toMatchObject({ status: 'completed', error_message: null });
    expect(house.messages().filter((message) => message.scheduled_for === '2026-03-02T09:00:00.000Z')).toHaveLength(2);
  });

  it('is over for whom a stopped worker gave back before it had begun', async () => {
    const held = holdAnswers();
    house.receiver = held;
    await write(6, everyMinute);
    const worker = await house.start({ limits: { slots: 2, slotsPerWorkspace: 2 } });
    house.clock.advance({ hours: 1 });
    await held.arrived(2);
    const stopped = worker.stop(10_000);
    held.release();
    await house.jobsWhere(workspace, ([job]) => job?.status === 'pending');
    house.clock.advance({ milliseconds: 20 });
    await stopped;
    expect((await ledgerOf('09:00')).map((row) => row.status)).toEqual([
      'accepted',
      'accepted',
      ...Array.from({ length: 4 }, () => 'queued'),
    ]);
    house.clock.advance({ minutes: 1 });
    await house.start();
    expect(await ended('09:00')).toMatchObject({ status: 'completed', error_message: `4 of 6 skipped: ${expired}` });
  });

  describe('counts anew when a person retries', () => {
    const retry = (job: Job | undefined) =>
      house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'retry' }));

    it('for a day, whatever has come since, and only for whom it had not served', async () => {
      house.receiver = (request) => answerOf(request.url === hook(0) ? 200 : 404);
      await write(2, '0 9 2 3 *');
      await house.start();
      house.clock.advance({ hours: 1 });
      const failed = await ended('09:00');
      expect(failed?.status).toBe('failed');
      house.clock.advance({ hours: 24 * 3 });
      house.receiver = () => answerOf(503, 'down', { 'retry-after': '43000' });
      house.requests.length = 0;
      await retry(failed);
      const attempts = [];
      for (let round = 1; round <= 2; round += 1) {
        const jobs = await house.jobsWhere(workspace, ([job]) => job?.attempts === round && job.status === 'pending');
        attempts.push(of(jobs, '09:00')?.run_at);
        house.clock.advance({ seconds: 43_000 });
      }
      expect(attempts).toEqual(['2026-03-05T20:56:40.000Z', '2026-03-06T08:53:20.000Z']);
      expect(await ended('09:00')).toMatchObject({
        status: 'failed',
        attempts: 3,
        error_message: '1 of 2 failed: HTTP 503 (expired before the next attempt)',
      });
      expect(new Set(house.requests.map((request) => request.url))).toEqual(new Set([hook(1)]));
    });

    it('and is not over with the next occurrence', async () => {
      house.receiver = () => answerOf(404);
      await write(1, everyHour);
      await house.start();
      house.clock.advance({ hours: 1 });
      const failed = await ended('09:00');
      house.receiver = () => answerOf(house.requests.length === 2 ? 503 : 200);
      house.clock.advance({ minutes: 59, seconds: 58 });
      await retry(failed);
      await house.jobsWhere(workspace, ([job]) => job?.attempts === 1 && job.status === 'pending');
      house.clock.advance({ seconds: 5 });
      expect(await ended('09:00')).toMatchObject({ status: 'completed', attempts: 2 });
      expect(await ended('10:00')).toMatchObject({ status: 'completed' });
    });
  });
});
