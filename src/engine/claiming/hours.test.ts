import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Delivery } from '#contract/deliveries.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { setReminderStatus } from '#features/reminders/reminders.service.ts';
import { testReminder } from '#features/reminders/test-send.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, addContact, setSendingHours } from '#testing/engine-rows.ts';
import { answerOf } from '#testing/receiver.ts';

// 2 March 2026 is a Monday; Berlin is an hour ahead of UTC until the 29th.
describe('sending hours', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T18:00:00Z');
    workspace = await fixture.createWorkspace();
    await addChannel(fixture, { workspace, type: 'webhook', configuration: { url: 'https://hooks.example.com/' } });
    await setHours({});
  });
  afterEach(() => fixture.close());

  const setHours = (changes: object) => setSendingHours(fixture, { workspace, ...changes });
  const at = (startDate: string, more: object = {}) => ({
    schedule_config: { type: 'scheduled', scheduleType: 'once', startDate, timezone: 'UTC', ...more },
  });
  const write = (recipients: string[], more: object) =>
    writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients }, ...more });
  const goTo = (time: string) => fixture.clock.advance(fixture.clock.now().until(time));
  const waiting = () =>
    fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.length > 0 && rows.every((row) => row.status === 'waiting'),
    );
  const rowsOnceEnded = async () => {
    await fixture.jobsWhere(workspace, (jobs) => jobs.some((job) => job.completed_at !== null));
    return fixture.deliveries(workspace);
  };
  const words = (rows: Delivery[]) => rows.map((row) => [row.recipient, row.status, row.reason, row.next_attempt_at]);

  it('defer a delivery that falls outside until they open, with the reason, and use up no attempt', async () => {
    await write(['ann@example.com'], at('2026-03-02T22:00:00'));
    await fixture.start();
    goTo('2026-03-02T22:00:00Z');
    expect(words(await waiting())).toEqual([
      ['ann@example.com', 'waiting', 'Waits for sending hours: Tue 08:00 Europe/Berlin', '2026-03-03T07:00:00.000Z'],
    ]);
    const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
    expect(job).toMatchObject({
      run_at: '2026-03-03T07:00:00.000Z',
      error_message: 'Waits for sending hours: Tue 08:00 Europe/Berlin',
    });
    goTo('2026-03-03T06:59:59Z');
    expect(fixture.requests).toHaveLength(0);
    expect(await fixture.executions(workspace)).toEqual([]);
    goTo('2026-03-03T07:00:00Z');
    expect((await rowsOnceEnded()).map((row) => [row.status, row.attempts])).toEqual([['accepted', 1]]);
  });

  it("follow each recipient's own clock where it is known, else the workspace's", async () => {
    await addContact(fixture, { workspace, email: 'ann@example.com', timezone: 'America/New_York' });
    await addContact(fixture, { workspace, email: 'bert@example.com', timezone: 'Nowhere/Land' });
    await addContact(fixture, { workspace, phone: '+4915112345678', timezone: 'Asia/Tokyo' });
    const everybody = ['ann@example.com', 'bert@example.com', 'carl@example.com', '+49 151 12345678'];
    await write(everybody, at('2026-03-02T22:00:00'));
    await fixture.start();
    goTo('2026-03-02T22:00:00Z');
    // In New York it is five in the afternoon.
    const rows = await fixture.until(
      () => fixture.deliveries(workspace),
      (all) => all.length === 4 && all.some((row) => row.status === 'accepted'),
    );
    expect(words(rows)).toEqual([
      ['+4915112345678', 'waiting', 'Waits for sending hours: Tue 08:00 Asia/Tokyo', '2026-03-02T23:00:00.000Z'],
      ['ann@example.com', 'accepted', null, null],
      ['bert@example.com', 'waiting', 'Waits for sending hours: Tue 08:00 Europe/Berlin', '2026-03-03T07:00:00.000Z'],
      ['carl@example.com', 'waiting', 'Waits for sending hours: Tue 08:00 Europe/Berlin', '2026-03-03T07:00:00.000Z'],
    ]);
  });

  it("follow the workspace's clock alone where that is chosen", async () => {
    await setHours({ zone: 'workspace' });
    await addContact(fixture, { workspace, email: 'ann@example.com', timezone: 'America/New_York' });
    await write(['ann@example.com'], at('2026-03-02T22:00:00'));
    await fixture.start();
    goTo('2026-03-02T22:00:00Z');
    expect((await waiting())[0]?.reason).toBe('Waits for sending hours: Tue 08:00 Europe/Berlin');
  });

  it('keep a job of Friday night alive for a day after they open on Monday', async () => {
    await write(['ann@example.com'], at('2026-03-06T22:00:00'));
    await fixture.start();
    goTo('2026-03-06T22:00:00Z');
    await waiting();
    const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
    expect(job?.run_at).toBe('2026-03-09T07:00:00.000Z');
    fixture.receiver = () => answerOf(503);
    goTo('2026-03-09T07:00:00Z');
    await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 2);
    fixture.receiver = () => answerOf(200);
    goTo('2026-03-09T07:00:07Z');
    expect((await rowsOnceEnded()).map((row) => [row.status, row.attempts])).toEqual([['accepted', 2]]);
  });

  it('do not shorten the time of deferred deliveries when they are switched off', async () => {
    await write(['ann@example.com'], at('2026-03-06T22:00:00'));
    await fixture.start();
    goTo('2026-03-06T22:00:00Z');
    await waiting();
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'pending' && job.attempts === 1);
    await setHours({ enabled: false });
    goTo('2026-03-09T07:00:00Z');
    expect((await rowsOnceEnded()).map((row) => row.status)).toEqual(['accepted']);
  });

  it('move a retry that falls outside to their opening', async () => {
    fixture.receiver = () => answerOf(503);
    await write(['ann@example.com'], at('2026-03-02T18:59:58'));
    await fixture.start();
    goTo('2026-03-02T18:59:58Z');
    expect(words(await waiting())).toEqual([['ann@example.com', 'waiting', 'HTTP 503', '2026-03-03T07:00:00.000Z']]);
    fixture.receiver = () => answerOf(200);
    goTo('2026-03-03T07:00:00Z');
    expect((await rowsOnceEnded()).map((row) => [row.status, row.attempts])).toEqual([['accepted', 2]]);
  });

  it('defer a manual retry as well, even of a job that was due before they closed', async () => {
    fixture.receiver = () => answerOf(410);
    await write(['ann@example.com'], at('2026-03-02T18:30:00'));
    await fixture.start();
    goTo('2026-03-02T18:30:00Z');
    const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'failed');
    goTo('2026-03-02T21:00:00Z');
    fixture.receiver = () => answerOf(200);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'retry' }));
    expect((await waiting())[0]).toMatchObject({
      reason: 'Waits for sending hours: Tue 08:00 Europe/Berlin',
      reason_code: 'waiting_for_sending_hours',
      next_attempt_at: '2026-03-03T07:00:00.000Z',
    });
    goTo('2026-03-03T07:00:00Z');
    expect((await rowsOnceEnded()).map((row) => row.status)).toEqual(['accepted']);
  });

  it('send one message in the morning when several came at night: the newest', async () => {
    await write(['ann@example.com'], {
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'custom',
        customCron: '0 * * * *',
        startDate: '2026-03-03T04:00:00',
        timezone: 'UTC',
      },
    });
    await fixture.start();
    for (const hour of [4, 5, 6, 7]) {
      goTo(`2026-03-03T0${hour}:00:00Z`);
      await fixture.jobsWhere(workspace, (jobs) => (jobs[hour - 4]?.completed_at ?? null) !== null);
    }
    const jobs = await fixture.jobs(workspace);
    expect(jobs[0]?.reason_code).toBe('outside_sending_hours');
    const overtaken = 'Outside of sending hours: the next occurrence comes before they begin (Tue 08:00 Europe/Berlin)';
    expect(jobs.slice(0, 4).map((job) => [job.status, job.error_message])).toEqual([
      ['cancelled', overtaken],
      ['cancelled', overtaken],
      ['cancelled', overtaken],
      ['completed', null],
    ]);
    expect(fixture.requests).toHaveLength(1);
  });

  it('do not apply to a channel that they do not name', async () => {
    await setHours({ channels: ['email'] });
    await write(['ann@example.com'], at('2026-03-02T22:00:00'));
    await fixture.start();
    goTo('2026-03-02T22:00:00Z');
    expect((await rowsOnceEnded()).map((row) => row.status)).toEqual(['accepted']);
  });

  it('defer no test, and nothing while they are switched off', async () => {
    const reminder = await write(['ann@example.com'], at('2026-03-03T22:00:00'));
    await fixture.start();
    goTo('2026-03-02T22:00:00Z');
    await fixture.inWorkspace(workspace, (ctx) =>
      testReminder(ctx, { id: reminder.id, test: { recipients: ['me@example.com'], subject: 'Try', message: 'Hi' } }),
    );
    expect((await rowsOnceEnded()).map((row) => row.recipient)).toEqual(['me@example.com']);
    await setHours({ enabled: false });
    goTo('2026-03-03T22:00:00Z');
    await fixture.jobsWhere(workspace, (jobs) => jobs.every((job) => job.status === 'completed'));
    expect(fixture.requests).toHaveLength(2);
  });

  it('allow a deferred job to be cancelled', async () => {
    const { id } = await write(['ann@example.com'], at('2026-03-02T22:00:00'));
    await fixture.start();
    goTo('2026-03-02T22:00:00Z');
    await waiting();
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'pending' && job.attempts === 1);
    await fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id, status: 'paused' }));
    goTo('2026-03-03T07:00:00Z');
    expect((await rowsOnceEnded()).map((row) => [row.status, row.reason])).toEqual([
      ['skipped', 'The reminder was paused'],
    ]);
    expect(fixture.requests).toHaveLength(0);
  });

  it('close in the middle of a long list: the rest goes on in the morning', async () => {
    fixture.receiver = () => {
      goTo('2026-03-02T19:00:00Z');
      return answerOf(200);
    };
    const recipients = Array.from({ length: 9 }, (_, n) => `p${n}@example.com`);
    await write(recipients, at('2026-03-02T18:59:59'));
    await fixture.start({ limits: { slots: 4, slotsPerWorkspace: 4, perDestination: 4 } });
    goTo('2026-03-02T18:59:59Z');
    const rows = await fixture.until(
      () => fixture.deliveries(workspace),
      (all) => all.length === 9 && all.filter((row) => row.status === 'waiting').length === 5,
    );
    expect(rows.filter((row) => row.status === 'accepted')).toHaveLength(4);
    expect(fixture.requests).toHaveLength(4);
    fixture.receiver = () => answerOf(200);
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'pending');
    goTo('2026-03-03T07:00:00Z');
    await rowsOnceEnded();
    expect(fixture.requests).toHaveLength(9);
  });

  it('that cannot be read defer nothing', async () => {
    await setHours({ timezone: 'Mars/Base' });
    await write(['ann@example.com'], at('2026-03-02T22:00:00'));
    await fixture.start();
    goTo('2026-03-02T22:00:00Z');
    expect((await rowsOnceEnded()).map((row) => row.status)).toEqual(['accepted']);
  });
});
