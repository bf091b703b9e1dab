import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { actOnReminders } from '#features/reminders/bulk.service.ts';
import { pauseAllReminders, resumeAllReminders, stopBegunRuns } from '#features/reminders/pause-all.service.ts';
import { getReminder, setReminderStatus, updateReminder } from '#features/reminders/reminders.service.ts';
import { startTimedResume, type TimedResume } from '#features/reminders/timed-resume.service.ts';
import { testReminder } from '#features/reminders/test-send.service.ts';
import { upcomingOf } from '#features/reminders/upcoming.service.ts';
import { createLog } from '#platform/log.ts';
import {
  engineSleepers,
  type EngineFixture,
  openEngineFixture,
  type TestWorkspace,
  writeReminder,
} from '#testing/engine.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';
import { createVirtualClock } from '#testing/virtual-clock.ts';

describe('a pause with an end', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let resumes: TimedResume[];
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    resumes = [];
  });
  afterEach(async () => {
    for (const one of resumes) await one.stop();
    await fixture.close();
  });

  const at = <T>(work: Parameters<typeof fixture.inWorkspace<T>>[1]) => fixture.inWorkspace(workspace, work);
  const read = (id: string) => at((ctx) => getReminder(ctx, id));
  const pauseOne = (id: string, until: string) => at((ctx) => setReminderStatus(ctx, { id, status: 'paused', until }));
  const startResuming = (clock = fixture.clock) => {
    const started = startTimedResume({
      app: fixture.database.app,
      pool: fixture.database.engine,
      clock,
      log: createLog('silent'),
    });
    resumes.push(started);
    return started;
  };
  const resumed = (id: string) =>
    fixture.until(
      () => read(id),
      ({ status }) => status === 'active',
    );
  const times = async () =>
    (await fixture.jobs(workspace)).map(({ status, scheduled_for: time }) => `${time.slice(8, 16)} ${status}`);
  const daily = (startDate = '2026-03-02T09:00:00') => ({
    schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate, timezone: 'UTC' },
  });

  describe('of one reminder', () => {
    it('names its end, and ends by itself: what came due meanwhile is skipped with the reason, the occurrence at its end is sent', async () => {
      const { id } = await writeReminder(fixture, { workspace });
      expect(await pauseOne(id, '2026-03-05T09:00:00.000Z')).toMatchObject({
        status: 'paused',
        paused_until: '2026-03-05T09:00:00.000Z',
        next_run_at: null,
      });
      expect((await at((ctx) => upcomingOf(ctx, { id, count: 1 }))).occurrences).toEqual(['2026-03-05T09:00:00.000Z']);
      await fixture.start();
      startResuming();
      await fixture.clock.untilAsleep(engineSleepers + 1);
      fixture.clock.advance({ hours: 72 });
      await fixture.clock.untilAsleep(engineSleepers + 1);
      expect((await read(id)).status).toBe('paused');
      fixture.clock.advance({ hours: 1 });
      expect(await resumed(id)).toMatchObject({ paused_until: null });
      await fixture.jobsWhere(workspace, (jobs) => jobs.some(({ status }) => status === 'completed'));
      expect(await times()).toEqual(['02T09:00 cancelled', '05T09:00 completed', '06T09:00 pending']);
      expect((await fixture.jobs(workspace))[0]?.error_message).toBe(
        'The reminder was paused until 2026-03-05T09:00:00.000Z',
      );
      expect(fixture.messages().map(({ scheduled_for: time }) => time)).toEqual(['2026-03-05T09:00:00.000Z']);
    });

    it('that ended while no process ran: what came due since its end follows the reminder’s rule for missed occurrences', async () => {
      const { id } = await writeReminder(fixture, { workspace });
      const metadata = { channels: ['webhook'], misfire: 'all' };
      const { id: every } = await writeReminder(fixture, { workspace, metadata, name: 'Every one' });
      for (const one of [id, every]) await pauseOne(one, '2026-03-04T12:00:00.000Z');
      fixture.clock.advance({ hours: 5 * 24 });
      await fixture.start();
      startResuming();
      await Promise.all([id, every].map(resumed));
      const sent = await fixture.jobsWhere(
        workspace,
        (jobs) =>
          jobs.filter((job) => job.scheduled_for.startsWith('2026-03-06') && job.status === 'completed').length === 2 &&
          jobs.every((job) => job.status !== 'running'),
      );
      const byName = (name: string) =>
        sent.filter((job) => job.name === name).map((job) => `${job.scheduled_for.slice(8, 13)} ${job.status}`);
      expect(byName('Rent is due')).toEqual(['02T09 cancelled', '05T09 cancelled', '06T09 completed', '07T09 pending']);
      expect(byName('Every one')).toEqual(['02T09 cancelled', '05T09 completed', '06T09 completed', '07T09 pending']);
    });

    it('ends once, though two processes look for it, one with a clock that is behind', async () => {
      const { id } = await writeReminder(fixture, { workspace });
      await pauseOne(id, '2026-03-02T10:00:00.000Z');
      const behind = createVirtualClock('2026-03-02T09:59:00Z');
      fixture.clock.advance({ hours: 2 });
      startResuming();
      startResuming();
      startResuming(behind);
      await resumed(id);
      await fixture.clock.untilAsleep(2);
      await behind.untilAsleep(1);
      expect(await times()).toEqual(['02T09:00 cancelled', '03T09:00 pending']);
    });

    it('is over when somebody resumes it before, and does not return', async () => {
      const { id } = await writeReminder(fixture, { workspace });
      await pauseOne(id, '2026-03-09T09:00:00.000Z');
      expect(await at((ctx) => setReminderStatus(ctx, { id, status: 'active' }))).toMatchObject({
        status: 'active',
        paused_until: null,
        next_run_at: '2026-03-02T09:00:00.000Z',
      });
    });

    it('keeps its end while the reminder is edited and stays paused', async () => {
      const { id } = await writeReminder(fixture, { workspace });
      await pauseOne(id, '2026-03-09T09:00:00.000Z');
      const { name, description, schedule_config, content, metadata } = await read(id);
      const edit = (status: 'paused' | 'draft') =>
        at((ctx) =>
          updateReminder(ctx, { id, input: { name, description, schedule_config, content, metadata, status } }),
        );
      expect(await edit('paused')).toMatchObject({ status: 'paused', paused_until: '2026-03-09T09:00:00.000Z' });
      expect(await edit('draft')).toMatchObject({ status: 'draft', paused_until: null });
    });

    it('leaves a reminder paused that was edited so that it cannot be active', async () => {
      const { id } = await writeReminder(fixture, { workspace });
      await pauseOne(id, '2026-03-02T08:30:00.000Z');
      const { name, description, content, metadata } = await read(id);
      const schedule_config = { type: 'event-based' as const, timezone: 'UTC' };
      await at((ctx) =>
        updateReminder(ctx, {
          id,
          input: { name, description, content, metadata, status: 'paused', schedule_config } as never,
        }),
      );
      fixture.clock.advance({ hours: 1 });
      startResuming();
      expect(
        await fixture.until(
          () => read(id),
          ({ paused_until: end }) => end === null,
        ),
      ).toMatchObject({ status: 'paused' });
    });

    it('does not send a one-time reminder whose time came in it', async () => {
      const schedule_config = { ...daily().schedule_config, scheduleType: 'once' };
      const { id } = await writeReminder(fixture, { workspace, schedule_config });
      await pauseOne(id, '2026-03-02T12:00:00.000Z');
      fixture.clock.advance({ hours: 4 });
      startResuming();
      expect(await resumed(id)).toMatchObject({ next_run_at: null });
      expect(await times()).toEqual(['02T09:00 cancelled']);
    });

    it.each([
      ['2026-03-02T08:00:00.000Z', 'A pause ends in the future; choose a later time'],
      ['2027-03-04T08:00:00.000Z', 'A pause lasts a year at most; choose an earlier time'],
    ])('cannot end at %s', async (until, message) => {
      const { id } = await writeReminder(fixture, { workspace });
      await expect(pauseOne(id, until)).rejects.toMatchObject({ message, fields: [{ path: 'until', message }] });
      await expect(at((ctx) => pauseAllReminders(ctx, { until }))).rejects.toMatchObject({ message });
      expect((await read(id)).status).toBe('active');
    });
  });

  describe('of a selection', () => {
    it('starts no draft, and leaves paused what was paused before', async () => {
      const written = await Promise.all(
        (['active', 'paused', 'draft'] as const).map((status) => writeReminder(fixture, { workspace, status })),
      );
      const [active = '', paused = '', draft = ''] = written.map(({ id }) => id);
      const ids = [active, paused, draft];
      const until = '2026-03-03T00:00:00.000Z';
      const { results } = await at((ctx) => actOnReminders(ctx, { ids, action: 'pause', until }));
      expect(results).toEqual([
        { id: active, result: 'done' },
        { id: paused, result: 'unchanged', message: 'It is paused already' },
        { id: draft, result: 'unchanged', message: 'A draft is not sent, so there is nothing to pause' },
      ]);
      fixture.clock.advance({ hours: 24 });
      startResuming();
      await resumed(active);
      await fixture.clock.untilAsleep(1);
      expect(await Promise.all(ids.map(async (id) => (await read(id)).status))).toEqual(['active', 'paused', 'draft']);
      const again = await at((ctx) => actOnReminders(ctx, { ids: [draft], action: 'resume' }));
      expect(again.results).toMatchObject([{ result: 'unchanged' }]);
      expect((await read(draft)).status).toBe('draft');
    });
  });

  describe('of all reminders', () => {
    const pauseAll = async (until: string) => {
      await at((ctx) => pauseAllReminders(ctx, { until }));
      await at((ctx) => stopBegunRuns(ctx, ctx.db));
    };

    it('changes no reminder: what comes due is skipped with the reason, and what comes after its end is sent', async () => {
      const { id } = await writeReminder(fixture, { workspace });
      const draft = await writeReminder(fixture, { workspace, status: 'draft', name: 'A draft' });
      const paused = await writeReminder(fixture, { workspace, status: 'paused', name: 'Paused' });
      await pauseAll('2026-03-04T00:00:00.000Z');
      expect((await at((ctx) => upcomingOf(ctx, { id, count: 1 }))).occurrences).toEqual(['2026-03-04T09:00:00.000Z']);
      await fixture.start();
      for (let day = 0; day < 3; day += 1) {
        fixture.clock.advance({ hours: day === 0 ? 1 : 24 });
        await fixture.jobsWhere(workspace, (jobs) => ['cancelled', 'completed'].includes(jobs[day]?.status ?? ''));
        await fixture.clock.untilAsleep(engineSleepers);
      }
      expect(await times()).toEqual([
        '02T09:00 cancelled',
        '03T09:00 cancelled',
        '04T09:00 completed',
        '05T09:00 pending',
      ]);
      const [first] = (await fixture.jobs(workspace)).filter(({ status }) => status === 'cancelled');
      expect(first?.error_message).toBe('All reminders were paused until 2026-03-04T00:00:00.000Z');
      expect(await Promise.all([id, draft.id, paused.id].map(async (one) => (await read(one)).status))).toEqual([
        'active',
        'draft',
        'paused',
      ]);
      expect(fixture.messages()).toHaveLength(1);
      const { rows } = await fixture.database.engine.query('select from notices');
      expect(rows).toEqual([]);
    });

    it('that ended while no process ran: what came due in it is not sent later', async () => {
      const metadata = { channels: ['webhook'], misfire: 'all' };
      await writeReminder(fixture, { workspace, metadata });
      await pauseAll('2026-03-04T12:00:00.000Z');
      fixture.clock.advance({ hours: 4 * 24 });
      await fixture.start();
      await fixture.jobsWhere(
        workspace,
        (jobs) => jobs.some(({ status }) => status === 'completed') && jobs.every(({ status }) => status !== 'running'),
      );
      expect(await times()).toEqual([
        '02T09:00 cancelled',
        '03T09:00 cancelled',
        '04T09:00 cancelled',
        '05T09:00 completed',
        '06T09:00 pending',
      ]);
    });

    it('ended early: from then on everything is sent again, with two workers once each', async () => {
      await writeReminder(fixture, { workspace });
      await pauseAll('2026-04-02T00:00:00.000Z');
      await Promise.all([fixture.start(), fixture.start()]);
      fixture.clock.advance({ hours: 1 });
      await fixture.jobsWhere(workspace, (jobs) => jobs.length === 2);
      await fixture.clock.untilAsleep(2 * engineSleepers);
      expect(await at((ctx) => resumeAllReminders(ctx))).toEqual({ reminders_paused_until: null });
      fixture.clock.advance({ hours: 24 });
      await fixture.jobsWhere(workspace, (jobs) => jobs[1]?.status === 'completed');
      expect(await times()).toEqual(['02T09:00 cancelled', '03T09:00 completed', '04T09:00 pending']);
      expect(fixture.messages()).toHaveLength(1);
    });

    it('begins no further attempt of a run, and ends what waits to be tried again', async () => {
      const delayed = delayAnswers();
      fixture.receiver = delayed;
      const recipients = Array.from({ length: 10 }, (_, n) => `https://hooks.example.com/${n}`);
      await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
      await fixture.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
      fixture.clock.advance({ hours: 1 });
      await delayed.arrived(4);
      await pauseAll('2026-03-03T00:00:00.000Z');
      delayed.release();
      const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
      expect(job?.error_message).toBe('6 of 10 skipped: All reminders were paused');
      expect(fixture.requests).toHaveLength(4);
    });

    it('cancels a retry that waits, and a retry by a person after its end is sent', async () => {
      fixture.receiver = () => answerOf(503);
      await writeReminder(fixture, { workspace });
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
      await pauseAll('2026-03-02T10:00:00.000Z');
      const [cancelled] = await fixture.jobs(workspace);
      expect(cancelled).toMatchObject({
        status: 'cancelled',
        reason_code: 'all_reminders_paused',
        error_message: 'All reminders were paused',
      });
      fixture.clock.advance({ hours: 2 });
      fixture.receiver = () => answerOf(200);
      await at((ctx) => actOnJob(ctx, { id: cancelled?.id ?? '', action: 'retry' }));
      await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    });

    it('sends tests, and concerns no other workspace', async () => {
      const { id } = await writeReminder(fixture, { workspace });
      const other = await fixture.createWorkspace('Oak Lane');
      await writeReminder(fixture, { workspace: other });
      await pauseAll('2026-03-09T00:00:00.000Z');
      await fixture.start();
      const test = { recipients: ['https://hooks.example.com/test'], subject: 'Test', message: 'Does it work?' };
      await at((ctx) => testReminder(ctx, { id, test: { ...test, slack: false, push: false } }));
      fixture.clock.advance({ hours: 1 });
      await fixture.jobsWhere(other, ([one]) => one?.status === 'completed');
      await fixture.jobsWhere(workspace, (jobs) => jobs.some(({ status }) => status === 'completed'));
      expect(fixture.messages()).toHaveLength(2);
      expect(fixture.messages().filter(({ is_test: isTest }) => isTest)).toHaveLength(1);
    });

    it('is in the audit log with who began and ended it', async () => {
      await pauseAll('2026-03-09T00:00:00.000Z');
      await at((ctx) => resumeAllReminders(ctx));
      await at((ctx) => resumeAllReminders(ctx));
      const rows = await at(({ db }) =>
        db.selectFrom('audit_log').select(['action', 'actor_id', 'target']).orderBy('action').execute(),
      );
      const { userId: actor_id, workspaceId: target } = workspace;
      expect(rows.filter(({ action }) => action.startsWith('reminders.'))).toEqual([
        { action: 'reminders.paused', actor_id, target },
        { action: 'reminders.resumed', actor_id, target },
      ]);
    });
  });
});
