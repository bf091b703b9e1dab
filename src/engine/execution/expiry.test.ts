import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '#contract/jobs.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

describe('the time of an occurrence', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  const hook = (n: number | string) => `https://hooks.example.com/${n}`;
  const write = (count: number, customCron: string) =>
    writeReminder(fixture, {
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
    fixture
      .jobsWhere(workspace, (jobs) => !['pending', 'running', undefined].includes(of(jobs, time)?.status))
      .then((jobs) => of(jobs, time));
  const ledgerOf = async (time: string) =>
    (await fixture.deliveries(workspace)).filter((row) => row.scheduled_for === `2026-03-02T${time}:00.000Z`);
  const expired = 'Expired before it could be sent';

  it('ends when the next one is due, which is sent in its place', async () => {
    fixture.receiver = () => answerOf(fixture.requests.length === 1 ? 503 : 200);
    await write(1, everyHour);
    const worker = await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, ([job]) => job?.attempts === 1 && job.status === 'pending');
    worker.kill();
    fixture.clock.advance({ hours: 1, seconds: 10 });
    await fixture.start({ isAlone: true });
    expect(await ended('09:00')).toMatchObject({
      status: 'failed',
      error_message: '1 of 1 failed: HTTP 503 (expired before the next attempt)',
    });
    expect(await ended('10:00')).toMatchObject({ status: 'completed' });
    expect(fixture.messages().map((message) => message.scheduled_for)).toEqual([
      '2026-03-02T09:00:00.000Z',
      '2026-03-02T10:00:00.000Z',
    ]);
  });

  it('ends for recipients not begun yet, who waited for a slot', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    await write(6, everyMinute);
    await fixture.start({ limits: { slots: 2, slotsPerWorkspace: 2 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(2);
    fixture.clock.advance({ seconds: 61 });
    delayed.release();
    expect(await ended('09:00')).toMatchObject({
      status: 'completed',
      error_message: `4 of 6 skipped: ${expired}`,
    });
    expect(new Set((await ledgerOf('09:00')).map((row) => row.reason_code))).toEqual(new Set([null, 'expired']));
    expect((await ledgerOf('09:00')).map((row) => [row.status, row.reason, row.attempts])).toEqual([
      ['accepted', null, 1],
      ['accepted', null, 1],
      ...Array.from({ length: 4 }, () => ['skipped', expired, 0]),
    ]);
    expect(await ended('09:01')).toMatchObject({ status: 'completed', error_message: null });
  });

  it('ends for recipients not begun yet, who waited for a full destination', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    await write(6, everyMinute);
    await fixture.start({ limits: { perDestination: 2, stalledMs: 120_000 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(2);
    fixture.clock.advance({ seconds: 61 });
    delayed.release();
    expect(await ended('09:00')).toMatchObject({ status: 'completed', error_message: `4 of 6 skipped: ${expired}` });
    expect(await ended('09:01')).toMatchObject({ status: 'completed', error_message: null });
    expect(fixture.messages().filter((message) => message.scheduled_for === '2026-03-02T09:00:00.000Z')).toHaveLength(
      2,
    );
  });

  it('ends for recipients that a stopped worker released before they had begun', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    await write(6, everyMinute);
    const worker = await fixture.start({ limits: { slots: 2, slotsPerWorkspace: 2 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(2);
    const stopped = worker.stop(10_000);
    delayed.release();
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'pending');
    fixture.clock.advance({ milliseconds: 20 });
    await stopped;
    expect((await ledgerOf('09:00')).map((row) => row.status)).toEqual([
      'accepted',
      'accepted',
      ...Array.from({ length: 4 }, () => 'queued'),
    ]);
    fixture.clock.advance({ minutes: 1 });
    await fixture.start();
    expect(await ended('09:00')).toMatchObject({ status: 'completed', error_message: `4 of 6 skipped: ${expired}` });
  });

  describe('starts again with a manual retry', () => {
    const retry = (job: Job | undefined) =>
      fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'retry' }));

    it('for a day, whatever has come due since, and only for recipients not served', async () => {
      fixture.receiver = (request) => answerOf(request.url === hook(0) ? 200 : 404);
      await write(2, '0 9 2 3 *');
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      const failed = await ended('09:00');
      expect(failed?.status).toBe('failed');
      fixture.clock.advance({ hours: 24 * 3 });
      fixture.receiver = () => answerOf(503, 'down', { 'retry-after': '43000' });
      fixture.requests.length = 0;
      await retry(failed);
      const attempts = [];
      for (let round = 1; round <= 2; round += 1) {
        const jobs = await fixture.jobsWhere(workspace, ([job]) => job?.attempts === round && job.status === 'pending');
        attempts.push(of(jobs, '09:00')?.run_at);
        fixture.clock.advance({ seconds: 43_000 });
      }
      expect(attempts).toEqual(['2026-03-05T20:56:40.000Z', '2026-03-06T08:53:20.000Z']);
      expect(await ended('09:00')).toMatchObject({
        status: 'failed',
        attempts: 3,
        error_message: '1 of 2 failed: HTTP 503 (expired before the next attempt)',
      });
      expect(new Set(fixture.requests.map((request) => request.url))).toEqual(new Set([hook(1)]));
    });

    it('and does not end with the next occurrence', async () => {
      fixture.receiver = () => answerOf(404);
      await write(1, everyHour);
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      const failed = await ended('09:00');
      fixture.receiver = () => answerOf(fixture.requests.length === 2 ? 503 : 200);
      fixture.clock.advance({ minutes: 59, seconds: 58 });
      await retry(failed);
      await fixture.jobsWhere(workspace, ([job]) => job?.attempts === 1 && job.status === 'pending');
      fixture.clock.advance({ seconds: 5 });
      expect(await ended('09:00')).toMatchObject({ status: 'completed', attempts: 2 });
      expect(await ended('10:00')).toMatchObject({ status: 'completed' });
    });
  });
});
