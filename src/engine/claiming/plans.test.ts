import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '#contract/jobs.ts';
import type { EngineStore } from '#engine/store.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { sendByJob } from '#features/jobs/message-jobs.service.ts';
import { testReminder } from '#features/reminders/test-send.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { usageOf } from '#testing/engine-rows.ts';
import { answerOf } from '#testing/receiver.ts';

describe('the plan of a workspace', () => {
  let fixture: EngineFixture;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
  });
  afterEach(() => fixture.close());

  const longAgo = '2025-01-01T00:00:00Z';
  const usedUp = "The Free plan's 25 reminders of this month are used up";
  const paying = (tier: string) => fixture.createWorkspace(tier, { tier, trialEndsAt: longAgo });

  const everyMinute = { type: 'scheduled', scheduleType: 'custom', customCron: '* * * * *', timezone: 'UTC' };
  const once = { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T09:00:00', timezone: 'UTC' };

  /** Reminders that are all due at nine, once. */
  async function writeMany(workspace: TestWorkspace, count: number, more: object = {}): Promise<void> {
    for (let n = 0; n < count; n += 1)
      await writeReminder(fixture, { workspace, name: `Reminder ${n}`, schedule_config: once, ...more });
  }

  const allEnded = (workspace: TestWorkspace) =>
    fixture.jobsWhere(workspace, (jobs) => jobs.every((job) => !['pending', 'running'].includes(job.status)));
  const inStatus = (jobs: Job[], status: string) => jobs.filter((job) => job.status === status);

  async function setUsage(workspace: TestWorkspace, occurrences: number): Promise<void> {
    await fixture.database.engine.query(
      "insert into monthly_usage (workspace_id, month, occurrences) values ($1, '2026-03-01', $2)",
      [workspace.workspaceId, occurrences],
    );
  }

  it('lets Free send 25 reminders a month, and skips the rest with the reason', async () => {
    const workspace = await paying('free');
    await writeMany(workspace, 27);
    await fixture.start({ billing: 'on' });
    fixture.clock.advance({ hours: 1 });
    const jobs = await allEnded(workspace);
    expect(inStatus(jobs, 'completed')).toHaveLength(25);
    expect(inStatus(jobs, 'cancelled').map((job) => job.error_message)).toEqual([usedUp, usedUp]);
    expect((await fixture.deliveries(workspace)).filter((row) => row.status === 'skipped')).toMatchObject([
      { reason: usedUp, attempts: 0 },
      { reason: usedUp, attempts: 0 },
    ]);
    expect(await usageOf(fixture, workspace)).toBe(25);
  });

  it('counts an occurrence once, however many recipients and attempts it has', async () => {
    const workspace = await paying('free');
    fixture.receiver = () => answerOf(fixture.requests.length > 3 ? 200 : 503);
    const recipients = ['a', 'b', 'c'].map((name) => `https://hooks.example.com/${name}`);
    await writeMany(workspace, 1, { content: { subject: 'Rent', message: 'Hi', recipients } });
    await fixture.start({ billing: 'on' });
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, ([job]) => job?.attempts === 1 && job.status === 'pending');
    fixture.clock.advance({ seconds: 5 });
    await allEnded(workspace);
    expect(fixture.requests).toHaveLength(6);
    expect(await usageOf(fixture, workspace)).toBe(1);
  });

  it('goes on with the next occurrence after one that exceeded it, and sends again in the next month', async () => {
    const workspace = await paying('free');
    await setUsage(workspace, 25);
    await writeReminder(fixture, { workspace, schedule_config: { ...everyMinute, customCron: '0 9 1 * *' } });
    await writeReminder(fixture, { workspace });
    await fixture.start({ billing: 'on' });
    fixture.clock.advance({ hours: 1 });
    const jobs = await fixture.jobsWhere(workspace, ([job]) => job?.status === 'cancelled');
    expect(jobs[0]?.reason_code).toBe('over_plan');
    expect(jobs.map((job) => [job.status, job.scheduled_for.slice(0, 10)])).toEqual([
      ['cancelled', '2026-03-02'],
      ['pending', '2026-03-03'],
      ['pending', '2026-04-01'],
    ]);
    fixture.clock.advance({ hours: 24 * 30 });
    await fixture.jobsWhere(workspace, (all) => inStatus(all, 'completed').length === 2);
    expect(await usageOf(fixture, workspace)).toBe(2);
  });

  it('does not count tests, and lets them pass when it is used up', async () => {
    const workspace = await paying('free');
    await setUsage(workspace, 25);
    const reminder = await writeReminder(fixture, { workspace, status: 'draft' });
    await fixture.start({ billing: 'on' });
    const test = { recipients: ['https://hooks.example.com/me'], subject: 'Try', message: 'Does it work?' };
    await fixture.inWorkspace(workspace, (ctx) => testReminder(ctx, { id: reminder.id, test }));
    expect((await allEnded(workspace))[0]?.status).toBe('completed');
    expect(await usageOf(fixture, workspace)).toBe(25);
  });

  it.each(['premium', 'enterprise'])('does not limit %s', async (tier) => {
    const workspace = await paying(tier);
    await writeMany(workspace, 27);
    await fixture.start({ billing: 'on' });
    fixture.clock.advance({ hours: 1 });
    expect(inStatus(await allEnded(workspace), 'completed')).toHaveLength(27);
  });

  it('leaves out its channels also from the links that recipients ask for, which it does not count', async () => {
    const workspace = await paying('free');
    await setUsage(workspace, 25);
    const ask = (channel: string, recipient: string) =>
      fixture.inWorkspace(workspace, (ctx) =>
        sendByJob(ctx, {
          reminderId: null,
          type: 'preferences_link',
          name: 'Link to preferences',
          at: ctx.now.toString(),
          maxAttempts: 3,
          payload: {
            channels: [channel],
            recipients: [recipient],
            content: { subject: 'Your link', message: 'Here it is.' },
          },
        }),
      );
    await ask('sms', '+4915112345678');
    await ask('email', 'ann@example.com');
    await fixture.start({ billing: 'on' });
    await allEnded(workspace);
    const rows = (await fixture.deliveries(workspace)).toSorted((a, b) => a.channel.localeCompare(b.channel));
    expect(rows.map(({ channel, reason_code: code }) => [channel, code === 'channel_not_in_plan'])).toEqual([
      ['email', false],
      ['sms', true],
    ]);
    expect(await usageOf(fixture, workspace)).toBe(25);
  });

  it('limits nobody during the trial, and from then on everybody', async () => {
    const trial = await fixture.createWorkspace('Trial', { tier: 'free', trialEndsAt: '2026-03-02T09:00:01Z' });
    const over = await fixture.createWorkspace('Over', { tier: 'free', trialEndsAt: '2026-03-02T09:00:00Z' });
    for (const workspace of [trial, over]) {
      await setUsage(workspace, 25);
      await writeMany(workspace, 1);
    }
    await fixture.start({ billing: 'on' });
    fixture.clock.advance({ hours: 1 });
    expect((await allEnded(trial))[0]?.status).toBe('completed');
    expect((await allEnded(over))[0]).toMatchObject({ status: 'cancelled', error_message: usedUp });
  });

  it('limits nobody when billing is off', async () => {
    const workspace = await paying('free');
    await setUsage(workspace, 25);
    await writeMany(workspace, 1);
    await fixture.start({ billing: 'off' });
    fixture.clock.advance({ hours: 1 });
    expect((await allEnded(workspace))[0]?.status).toBe('completed');
  });

  it('is never exceeded by two workers at once', async () => {
    const workspace = await paying('free');
    await setUsage(workspace, 20);
    await writeMany(workspace, 30);
    const together = meeting(2);
    const options = {
      billing: 'on' as const,
      limits: { slots: 16, slotsPerWorkspace: 16 },
      // Both have claimed their jobs before either reads what is left of the plan.
      wrapStore: (store: EngineStore): EngineStore => ({
        ...store,
        claim: (request, decide) => store.claim(request, (found) => together().then(() => decide(found))),
      }),
    };
    await Promise.all([fixture.start(options), fixture.start(options)]);
    fixture.clock.advance({ hours: 1 });
    const jobs = await allEnded(workspace);
    expect(inStatus(jobs, 'completed')).toHaveLength(5);
    expect(inStatus(jobs, 'cancelled')).toHaveLength(25);
    expect(fixture.requests).toHaveLength(5);
    expect(await usageOf(fixture, workspace)).toBe(25);
  });

  it.each([
    ['free', ['sms', 'webhook'], 'The Free plan does not include sms'],
    ['basic', ['whatsapp', 'webhook'], 'The Basic plan does not include whatsapp'],
  ])('of %s sends only through the channels in it', async (tier, channels, reason) => {
    const workspace = await paying(tier);
    await writeMany(workspace, 1, {
      content: { subject: 'Rent', message: 'Hi', recipients: ['+49 30 1234567', 'https://hooks.example.com/a'] },
      metadata: { channels },
    });
    await fixture.start({ billing: 'on' });
    fixture.clock.advance({ hours: 1 });
    expect((await allEnded(workspace))[0]).toMatchObject({
      status: 'completed',
      error_message: `1 of 2 skipped: ${reason}`,
    });
    expect(await fixture.deliveries(workspace)).toMatchObject([
      {
        recipient: '+49301234567',
        channel: channels[0],
        status: 'skipped',
        reason,
        reason_code: 'channel_not_in_plan',
        attempts: 0,
      },
      { recipient: 'https://hooks.example.com/a', status: 'accepted' },
    ]);
  });

  describe('when a person retries', () => {
    const retry = async (workspace: TestWorkspace) => {
      const [job] = await allEnded(workspace);
      await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'retry' }));
      return (await allEnded(workspace))[0];
    };

    it('cannot be circumvented, and counts what is finally sent', async () => {
      const workspace = await paying('free');
      await setUsage(workspace, 25);
      await writeMany(workspace, 1);
      await fixture.start({ billing: 'on' });
      fixture.clock.advance({ hours: 1 });
      expect(await retry(workspace)).toMatchObject({ status: 'cancelled', error_message: usedUp });
      await fixture.database.engine.query('update monthly_usage set occurrences = 24');
      expect(await retry(workspace)).toMatchObject({ status: 'completed' });
      expect(await usageOf(fixture, workspace)).toBe(25);
    });

    it('does not count a job twice that was tried before', async () => {
      const workspace = await paying('free');
      await setUsage(workspace, 24);
      fixture.receiver = () => answerOf(fixture.requests.length > 1 ? 200 : 404);
      await writeMany(workspace, 1);
      await fixture.start({ billing: 'on' });
      fixture.clock.advance({ hours: 1 });
      expect(await retry(workspace)).toMatchObject({ status: 'completed' });
      expect(await usageOf(fixture, workspace)).toBe(25);
    });
  });

  /** A barrier: the first `count` callers wait for each other, later ones pass. */
  function meeting(count: number): () => Promise<void> {
    const { promise: met, resolve: meet } = Promise.withResolvers<void>();
    let came = 0;
    return () => {
      came += 1;
      if (came === count) meet();
      return met;
    };
  }
});
