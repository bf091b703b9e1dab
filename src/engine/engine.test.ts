import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  deleteReminder,
  setReminderStatus,
  testReminder,
  updateReminder,
} from '#features/reminders/reminders.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { answerOf, type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';

describe('the engine', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  const jobsWhere = (isReached: (jobs: Awaited<ReturnType<EngineHouse['jobs']>>) => boolean) =>
    house.until(() => house.jobs(workspace), isReached);
  const bodies = () => house.requests.map((request) => JSON.parse(String(request.body)).data);

  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
  });
  afterEach(() => house.close());

  it('always has the next occurrence of an active reminder as a pending job', async () => {
    await writeReminder(house, { workspace });
    const jobs = await house.jobs(workspace);
    expect(jobs.map((job) => [job.status, job.scheduled_for])).toEqual([['pending', '2026-03-02T09:00:00.000Z']]);
  });

  it('sends at the time, not before, and plans the day after in the same breath', async () => {
    await writeReminder(house, { workspace });
    await house.start();
    house.clock.advance({ minutes: 59 });
    expect(house.requests).toHaveLength(0);
    house.clock.advance({ minutes: 1 });
    const jobs = await jobsWhere((all) => all.some((job) => job.status === 'completed'));
    expect(jobs.map((job) => [job.status, job.scheduled_for, job.attempts])).toEqual([
      ['completed', '2026-03-02T09:00:00.000Z', 1],
      ['pending', '2026-03-03T09:00:00.000Z', 0],
    ]);
    expect(bodies()).toMatchObject([
      { recipient: 'https://hooks.example.com/a', message: 'Hello https://hooks.example.com/a', attempt: 1 },
    ]);
  });

  it('writes one ledger row per channel and recipient, and one execution per run', async () => {
    await writeReminder(house, {
      workspace,
      content: {
        subject: 'Rent',
        message: 'Hi {{recipient_name}}',
        recipients: ['https://hooks.example.com/a', 'https://hooks.example.com/b', '+49 30 1234567'],
      },
    });
    await house.start();
    house.clock.advance({ hours: 1 });
    const [job] = await jobsWhere((all) => all.some((one) => one.status === 'completed'));
    expect(job?.error_message).toBe('1 of 3 skipped: A phone number fits none of the chosen channels (webhook)');
    expect(
      (await house.deliveries(workspace)).map((row) => [row.recipient, row.status, row.attempts, row.provider_answer]),
    ).toEqual([
      ['+49301234567', 'skipped', 0, null],
      ['https://hooks.example.com/a', 'accepted', 1, 'HTTP 200: thanks'],
      ['https://hooks.example.com/b', 'accepted', 1, 'HTTP 200: thanks'],
    ]);
    const executions = await house.inWorkspace(workspace, ({ db }) =>
      db.selectFrom('job_executions').selectAll().execute(),
    );
    expect(executions).toMatchObject([
      { job_id: job?.id, status: 'completed', logs: { attempt: 1, attempted: 2, accepted: 2, skipped: 1 } },
    ]);
  });

  it('tries a temporary failure again under the same webhook-id, and only the recipient that failed', async () => {
    house.receiver = (request) =>
      request.url.endsWith('/b') && house.requests.filter((one) => one.url === request.url).length === 1
        ? answerOf(503, 'upstream down')
        : answerOf(200);
    await writeReminder(house, {
      workspace,
      content: {
        subject: 'Rent',
        message: 'Hi',
        recipients: ['https://hooks.example.com/a', 'https://hooks.example.com/b'],
      },
    });
    await house.start();
    house.clock.advance({ hours: 1 });
    const [waiting] = await jobsWhere((all) => all.some((job) => job.attempts === 1 && job.status === 'pending'));
    expect(waiting).toMatchObject({
      run_at: '2026-03-02T09:00:05.000Z',
      error_message: 'Will be tried again: HTTP 503: upstream down',
    });
    house.clock.advance({ seconds: 5 });
    const [done] = await jobsWhere((all) => all.some((job) => job.status === 'completed'));
    expect(done?.attempts).toBe(2);
    expect(house.requests.map((request) => request.url.slice(-1))).toEqual(['a', 'b', 'b']);
    const ids = house.requests.map(
      (request) => request.headers[request.headers.findIndex((name) => name.toLowerCase() === 'webhook-id') + 1],
    );
    expect(ids[1]).toBe(ids[2]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('ends a permanent refusal at once, with the words of the other side', async () => {
    house.receiver = () => answerOf(410, 'gone for good');
    await writeReminder(house, { workspace });
    await house.start();
    house.clock.advance({ hours: 1 });
    const [job] = await jobsWhere((all) => all.some((one) => one.status === 'failed'));
    expect(job?.error_message).toBe('1 of 1 failed: HTTP 410: gone for good');
    expect(house.requests).toHaveLength(1);
  });

  it('gives up before the next occurrence speaks for itself', async () => {
    house.receiver = () => answerOf(503);
    await writeReminder(house, {
      workspace,
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'custom',
        customCron: '* * * * *',
        startDate: '2026-03-02T09:00:00',
        timezone: 'UTC',
      },
    });
    await house.start();
    house.clock.advance({ hours: 1 });
    await jobsWhere((all) => all.some((job) => job.attempts === 1 && job.status === 'pending'));
    house.clock.advance({ seconds: 5 });
    const jobs = await jobsWhere((all) => all.some((one) => one.status === 'failed'));
    expect(jobs.find((one) => one.status === 'failed')?.error_message).toBe(
      '1 of 1 failed: HTTP 503 (expired before the next attempt)',
    );
  });

  it('records an answer that no database text can hold as it is, and those beside it', async () => {
    house.receiver = (request) => answerOf(request.url.endsWith('/a') ? 400 : 200, 'no\0pe');
    await writeReminder(house, {
      workspace,
      content: {
        subject: 'Rent',
        message: 'Hi',
        recipients: ['https://hooks.example.com/a', 'https://hooks.example.com/b'],
      },
    });
    await house.start();
    house.clock.advance({ hours: 1 });
    await jobsWhere((all) => all.some((job) => job.status === 'failed'));
    expect((await house.deliveries(workspace)).map((row) => [row.status, row.reason ?? row.provider_answer])).toEqual([
      ['failed', 'HTTP 400: nope'],
      ['accepted', 'HTTP 200: nope'],
    ]);
  });

  it('fails a message whose variable has no value instead of sending a blank', async () => {
    await writeReminder(house, {
      workspace,
      content: { subject: 'Rent', message: 'You owe {{amount}}', recipients: ['https://hooks.example.com/a'] },
    });
    await house.start();
    house.clock.advance({ hours: 1 });
    const [job] = await jobsWhere((all) => all.some((one) => one.status === 'failed'));
    expect(job?.error_message).toBe('1 of 1 failed: missing variable amount');
    expect(house.requests).toHaveLength(0);
  });

  it('does not send a paused reminder, and resumes with the next occurrence without catching up', async () => {
    const reminder = await writeReminder(house, { workspace });
    await house.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id: reminder.id, status: 'paused' }));
    await house.start();
    house.clock.advance({ hours: 50 });
    const resumed = await house.inWorkspace(workspace, (ctx) =>
      setReminderStatus(ctx, { id: reminder.id, status: 'active' }),
    );
    expect(resumed.next_run_at).toBe('2026-03-05T09:00:00.000Z');
    house.clock.advance({ hours: 23 });
    await jobsWhere((all) => all.some((job) => job.status === 'completed'));
    expect(bodies()).toMatchObject([{ scheduled_for: '2026-03-05T09:00:00.000Z' }]);
  });

  it('moves the next occurrence when a reminder is edited, and sends the new text', async () => {
    const reminder = await writeReminder(house, { workspace });
    await house.inWorkspace(workspace, (ctx) =>
      updateReminder(ctx, {
        id: reminder.id,
        input: {
          ...reminder,
          schedule_config: { ...reminder.schedule_config, startDate: '2026-03-02T10:30:00' },
          content: { ...reminder.content, message: 'New text' },
        },
      }),
    );
    await house.start();
    house.clock.advance({ hours: 2, minutes: 30 });
    const jobs = await jobsWhere((all) => all.some((job) => job.status === 'completed'));
    expect(jobs.map((job) => job.scheduled_for)).toEqual(['2026-03-02T10:30:00.000Z', '2026-03-03T10:30:00.000Z']);
    expect(bodies()).toMatchObject([{ message: 'New text' }]);
  });

  it('does not send an occurrence twice when a reminder is edited after it went out', async () => {
    const reminder = await writeReminder(house, { workspace });
    await house.start();
    house.clock.advance({ hours: 1 });
    await jobsWhere((all) => all.some((job) => job.status === 'completed'));
    const { next_run_at: next } = await house.inWorkspace(workspace, (ctx) =>
      updateReminder(ctx, { id: reminder.id, input: reminder }),
    );
    expect(next).toBe('2026-03-03T09:00:00.000Z');
    expect(house.requests).toHaveLength(1);
  });

  it('ends the retries of an edited reminder and records why', async () => {
    house.receiver = () => answerOf(503);
    const reminder = await writeReminder(house, { workspace });
    await house.start();
    house.clock.advance({ hours: 1 });
    await jobsWhere((all) => all.some((job) => job.attempts === 1 && job.status === 'pending'));
    await house.inWorkspace(workspace, (ctx) => updateReminder(ctx, { id: reminder.id, input: reminder }));
    const [job] = await house.jobs(workspace);
    expect(job).toMatchObject({ status: 'cancelled', error_message: 'The reminder was edited' });
    expect(await house.deliveries(workspace)).toMatchObject([
      { status: 'skipped', reason: 'The reminder was edited', attempts: 1 },
    ]);
  });

  it('cancels one occurrence and goes on with the next', async () => {
    await writeReminder(house, { workspace });
    const [job] = await house.jobs(workspace);
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'cancel' }));
    await house.start();
    house.clock.advance({ hours: 25 });
    const jobs = await jobsWhere((all) => all.some((one) => one.status === 'completed'));
    expect(jobs.map((one) => [one.status, one.scheduled_for.slice(0, 10)])).toEqual([
      ['cancelled', '2026-03-02'],
      ['completed', '2026-03-03'],
      ['pending', '2026-03-04'],
    ]);
  });

  it('starts no further attempt of a running job once its cancel is committed', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let arrived = () => {};
    const first = new Promise<void>((resolve) => (arrived = resolve));
    house.receiver = async () => {
      arrived();
      await held;
      return answerOf(200);
    };
    const recipients = Array.from({ length: 10 }, (_, n) => `https://hooks.example.com/${n}`);
    await writeReminder(house, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    await house.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
    house.clock.advance({ hours: 1 });
    await first;
    const [job] = await house.jobs(workspace);
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'cancel' }));
    release();
    const rows = await house.until(
      () => house.deliveries(workspace),
      (all) => all.every((row) => row.status === 'accepted' || row.status === 'skipped'),
    );
    expect(rows.filter((row) => row.status === 'accepted')).toHaveLength(4);
    expect(rows.filter((row) => row.status === 'skipped')).toHaveLength(6);
    expect(house.requests).toHaveLength(4);
    expect((await house.jobs(workspace))[0]?.status).toBe('cancelled');
  });

  it('serves more recipients than it has slots for', async () => {
    const recipients = Array.from({ length: 57 }, (_, n) => `https://hooks.example.com/${n}`);
    await writeReminder(house, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    await house.start({ limits: { slots: 8, slotsPerWorkspace: 8 } });
    house.clock.advance({ hours: 1 });
    await jobsWhere((all) => all.some((job) => job.status === 'completed'));
    expect(new Set(house.requests.map((request) => request.url)).size).toBe(57);
    expect(house.requests).toHaveLength(57);
  });

  it('does not call a job done while its last recipients wait for their word from the database', async () => {
    const recipients = Array.from({ length: 9 }, (_, n) => `https://hooks.example.com/${n}`);
    await writeReminder(house, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    await house.start({ limits: { slots: 8, slotsPerWorkspace: 8 } });
    house.clock.advance({ hours: 1 });
    const [job] = await jobsWhere((all) => all.some((one) => one.status === 'completed'));
    expect(job?.error_message).toBeNull();
    expect((await house.deliveries(workspace)).map((row) => row.status)).toEqual(recipients.map(() => 'accepted'));
  });

  it('sends a retried job to the recipients that the reminder has now, and to nobody it has lost', async () => {
    house.receiver = () => answerOf(404, 'no such hook');
    const reminder = await writeReminder(house, {
      workspace,
      content: {
        subject: 'Rent',
        message: 'Hi',
        recipients: ['https://hooks.example.com/a', 'https://hooks.example.com/b'],
      },
    });
    await house.start();
    house.clock.advance({ hours: 1 });
    const [failed] = await jobsWhere((all) => all.some((job) => job.status === 'failed'));
    house.receiver = () => answerOf(200);
    const recipients = ['https://hooks.example.com/b', 'https://hooks.example.com/c'];
    await house.inWorkspace(workspace, (ctx) =>
      updateReminder(ctx, { id: reminder.id, input: { ...reminder, content: { ...reminder.content, recipients } } }),
    );
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: failed?.id ?? '', action: 'retry' }));
    await jobsWhere((all) => all.some((job) => job.id === failed?.id && job.status === 'completed'));
    expect((await house.deliveries(workspace)).map((row) => [row.recipient.slice(-1), row.status, row.reason])).toEqual(
      [
        ['a', 'skipped', 'No longer among the recipients'],
        ['b', 'accepted', null],
        ['c', 'accepted', null],
      ],
    );
  });

  it('ends a job whose reminder cannot be read, and sends the others', async () => {
    const broken = await writeReminder(house, { workspace, name: 'Broken' });
    await writeReminder(house, { workspace, name: 'Sound' });
    await breakSchedule(broken.id);
    await house.start();
    house.clock.advance({ hours: 1 });
    const jobs = await jobsWhere((all) => all.some((job) => job.name === 'Sound' && job.status === 'completed'));
    const ended = jobs.find((job) => job.name === 'Broken');
    expect(ended?.status).toBe('cancelled');
    expect(ended?.error_message).toMatch(/^This job cannot be read: /);
  });

  it('retries only the recipients not yet served when a person asks for it', async () => {
    house.receiver = (request) => (request.url.endsWith('/b') ? answerOf(404, 'no such hook') : answerOf(200));
    await writeReminder(house, {
      workspace,
      content: {
        subject: 'Rent',
        message: 'Hi',
        recipients: ['https://hooks.example.com/a', 'https://hooks.example.com/b'],
      },
    });
    await house.start();
    house.clock.advance({ hours: 1 });
    const [failed] = await jobsWhere((all) => all.some((job) => job.status === 'failed'));
    house.receiver = () => answerOf(200);
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: failed?.id ?? '', action: 'retry' }));
    const [done] = await jobsWhere((all) => all.some((job) => job.status === 'completed'));
    expect(done).toMatchObject({ id: failed?.id, attempts: 1, error_message: null });
    expect(house.requests.map((request) => request.url.slice(-1))).toEqual(['a', 'b', 'b']);
  });

  it('takes up the jobs of a worker that stopped, and serves whom it had not served', async () => {
    await writeReminder(house, {
      workspace,
      content: {
        subject: 'Rent',
        message: 'Hi',
        recipients: ['https://hooks.example.com/a', 'https://hooks.example.com/b'],
      },
    });
    await leaveHalfSentJob();
    await house.start({ isAlone: true });
    const ledger = await house.deliveries(workspace);
    expect(ledger).toMatchObject([
      { recipient: 'https://hooks.example.com/a', status: 'accepted' },
      { recipient: 'https://hooks.example.com/b', status: 'waiting', attempts: 1, unknowns: 1 },
    ]);
    house.clock.advance({ seconds: 5 });
    await jobsWhere((all) => all.some((job) => job.status === 'completed'));
    expect(house.requests.map((request) => request.url.slice(-1))).toEqual(['b']);
    const executions = await house.inWorkspace(workspace, ({ db }) =>
      db.selectFrom('job_executions').select(['status', 'error_message']).orderBy('status').execute(),
    );
    expect(executions).toEqual([
      { status: 'completed', error_message: null },
      { status: 'failed', error_message: 'The worker stopped during this run' },
    ]);
  });

  it('leaves the jobs of a worker that may still live until its lease has run out', async () => {
    await writeReminder(house, { workspace });
    await leaveHalfSentJob();
    await house.start();
    expect((await house.jobs(workspace))[0]?.status).toBe('running');
    house.clock.advance({ seconds: 89 });
    await house.clock.untilAsleep(4);
    expect((await house.jobs(workspace))[0]?.status).toBe('running');
    house.clock.advance({ seconds: 16 });
    await jobsWhere((all) => all[0]?.status === 'pending');
    house.clock.advance({ seconds: 5 });
    await jobsWhere((all) => all.some((job) => job.status === 'completed'));
    expect(house.requests).toHaveLength(1);
  });

  it('sends the newest missed occurrence after downtime and records the older one as missed', async () => {
    await writeReminder(house, { workspace });
    house.clock.advance({ hours: 24 * 3 + 2 });
    await house.start();
    const jobs = await jobsWhere((all) => all.some((job) => job.status === 'completed'));
    expect(jobs.map((job) => [job.status, job.scheduled_for.slice(0, 10)])).toEqual([
      ['cancelled', '2026-03-02'],
      ['completed', '2026-03-05'],
      ['pending', '2026-03-06'],
    ]);
    expect(jobs[0]?.error_message).toBe('Missed: it was due at 2026-03-02T09:00:00.000Z and could not be sent in time');
    expect(house.requests).toHaveLength(1);
  });

  it('sends a test now, to its recipients only, whatever the reminder says', async () => {
    const reminder = await writeReminder(house, { workspace, status: 'draft' });
    await house.start();
    await house.inWorkspace(workspace, (ctx) =>
      testReminder(ctx, {
        id: reminder.id,
        test: { recipients: ['https://hooks.example.com/me'], subject: 'Try', message: 'Does it work?' },
      }),
    );
    const [job] = await jobsWhere((all) => all.some((one) => one.status === 'completed'));
    expect(job).toMatchObject({ type: 'test_reminder', name: 'Test: Rent is due', reminder_id: reminder.id });
    expect(bodies()).toMatchObject([
      { recipient: 'https://hooks.example.com/me', message: 'Does it work?', is_test: true },
    ]);
  });

  it('keeps the record of a deleted reminder and sends nothing more of it', async () => {
    const reminder = await writeReminder(house, { workspace });
    await house.start();
    house.clock.advance({ hours: 1 });
    await jobsWhere((all) => all.some((job) => job.status === 'completed'));
    await house.inWorkspace(workspace, (ctx) => deleteReminder(ctx, reminder.id));
    expect((await house.jobs(workspace)).map((job) => [job.status, job.reminder_id])).toEqual([['completed', null]]);
    expect(await house.deliveries(workspace)).toHaveLength(1);
  });

  it('makes the next occurrence of one that was paused when its time passed', async () => {
    await writeReminder(house, { workspace });
    await house.start();
    const [job] = await house.jobs(workspace);
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'pause' }));
    house.clock.advance({ hours: 2 });
    const jobs = await house.until(
      () => house.jobs(workspace),
      (all) => all.length === 2,
    );
    expect(jobs.map((one) => [one.status, one.scheduled_for])).toEqual([
      ['paused', '2026-03-02T09:00:00.000Z'],
      ['pending', '2026-03-03T09:00:00.000Z'],
    ]);
  });

  it('lets a flood of one workspace pass without holding up another', async () => {
    const other = await house.createWorkspace('Quiet');
    for (let n = 0; n < 40; n += 1) await writeReminder(house, { workspace, name: `Flood ${n}` });
    await writeReminder(house, {
      workspace: other,
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T09:00:01', timezone: 'UTC' },
      content: { subject: 'Quiet', message: 'Hi', recipients: ['https://hooks.example.com/quiet'] },
    });
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    house.receiver = async (request) => {
      if (!request.url.endsWith('quiet')) await held;
      return answerOf(200);
    };
    house.clock.advance({ hours: 1, seconds: 1 });
    await house.start({ limits: { slots: 16, slotsPerWorkspace: 8 } });
    const jobs = await house.until(
      () => house.jobs(other),
      (all) => all.some((job) => job.status === 'completed'),
    );
    expect(jobs).toHaveLength(1);
    release();
    await jobsWhere((all) => all.filter((job) => job.status === 'completed').length === 40);
  });

  /** As a version with a fault, or a hand in the database, might leave it. */
  async function breakSchedule(id: string): Promise<void> {
    await house.inWorkspace(workspace, ({ db }) =>
      db
        .updateTable('reminders')
        .set({
          schedule_config: JSON.stringify({
            type: 'scheduled',
            scheduleType: 'daily',
            startDate: '2026-13-45T09:00:00',
            timezone: 'Nowhere/Land',
          }),
        })
        .where('id', '=', id)
        .execute(),
    );
  }

  /** What a killed process leaves: a claimed job, one recipient served, the other's attempt without an outcome. */
  async function leaveHalfSentJob(): Promise<void> {
    house.clock.advance({ hours: 1 });
    const now = house.clock.now();
    await house.database.engine.query(
      `with left_queue as (
         delete from queue returning job_id
       ), claimed as (
         update jobs j set status = 'running', attempts = 1, claim_id = uuidv7(), started_at = $1
           from left_queue l where j.id = l.job_id
         returning j.*
       ), targets as (
         select c.id as job_id, c.workspace_id, c.scheduled_for, uuidv7() as id, list.r, list.n
           from claimed c join reminders m on m.id = c.reminder_id,
                lateral (select value as r, count(*) over () as n from json_array_elements_text(m.content -> 'recipients')) list
       ), served as (
         insert into deliveries (id, workspace_id, job_id, scheduled_for, channel, recipient, status, attempts)
         select id, workspace_id, job_id, scheduled_for, 'webhook', r, 'accepted', 1 from targets where r like '%/a' and n > 1
       )
       insert into claims (id, worker, lease_until, job_ids, begun)
       select c.claim_id, 'gone', $2, array[c.id],
              (select json_agg(json_build_array(t.id, t.job_id, 'webhook', t.r, null)) from targets t)
         from claimed c`,
      [now.toString(), now.add({ seconds: 90 }).toString()],
    );
  }
});
