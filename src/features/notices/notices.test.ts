import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSmtpPools } from '#delivery/email/smtp-pools.ts';
import { createInstallationMailer } from '#delivery/email/installation-mailer.ts';
import { type Notices, startNotices } from '#features/notices/notices.service.ts';
import { setReminderStatus } from '#features/reminders/reminders.service.ts';
import { testReminder } from '#features/reminders/test-send.service.ts';
import { createLog } from '#platform/log.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import type { SandboxMessage } from '#sandbox/intake.ts';
import { startSandbox } from '#sandbox/sandbox.ts';
import {
  engineSleepers,
  type EngineFixture,
  openEngineFixture,
  type TestWorkspace,
  writeReminder,
} from '#testing/engine.ts';
import { addMember, connectOwner } from '#testing/owner.ts';

type Mail = { to: string; subject: string; text: string };

describe('a notice of failed messages', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let notices: Notices[];
  let mails: Mail[];
  let takeMail: (mail: Mail) => boolean;
  let isPaused: boolean;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    [notices, mails, isPaused] = [[], [], false];
    takeMail = () => true;
  });
  afterEach(async () => {
    for (const one of notices) await one.stop();
    await fixture.close();
  });

  const emailOf = ({ userId }: TestWorkspace) => `${userId}@example.com`;

  function startTelling(): Notices {
    const started = startNotices({
      pool: fixture.database.engine,
      clock: fixture.clock,
      log: createLog('silent'),
      url: 'https://cuebird.example.com',
      sendMail: async (mail) => {
        mails.push(mail);
        return takeMail(mail);
      },
      isPaused: async () => isPaused,
    });
    notices.push(started);
    return started;
  }

  const hasNotices = (count: number) =>
    fixture.until(
      async () => (await fixture.database.engine.query('select from notices where mailed_on is null')).rowCount,
      (found) => found === count,
    );

  /** Advances the clock by the gathering time, and waits until the sender sleeps again. */
  async function tellingPasses(sleepers: number): Promise<void> {
    await fixture.clock.untilAsleep(sleepers);
    fixture.clock.advance({ seconds: 60 });
    await fixture.clock.untilAsleep(sleepers);
  }

  async function miss(count: number, { others = 0 } = {}): Promise<void> {
    for (let n = 1; n <= count; n += 1)
      await writeReminder(fixture, {
        workspace,
        name: `Rent ${n}`,
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'once',
          startDate: `2026-03-02T09:${String(n).padStart(2, '0')}:00`,
          timezone: 'Europe/Berlin',
        },
      });
    fixture.clock.advance({ hours: 30 });
    await fixture.start();
    await hasNotices(count + others);
  }

  it('is sent to the owners in one mail, with a link to each job', async () => {
    await miss(3);
    startTelling();
    await tellingPasses(engineSleepers + 1);
    const [job] = await fixture.jobs(workspace);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({
      to: emailOf(workspace),
      subject: 'Elm Street: 3 reminders could not be sent',
    });
    expect(mails[0]?.text).toContain('3 reminders of Elm Street could not be sent:');
    expect(mails[0]?.text).toContain(
      `• Rent 1, 2026-03-02 09:01 (Europe/Berlin)\nNothing could be sent at that time\nhttps://cuebird.example.com/jobs?job=${job?.id}`,
    );
    expect(mails[0]?.text).toContain('https://cuebird.example.com/jobs?status=cancelled');
    expect((await fixture.database.engine.query('select from notices')).rowCount).toBe(0);
  });

  it('is sent when the plan is used up, with the plan’s message', async () => {
    workspace = await fixture.createWorkspace('Oak Lane', { tier: 'free', trialEndsAt: '2025-01-15T00:00:00Z' });
    await fixture.database.engine.query(
      "insert into monthly_usage (workspace_id, month, occurrences) values ($1, '2026-03-01', 25)",
      [workspace.workspaceId],
    );
    await writeReminder(fixture, { workspace });
    await fixture.start({ billing: 'on' });
    fixture.clock.advance({ hours: 1 });
    await hasNotices(1);
    const { rows: kinds } = await fixture.database.engine.query('select kind from notices');
    startTelling();
    await tellingPasses(engineSleepers + 1);
    expect(mails.map(({ subject }) => subject)).toEqual(['Oak Lane: 1 reminder could not be sent']);
    expect(mails[0]?.text).toContain("The Free plan's 25 reminders of this month are used up");
    expect(mails[0]?.text).toMatch(/To send more, see the plans: \S+\/billing/);
    expect(kinds).toEqual([{ kind: 'over_plan' }]);
  });

  it('is sent only for what each owner chose to hear of', async () => {
    const partner = await fixture.createWorkspace('B');
    const owner = await connectOwner(fixture.databaseUrl);
    await addMember(owner, { workspace: workspace.workspaceId, userId: partner.userId, role: 'owner' });
    await owner.query('update profiles set notify_missed = false where id = $1', [partner.userId]);
    await miss(2);
    await owner.query(
      `insert into notices (workspace_id, job_id, name, scheduled_for, timezone, reason, kind, created_at)
       values ($1, uuidv7(), 'Over', now(), 'UTC', 'The plan is used up', 'over_plan', now())`,
      [workspace.workspaceId],
    );
    startTelling();
    await tellingPasses(engineSleepers + 1);
    const subjects = Object.fromEntries(mails.map(({ to, subject }) => [to, subject]));
    expect(subjects).toEqual({
      [emailOf(workspace)]: 'Elm Street: 3 reminders could not be sent',
      [emailOf(partner)]: 'Elm Street: 1 reminder could not be sent',
    });
    expect(mails.every(({ text }) => text.includes('https://cuebird.example.com/settings'))).toBe(true);
    // Whoever wants neither gets none, and nothing is kept for them.
    await owner.query('update profiles set notify_missed = false, notify_over_plan = false');
    await owner.query('delete from notice_days');
    await owner.query(
      `insert into notices (workspace_id, job_id, name, scheduled_for, timezone, reason, created_at)
       values ($1, uuidv7(), 'Later', now(), 'UTC', 'Nothing could be sent at that time', $2)`,
      [workspace.workspaceId, fixture.clock.now().toString()],
    );
    notices[0]?.wake();
    await tellingPasses(engineSleepers + 1);
    expect(mails).toHaveLength(2);
    expect((await owner.query('select from notices')).rowCount).toBe(0);
    await owner.end();
  });

  it('is sent once a day, with later failures on the next day', async () => {
    await miss(1);
    startTelling();
    await tellingPasses(engineSleepers + 1);
    await fixture.database.engine.query(
      `insert into notices (workspace_id, job_id, name, scheduled_for, timezone, reason, created_at)
       values ($1, uuidv7(), 'Later', $2, 'UTC', 'Nothing could be sent at that time', $2)`,
      [workspace.workspaceId, fixture.clock.now().toString()],
    );
    notices[0]?.wake();
    await tellingPasses(engineSleepers + 1);
    expect(mails).toHaveLength(1);
    // The hour in which it is looked for comes, and with it the next day.
    fixture.clock.advance({ hours: 12 });
    await tellingPasses(engineSleepers + 1);
    expect(mails.map(({ text }) => text.includes('• Later'))).toEqual([false, true]);
  });

  it('is sent by one of several workers', async () => {
    await miss(2);
    startTelling();
    startTelling();
    startTelling();
    await tellingPasses(engineSleepers + 3);
    expect(mails).toHaveLength(1);
  });

  it('is sent again within the hour when the mail was refused', async () => {
    takeMail = () => mails.length > 1;
    await miss(1);
    startTelling();
    await tellingPasses(engineSleepers + 1);
    expect(mails).toHaveLength(1);
    fixture.clock.advance({ hours: 1 });
    await tellingPasses(engineSleepers + 1);
    expect(mails).toHaveLength(2);
    fixture.clock.advance({ hours: 1 });
    await tellingPasses(engineSleepers + 1);
    expect(mails).toHaveLength(2);
  });

  it('is sent only to the owners, separately for each workspace', async () => {
    const other = await fixture.createWorkspace('Other');
    const [admin, partner] = [await fixture.createWorkspace('A'), await fixture.createWorkspace('B')];
    const owner = await connectOwner(fixture.databaseUrl);
    await addMember(owner, { workspace: workspace.workspaceId, userId: admin.userId, role: 'admin' });
    await addMember(owner, { workspace: workspace.workspaceId, userId: partner.userId, role: 'owner' });
    await owner.end();
    await writeReminder(fixture, { workspace: other, name: 'Of the other' });
    await miss(1, { others: 1 });
    startTelling();
    await tellingPasses(engineSleepers + 1);
    const recipientsOf = (name: string) => mails.filter(({ text }) => text.includes(`• ${name},`)).map(({ to }) => to);
    expect(recipientsOf('Rent 1').toSorted()).toEqual([emailOf(workspace), emailOf(partner)].toSorted());
    expect(recipientsOf('Of the other')).toEqual([emailOf(other)]);
    expect(mails).toHaveLength(3);
  });

  it('lists the first twenty and counts the rest', async () => {
    await miss(23);
    startTelling();
    await tellingPasses(engineSleepers + 1);
    expect(mails[0]?.subject).toBe('Elm Street: 23 reminders could not be sent');
    expect(mails[0]?.text.match(/^• /gm)).toHaveLength(20);
    expect(mails[0]?.text).toContain('… and 3 more.');
  });

  it('is not sent for tests, paused reminders, late messages or a busy minute', async () => {
    const everyMinute = { type: 'scheduled', scheduleType: 'custom', customCron: '* * * * *', timezone: 'UTC' };
    const paused = await writeReminder(fixture, { workspace, name: 'Paused' });
    await fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id: paused.id, status: 'paused' }));
    const draft = await writeReminder(fixture, { workspace, name: 'Draft', status: 'draft' });
    const test = { recipients: ['https://hooks.example.com/me'], subject: 'Try', message: 'Hi' };
    await fixture.inWorkspace(workspace, (ctx) => testReminder(ctx, { id: draft.id, test }));
    fixture.clock.advance({ hours: 25 });
    await writeReminder(fixture, {
      workspace,
      name: 'Late',
      schedule_config: { ...everyMinute, customCron: '0 10 * * *' },
    });
    await writeReminder(fixture, { workspace, name: 'Busy', schedule_config: everyMinute });
    fixture.clock.advance({ hours: 1, seconds: 70 });
    await fixture.database.engine.query("update jobs set scheduled_for = $1, run_at = $1 where name = 'Busy'", [
      fixture.clock.now().subtract({ seconds: 130 }).toString(),
    ]);
    await fixture.database.engine.query("delete from queue where job_id = (select id from jobs where name = 'Busy')");
    await fixture.database.engine.query(
      "insert into queue (job_id, workspace_id, run_at) select id, workspace_id, run_at from jobs where name = 'Busy'",
    );
    await fixture.start();
    const jobs = await fixture.jobsWhere(workspace, (all) =>
      ['Late', 'Busy', 'Test: Draft'].every((name) =>
        all.some((job) => job.name === name && ['completed', 'cancelled'].includes(job.status)),
      ),
    );
    expect(
      jobs
        .filter((job) => job.error_message?.startsWith('Missed'))
        .map((job) => job.name)
        .toSorted(),
    ).toEqual(['Busy', 'Test: Draft']);
    startTelling();
    await tellingPasses(engineSleepers + 1);
    expect(mails).toEqual([]);
  });

  it('is not sent from a copy of the database', async () => {
    isPaused = true;
    await miss(1);
    startTelling();
    await tellingPasses(engineSleepers + 1);
    expect(mails).toEqual([]);
    isPaused = false;
    fixture.clock.advance({ hours: 1 });
    await tellingPasses(engineSleepers + 1);
    expect(mails).toHaveLength(1);
  });

  it('wakes the sender of notices, and delays no delivery while a mail server hangs', async () => {
    let wakes = 0;
    await writeReminder(fixture, {
      workspace,
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T09:00:00', timezone: 'UTC' },
    });
    await writeReminder(fixture, { workspace, name: 'Daily' });
    fixture.clock.advance({ hours: 26 });
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const hanging = startNotices({
      pool: fixture.database.engine,
      clock: fixture.clock,
      log: createLog('silent'),
      url: 'https://cuebird.example.com',
      sendMail: () => {
        ask();
        return new Promise(() => {});
      },
      isPaused: async () => false,
    });
    await fixture.start({
      onUnsent: () => {
        wakes += 1;
        hanging.wake();
      },
    });
    await hasNotices(2);
    fixture.clock.advance({ seconds: 60 });
    await asked;
    fixture.clock.advance({ hours: 23 });
    await fixture.jobsWhere(workspace, (jobs) => jobs.filter((job) => job.status === 'completed').length === 2);
    expect(wakes).toBeGreaterThan(0);
    const stopped = hanging.stop();
    fixture.clock.advance({ seconds: 5 });
    await stopped;
  });

  it('is sent over the installation’s mail server', async () => {
    const stored: SandboxMessage[] = [];
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const sandbox = await startSandbox({
      secret: 'a secret',
      now: fixture.clock.now,
      store: async (messages) => {
        stored.push(...messages);
        arrive();
      },
    });
    const smtp = createSmtpPools({ guard: createEgressGuard({ allow: [], exact: () => [sandbox.smtp] }) });
    await miss(1);
    const log = createLog('silent');
    const tryMail = createInstallationMailer({ smtp, configuration: sandbox.smtpConfigFor('account'), log });
    notices.push(
      startNotices({
        pool: fixture.database.engine,
        clock: fixture.clock,
        log,
        url: 'https://cuebird.example.com',
        sendMail: async (mail) => (await tryMail(mail)).outcome === 'accepted',
        isPaused: async () => false,
      }),
    );
    await fixture.clock.untilAsleep(engineSleepers + 1);
    fixture.clock.advance({ seconds: 60 });
    await arrived;
    expect(stored).toMatchObject([
      { workspace_id: null, recipient: emailOf(workspace), subject: 'Elm Street: 1 reminder could not be sent' },
    ]);
    expect(stored[0]?.html).toContain('<a href="https://cuebird.example.com/jobs?status=cancelled">');
    smtp.close();
    await sandbox.stop();
  });
});
