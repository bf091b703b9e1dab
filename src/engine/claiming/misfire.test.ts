import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '#contract/jobs.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { updateWorkspace } from '#features/workspaces/workspaces.service.ts';
import { testReminder } from '#features/reminders/test-send.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf } from '#testing/receiver.ts';

describe('after downtime', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  /** Due at nine every day by default. */
  const write = (misfire: 'latest' | 'skip' | 'all', schedule: object = {}) =>
    writeReminder(fixture, {
      workspace,
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'daily',
        startDate: '2026-03-02T09:00:00',
        timezone: 'UTC',
        ...schedule,
      },
      metadata: { channels: ['webhook'], misfire },
    });
  const everyMinute = { scheduleType: 'custom', customCron: '* * * * *' };
  const once = { scheduleType: 'once' };

  /** Resolves once nothing is due any more. */
  const settled = () =>
    fixture.jobsWhere(workspace, (jobs) =>
      jobs.every((job) => job.status !== 'running' && (job.status !== 'pending' || isAhead(job.run_at))),
    );
  const isAhead = (at: string) => Temporal.Instant.compare(Temporal.Instant.from(at), fixture.clock.now()) > 0;
  const days = (jobs: Job[]) => jobs.map((job) => [job.status, job.scheduled_for.slice(0, 10)]);
  const times = (jobs: Job[]) => jobs.map((job) => [job.status, job.scheduled_for.slice(11, 16)]);

  it('sends the newest missed occurrence after downtime and records the older one as missed', async () => {
    await writeReminder(fixture, { workspace });
    fixture.clock.advance({ hours: 24 * 3 + 2 });
    await fixture.start();
    const jobs = await settled();
    expect(days(jobs)).toEqual([
      ['cancelled', '2026-03-02'],
      ['completed', '2026-03-05'],
      ['pending', '2026-03-06'],
    ]);
    expect(jobs[0]?.error_message).toBe('Missed: it was due at 2026-03-02T09:00:00.000Z and could not be sent in time');
    expect(fixture.requests).toHaveLength(1);
  });

  it('says in the log of the run how late it was, and nothing when it was on time', async () => {
    await write('latest');
    fixture.clock.advance({ hours: 2 });
    await fixture.start();
    await settled();
    fixture.clock.advance({ hours: 23 });
    await settled();
    expect((await fixture.executions(workspace)).map(({ logs }) => logs)).toEqual([
      { attempt: 1, attempted: 1, accepted: 1, late_seconds: 3600 },
      { attempt: 1, attempted: 1, accepted: 1 },
    ]);
  });

  describe('of a workspace with a rule of its own', () => {
    const set = (settings: object) =>
      fixture.inWorkspace(workspace, (ctx) =>
        updateWorkspace({ ...ctx, role: 'owner', actor: { kind: 'user', userId: workspace.userId } }, { settings }),
      );

    it('reminders without a rule follow that one, and the others their own', async () => {
      await set({ misfire: 'skip' });
      await writeReminder(fixture, { workspace, name: 'Usual' });
      await write('latest');
      fixture.clock.advance({ hours: 2 });
      await fixture.start();
      const jobs = await settled();
      const of = (name: string) => jobs.filter((job) => job.name === name).map(({ status }) => status);
      expect([of('Usual'), of('Rent is due')]).toEqual([
        ['cancelled', 'pending'],
        ['completed', 'pending'],
      ]);
      expect(fixture.requests).toHaveLength(1);
    });

    it('all are caught up with where it says so', async () => {
      await set({ misfire: 'all' });
      await writeReminder(fixture, { workspace });
      fixture.clock.advance({ hours: 24 * 2 + 2 });
      await fixture.start();
      expect(days(await settled())).toEqual([
        ['completed', '2026-03-02'],
        ['completed', '2026-03-03'],
        ['completed', '2026-03-04'],
        ['pending', '2026-03-05'],
      ]);
    });

    it('messages call it by the name of its company', async () => {
      await set({ companyName: 'Elm & Sons' });
      await writeReminder(fixture, {
        workspace,
        content: { subject: 'Rent', message: 'From {{company_name}}', recipients: ['https://hooks.example.com/a'] },
      });
      fixture.clock.advance({ hours: 1 });
      await fixture.start();
      await settled();
      expect(fixture.messages().map(({ message }) => message)).toEqual(['From Elm & Sons']);
    });
  });

  describe('with the policy skip', () => {
    it('sends nothing that was missed, and goes on with the next', async () => {
      await write('skip');
      fixture.clock.advance({ hours: 24 * 3 + 2 });
      await fixture.start();
      const jobs = await settled();
      expect(days(jobs)).toEqual([
        ['cancelled', '2026-03-02'],
        ['pending', '2026-03-06'],
      ]);
      expect(jobs[0]?.error_message).toMatch(/^Missed: /);
      expect(fixture.requests).toHaveLength(0);
    });

    it('does not take a busy minute for downtime', async () => {
      await write('skip');
      fixture.clock.advance({ hours: 1, minutes: 4 });
      await fixture.start();
      expect(days(await settled())).toEqual([
        ['completed', '2026-03-02'],
        ['pending', '2026-03-03'],
      ]);
    });

    it('goes on with the newest occurrence of an every-minute schedule after a busy minute', async () => {
      await write('skip', everyMinute);
      fixture.clock.advance({ hours: 1, minutes: 3, seconds: 20 });
      await fixture.start();
      expect(times(await settled())).toEqual([
        ['cancelled', '09:00'],
        ['completed', '09:03'],
        ['pending', '09:04'],
      ]);
    });
  });

  describe('with the policy all', () => {
    it('sends every one that was missed, in order and marked late', async () => {
      await write('all');
      fixture.clock.advance({ hours: 24 * 3 + 2 });
      await fixture.start();
      expect(days(await settled())).toEqual([
        ['completed', '2026-03-02'],
        ['completed', '2026-03-03'],
        ['completed', '2026-03-04'],
        ['completed', '2026-03-05'],
        ['pending', '2026-03-06'],
      ]);
      expect(fixture.messages().map((message) => message.scheduled_for.slice(0, 10))).toEqual([
        '2026-03-02',
        '2026-03-03',
        '2026-03-04',
        '2026-03-05',
      ]);
      expect((await fixture.executions(workspace)).map(({ logs }) => logs.late_seconds)).toEqual(
        [73, 49, 25, 1].map((hours) => hours * 3600),
      );
    });

    it('sends the newest hundred and no more', async () => {
      await write('all', everyMinute);
      fixture.clock.advance({ hours: 6, seconds: 20 });
      await fixture.start();
      const jobs = await settled();
      const sent = jobs.filter((job) => job.status === 'completed');
      expect(sent).toHaveLength(100);
      expect(times([...jobs.slice(0, 2), ...jobs.slice(-2)])).toEqual([
        ['cancelled', '09:00'],
        ['completed', '12:21'],
        ['completed', '14:00'],
        ['pending', '14:01'],
      ]);
      expect(fixture.requests).toHaveLength(100);
    });

    it('sends the last one of a schedule that has ended since as well', async () => {
      await write('all', { endDate: '2026-03-03T00:00:00' });
      fixture.clock.advance({ hours: 24 * 5 });
      await fixture.start();
      expect(days(await settled())).toEqual([
        ['completed', '2026-03-02'],
        ['completed', '2026-03-03'],
      ]);
    });

    it('tries each for a day from its first attempt, and then no more', async () => {
      fixture.receiver = () => answerOf(503, 'down', { 'retry-after': '43000' });
      await write('all', { endDate: '2026-03-02T00:00:00' });
      fixture.clock.advance({ hours: 24 * 5 });
      await fixture.start();
      for (let round = 1; round <= 3; round += 1) {
        const [job] = await fixture.jobsWhere(workspace, (jobs) => jobs[0]?.attempts === round && !isRunning(jobs[0]));
        if (job?.status === 'failed') break;
        fixture.clock.advance({ seconds: 43_000 });
      }
      const [job] = await settled();
      expect(job).toMatchObject({
        status: 'failed',
        attempts: 3,
        error_message: '1 of 1 failed: HTTP 503 (expired before the next attempt)',
      });
    });
  });

  describe('a one-time reminder', () => {
    it.each(['latest', 'all'] as const)('is sent up to a day late (%s)', async (misfire) => {
      await write(misfire, once);
      fixture.clock.advance({ hours: 1 + 24, seconds: 30 });
      await fixture.start();
      expect(days(await settled())).toEqual([['completed', '2026-03-02']]);
      expect((await fixture.executions(workspace))[0]?.logs).toMatchObject({ late_seconds: 86_430 });
    });

    it.each(['latest', 'all', 'skip'] as const)('is recorded as missed beyond that (%s)', async (misfire) => {
      await write(misfire, once);
      fixture.clock.advance({ hours: 1 + 24, minutes: 2 });
      await fixture.start();
      const [job] = await settled();
      expect(job).toMatchObject({
        status: 'cancelled',
        reason_code: 'missed',
        error_message: 'Missed: it was due at 2026-03-02T09:00:00.000Z and could not be sent in time',
      });
      expect(await fixture.executions(workspace)).toMatchObject([
        { job_id: job?.id, status: 'failed', logs: { late_seconds: 86_520, skipped: 1 } },
      ]);
      expect(fixture.requests).toHaveLength(0);
    });

    it('is sent when a person retries the missed one', async () => {
      await write('latest', once);
      fixture.clock.advance({ hours: 48 });
      await fixture.start();
      const [missed] = await settled();
      await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: missed?.id ?? '', action: 'retry' }));
      expect(days(await settled())).toEqual([['completed', '2026-03-02']]);
      expect((await fixture.executions(workspace)).at(-1)?.logs).toEqual({ attempt: 1, attempted: 1, accepted: 1 });
    });
  });

  it('does not send a test a day later', async () => {
    const reminder = await writeReminder(fixture, { workspace, status: 'draft' });
    const test = { recipients: ['https://hooks.example.com/me'], subject: 'Try', message: 'Does it work?' };
    await fixture.inWorkspace(workspace, (ctx) => testReminder(ctx, { id: reminder.id, test }));
    fixture.clock.advance({ hours: 25 });
    await fixture.start();
    expect(await settled()).toMatchObject([{ status: 'cancelled', error_message: expect.stringMatching(/^Missed: /) }]);
    expect(fixture.requests).toHaveLength(0);
  });

  it('sends a job that a person resumes after its time, however many have been due since, and retries it for a day', async () => {
    let answers = 0;
    fixture.receiver = () => answerOf((answers += 1) === 4 ? 503 : 200);
    await write('latest');
    const [first] = await fixture.jobs(workspace);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: first?.id ?? '', action: 'pause' }));
    await fixture.start();
    for (let day = 1; day <= 3; day += 1) {
      fixture.clock.advance({ hours: 24 });
      await fixture.jobsWhere(workspace, (jobs) => jobs.filter((job) => job.status === 'completed').length === day - 1);
      await settled();
      await fixture.jobsWhere(workspace, (jobs) => jobs.some((job) => job.status === 'pending'));
    }
    fixture.clock.advance({ hours: 24 });
    await fixture.jobsWhere(workspace, (jobs) => jobs.filter((job) => job.status === 'completed').length === 3);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: first?.id ?? '', action: 'resume' }));
    await fixture.jobsWhere(workspace, ([job]) => job?.attempts === 1 && job.status === 'pending');
    fixture.clock.advance({ seconds: 5 });
    expect(days(await settled())).toEqual([
      ['completed', '2026-03-02'],
      ['completed', '2026-03-03'],
      ['completed', '2026-03-04'],
      ['completed', '2026-03-05'],
      ['pending', '2026-03-06'],
    ]);
    expect(fixture.messages().map((message) => message.scheduled_for.slice(8, 10))).toEqual([
      '03',
      '04',
      '05',
      '02',
      '02',
    ]);
  });

  const isRunning = (job: Job) => job.status === 'running' || (job.status === 'pending' && !isAhead(job.run_at));
});
