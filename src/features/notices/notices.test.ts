import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSmtpPools } from '#delivery/email/smtp-pools.ts';
import { createAccountMailer } from '#features/auth/account-mailer.ts';
import { type Notices, startNotices } from '#features/notices/notices.service.ts';
import { setReminderStatus, testReminder } from '#features/reminders/reminders.service.ts';
import { createLog } from '#platform/log.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import type { SandboxMessage } from '#platform/sandbox/intake.ts';
import { startSandbox } from '#platform/sandbox/sandbox.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addMember, connectOwner } from '#testing/owner.ts';

type Mail = { to: string; subject: string; text: string };

describe('what could not be sent', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  let notices: Notices[];
  let mails: Mail[];
  let takeMail: (mail: Mail) => boolean;
  let isHeld: boolean;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
    [notices, mails, isHeld] = [[], [], false];
    takeMail = () => true;
  });
  afterEach(async () => {
    for (const one of notices) await one.stop();
    await house.close();
  });

  const emailOf = ({ userId }: TestWorkspace) => `${userId}@example.com`;

  function startTelling(): Notices {
    const started = startNotices({
      pool: house.database.engine,
      clock: house.clock,
      log: createLog('silent'),
      url: 'https://cuebird.example.com',
      sendMail: async (mail) => {
        mails.push(mail);
        return takeMail(mail);
      },
      isHeld: async () => isHeld,
    });
    notices.push(started);
    return started;
  }

  const hasNotices = (count: number) =>
    house.until(
      async () => (await house.database.engine.query('select from notices where told_on is null')).rowCount,
      (found) => found === count,
    );

  /** Moves the clock by as much as is gathered, and waits until whoever tells has gone to sleep again. */
  async function tellingPasses(sleepers: number): Promise<void> {
    await house.clock.untilAsleep(sleepers);
    house.clock.advance({ seconds: 60 });
    await house.clock.untilAsleep(sleepers);
  }

  async function miss(count: number, { others = 0 } = {}): Promise<void> {
    for (let n = 1; n <= count; n += 1)
      await writeReminder(house, {
        workspace,
        name: `Rent ${n}`,
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'once',
          startDate: `2026-03-02T09:${String(n).padStart(2, '0')}:00`,
          timezone: 'Europe/Berlin',
        },
      });
    house.clock.advance({ hours: 30 });
    await house.start();
    await hasNotices(count + others);
  }

  it('is told to the owners in one mail, with the way to each', async () => {
    await miss(3);
    startTelling();
    await tellingPasses(5);
    const [job] = await house.jobs(workspace);
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
    expect((await house.database.engine.query('select from notices')).rowCount).toBe(0);
  });

  it('is told where the plan is used up, with its words', async () => {
    workspace = await house.createWorkspace('Oak Lane', { tier: 'free', createdAt: '2025-01-01T00:00:00Z' });
    await house.database.engine.query(
      "insert into monthly_usage (workspace_id, month, occurrences) values ($1, '2026-03-01', 25)",
      [workspace.workspaceId],
    );
    await writeReminder(house, { workspace });
    await house.start({ billing: 'on' });
    house.clock.advance({ hours: 1 });
    await hasNotices(1);
    startTelling();
    await tellingPasses(5);
    expect(mails.map(({ subject }) => subject)).toEqual(['Oak Lane: 1 reminder could not be sent']);
    expect(mails[0]?.text).toContain("The Free plan's 25 reminders of this month are used up");
  });

  it('is told once a day, and what came later on the next', async () => {
    await miss(1);
    startTelling();
    await tellingPasses(5);
    await house.database.engine.query(
      `insert into notices (workspace_id, job_id, name, scheduled_for, timezone, reason, created_at)
       values ($1, uuidv7(), 'Later', $2, 'UTC', 'Nothing could be sent at that time', $2)`,
      [workspace.workspaceId, house.clock.now().toString()],
    );
    notices[0]?.wake();
    await tellingPasses(5);
    expect(mails).toHaveLength(1);
    // The hour in which it is looked for comes, and with it the next day.
    house.clock.advance({ hours: 12 });
    await tellingPasses(5);
    expect(mails.map(({ text }) => text.includes('• Later'))).toEqual([false, true]);
  });

  it('is told by one of several workers', async () => {
    await miss(2);
    startTelling();
    startTelling();
    startTelling();
    await tellingPasses(7);
    expect(mails).toHaveLength(1);
  });

  it('is told again within the hour where the mail was not taken', async () => {
    takeMail = () => mails.length > 1;
    await miss(1);
    startTelling();
    await tellingPasses(5);
    expect(mails).toHaveLength(1);
    house.clock.advance({ hours: 1 });
    await tellingPasses(5);
    expect(mails).toHaveLength(2);
    house.clock.advance({ hours: 1 });
    await tellingPasses(5);
    expect(mails).toHaveLength(2);
  });

  it('is told to every owner and to nobody else, workspace by workspace', async () => {
    const other = await house.createWorkspace('Other');
    const [admin, partner] = [await house.createWorkspace('A'), await house.createWorkspace('B')];
    const owner = await connectOwner(house.databaseUrl);
    await addMember(owner, { workspace: workspace.workspaceId, userId: admin.userId, role: 'admin' });
    await addMember(owner, { workspace: workspace.workspaceId, userId: partner.userId, role: 'owner' });
    await owner.end();
    await writeReminder(house, { workspace: other, name: 'Of the other' });
    await miss(1, { others: 1 });
    startTelling();
    await tellingPasses(5);
    const told = (name: string) => mails.filter(({ text }) => text.includes(`• ${name},`)).map(({ to }) => to);
    expect(told('Rent 1').toSorted()).toEqual([emailOf(workspace), emailOf(partner)].toSorted());
    expect(told('Of the other')).toEqual([emailOf(other)]);
    expect(mails).toHaveLength(3);
  });

  it('lists the first twenty and counts the rest', async () => {
    await miss(23);
    startTelling();
    await tellingPasses(5);
    expect(mails[0]?.subject).toBe('Elm Street: 23 reminders could not be sent');
    expect(mails[0]?.text.match(/^• /gm)).toHaveLength(20);
    expect(mails[0]?.text).toContain('… and 3 more.');
  });

  it('is not told of tests, of paused reminders, of what is sent late, nor of a busy minute', async () => {
    const everyMinute = { type: 'scheduled', scheduleType: 'custom', customCron: '* * * * *', timezone: 'UTC' };
    const paused = await writeReminder(house, { workspace, name: 'Paused' });
    await house.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id: paused.id, status: 'paused' }));
    const draft = await writeReminder(house, { workspace, name: 'Draft', status: 'draft' });
    const test = { recipients: ['https://hooks.example.com/me'], subject: 'Try', message: 'Hi' };
    await house.inWorkspace(workspace, (ctx) => testReminder(ctx, { id: draft.id, test }));
    house.clock.advance({ hours: 25 });
    await writeReminder(house, {
      workspace,
      name: 'Late',
      schedule_config: { ...everyMinute, customCron: '0 10 * * *' },
    });
    await writeReminder(house, { workspace, name: 'Busy', schedule_config: everyMinute });
    house.clock.advance({ hours: 1, seconds: 70 });
    await house.database.engine.query("update jobs set scheduled_for = $1, run_at = $1 where name = 'Busy'", [
      house.clock.now().subtract({ seconds: 130 }).toString(),
    ]);
    await house.database.engine.query("delete from queue where job_id = (select id from jobs where name = 'Busy')");
    await house.database.engine.query(
      "insert into queue (job_id, workspace_id, run_at) select id, workspace_id, run_at from jobs where name = 'Busy'",
    );
    await house.start();
    const jobs = await house.jobsWhere(workspace, (all) =>
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
    await tellingPasses(5);
    expect(mails).toEqual([]);
  });

  it('is not told from a copy of the database', async () => {
    isHeld = true;
    await miss(1);
    startTelling();
    await tellingPasses(5);
    expect(mails).toEqual([]);
    isHeld = false;
    house.clock.advance({ hours: 1 });
    await tellingPasses(5);
    expect(mails).toHaveLength(1);
  });

  it('wakes whoever tells, and holds up no delivery while a mail server hangs', async () => {
    let wakes = 0;
    await writeReminder(house, {
      workspace,
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T09:00:00', timezone: 'UTC' },
    });
    await writeReminder(house, { workspace, name: 'Daily' });
    house.clock.advance({ hours: 26 });
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const hanging = startNotices({
      pool: house.database.engine,
      clock: house.clock,
      log: createLog('silent'),
      url: 'https://cuebird.example.com',
      sendMail: () => {
        ask();
        return new Promise(() => {});
      },
      isHeld: async () => false,
    });
    await house.start({
      onUnsent: () => {
        wakes += 1;
        hanging.wake();
      },
    });
    await hasNotices(2);
    house.clock.advance({ seconds: 60 });
    await asked;
    house.clock.advance({ hours: 23 });
    await house.jobsWhere(workspace, (jobs) => jobs.filter((job) => job.status === 'completed').length === 2);
    expect(wakes).toBeGreaterThan(0);
    const stopped = hanging.stop();
    house.clock.advance({ seconds: 5 });
    await stopped;
  });

  it('arrives by the mail server of the installation', async () => {
    const stored: SandboxMessage[] = [];
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const sandbox = await startSandbox({
      secret: 'a secret',
      now: house.clock.now,
      store: async (messages) => {
        stored.push(...messages);
        arrive();
      },
    });
    const smtp = createSmtpPools({ guard: createEgressGuard({ allow: [], exact: () => [sandbox.smtp] }) });
    await miss(1);
    const log = createLog('silent');
    notices.push(
      startNotices({
        pool: house.database.engine,
        clock: house.clock,
        log,
        url: 'https://cuebird.example.com',
        sendMail: createAccountMailer({ smtp, configuration: sandbox.smtpConfigFor('account'), log }),
        isHeld: async () => false,
      }),
    );
    await house.clock.untilAsleep(5);
    house.clock.advance({ seconds: 60 });
    await arrived;
    expect(stored).toMatchObject([
      { workspace_id: null, recipient: emailOf(workspace), subject: 'Elm Street: 1 reminder could not be sent' },
    ]);
    expect(stored[0]?.html).toContain('<a href="https://cuebird.example.com/jobs?status=cancelled">');
    smtp.close();
    await sandbox.stop();
  });
});
