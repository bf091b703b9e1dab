import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testReminder } from '#features/reminders/test-send.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { forgetValues } from '#testing/engine-rows.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

describe('a delivery', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  it('sends at the time, not before, and schedules the next day in the same transaction', async () => {
    await writeReminder(fixture, { workspace });
    await fixture.start();
    fixture.clock.advance({ minutes: 59 });
    expect(fixture.requests).toHaveLength(0);
    fixture.clock.advance({ minutes: 1 });
    const jobs = await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(jobs.map((job) => [job.status, job.scheduled_for, job.attempts])).toEqual([
      ['completed', '2026-03-02T09:00:00.000Z', 1],
      ['pending', '2026-03-03T09:00:00.000Z', 0],
    ]);
    expect(fixture.messages()).toMatchObject([
      { recipient: 'https://hooks.example.com/a', message: 'Hello https://hooks.example.com/a', attempt: 1 },
    ]);
  });

  it('writes one ledger row per channel and recipient, and one execution per run', async () => {
    await writeReminder(fixture, {
      workspace,
      content: {
        subject: 'Rent',
        message: 'Hi {{recipient_name}}',
        recipients: ['https://hooks.example.com/a', 'https://hooks.example.com/b', '+49 30 1234567'],
      },
    });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    const [job] = await fixture.jobsWhere(workspace, (all) => all.some((one) => one.status === 'completed'));
    expect(job?.error_message).toBe('1 of 3 skipped: A phone number fits none of the chosen channels (webhook)');
    const codes = (await fixture.deliveries(workspace)).map((row) => row.reason_code);
    expect(codes.filter((code) => code !== null)).toEqual(['unfit_address']);
    expect(
      (await fixture.deliveries(workspace)).map((row) => [
        row.recipient,
        row.status,
        row.attempts,
        row.provider_answer,
      ]),
    ).toEqual([
      ['+49301234567', 'skipped', 0, null],
      ['https://hooks.example.com/a', 'accepted', 1, 'HTTP 200: thanks'],
      ['https://hooks.example.com/b', 'accepted', 1, 'HTTP 200: thanks'],
    ]);
    expect(await fixture.executions(workspace)).toMatchObject([
      { job_id: job?.id, status: 'completed', logs: { attempt: 1, attempted: 2, accepted: 2, skipped: 1 } },
    ]);
  });

  it.each([
    [0, true],
    [90, false],
  ])('keeps a run of one attempt that begins %i seconds late on the row of its job: %s', async (seconds, isOnJob) => {
    await writeReminder(fixture, { workspace });
    const [job] = await fixture.jobs(workspace);
    fixture.clock.advance(Temporal.Instant.from(job!.scheduled_for).since(fixture.clock.now()).add({ seconds }));
    await fixture.start();
    await fixture.jobsWhere(workspace, (all) => all.some(({ status }) => status === 'completed'));
    const runs = await fixture.inWorkspace(workspace, ({ db }) =>
      db.selectFrom('executions').select(['id', 'job_id', 'is_on_job', 'logs']).execute(),
    );
    const late = isOnJob ? {} : { late_seconds: seconds };
    expect(runs).toEqual([
      {
        id: isOnJob ? job!.id : expect.any(String),
        job_id: job!.id,
        is_on_job: isOnJob,
        logs: { attempt: 1, attempted: 1, accepted: 1, ...late },
      },
    ]);
  });

  it('fails a message whose variable has no value instead of sending a blank', async () => {
    await writeReminder(fixture, {
      workspace,
      content: {
        subject: 'Rent',
        message: 'You owe {{amount}}',
        values: { amount: '1' },
        recipients: ['https://hooks.example.com/a'],
      },
    });
    await forgetValues(fixture, workspace);
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    const [job] = await fixture.jobsWhere(workspace, (all) => all.some((one) => one.status === 'failed'));
    expect(job?.error_message).toBe('1 of 1 failed: no value for {{amount}}');
    expect(await fixture.deliveries(workspace)).toMatchObject([{ reason_code: 'missing_value' }]);
    expect(fixture.requests).toHaveLength(0);
  });

  it('records an answer with characters that the database refuses, and the others of its batch', async () => {
    fixture.receiver = (request) => answerOf(request.url.endsWith('/a') ? 400 : 200, 'no\0pe');
    await writeReminder(fixture, {
      workspace,
      content: {
        subject: 'Rent',
        message: 'Hi',
        recipients: ['https://hooks.example.com/a', 'https://hooks.example.com/b'],
      },
    });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'failed'));
    expect((await fixture.deliveries(workspace)).map((row) => [row.status, row.reason ?? row.provider_answer])).toEqual(
      [
        ['failed', 'HTTP 400'],
        ['accepted', 'HTTP 200: nope'],
      ],
    );
  });

  it('serves more recipients than it has slots for', async () => {
    const recipients = Array.from({ length: 57 }, (_, n) => `https://hooks.example.com/${n}`);
    await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    await fixture.start({ limits: { slots: 8, slotsPerWorkspace: 8 } });
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(new Set(fixture.requests.map((request) => request.url)).size).toBe(57);
    expect(fixture.requests).toHaveLength(57);
  });

  it('begins all its recipients at once when slots are free, also when it resumes after a stop', async () => {
    const recipients = Array.from({ length: 700 }, (_, n) => `https://hooks.example.com/${n}`);
    await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    const delayed = delayAnswers(() => answerOf(503));
    fixture.receiver = delayed;
    const worker = await fixture.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(4);
    const stopped = worker.stop(10_000);
    delayed.release();
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'pending');
    fixture.clock.advance({ milliseconds: 20 });
    await stopped;
    const again = delayAnswers();
    fixture.receiver = again;
    await fixture.start({ limits: { slots: 1_000, slotsPerWorkspace: 1_000, perDestination: 1_000 } });
    // No answer has come, and no time has passed.
    await again.arrived(696);
    again.release();
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.filter((row) => row.status === 'accepted').length === 696,
    );
  });

  it('does not end a job while its last recipients wait for the database', async () => {
    const recipients = Array.from({ length: 9 }, (_, n) => `https://hooks.example.com/${n}`);
    await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    await fixture.start({ limits: { slots: 8, slotsPerWorkspace: 8 } });
    fixture.clock.advance({ hours: 1 });
    const [job] = await fixture.jobsWhere(workspace, (all) => all.some((one) => one.status === 'completed'));
    expect(job?.error_message).toBeNull();
    expect((await fixture.deliveries(workspace)).map((row) => row.status)).toEqual(recipients.map(() => 'accepted'));
  });

  it('ends a job whose reminder cannot be read, and sends the others', async () => {
    const broken = await writeReminder(fixture, { workspace, name: 'Broken' });
    await writeReminder(fixture, { workspace, name: 'Sound' });
    await breakSchedule(broken.id);
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    const isOver = (job: { status: string }) => ['completed', 'cancelled'].includes(job.status);
    const jobs = await fixture.jobsWhere(workspace, (all) => all.filter(isOver).length === 2);
    const ended = jobs.find((job) => job.name === 'Broken');
    expect(ended?.status).toBe('cancelled');
    expect(ended?.error_message).toMatch(/^This job cannot be read: /);
  });

  it('sends a test now, to its recipients only, whatever the reminder says', async () => {
    const reminder = await writeReminder(fixture, { workspace, status: 'draft' });
    await fixture.start();
    await fixture.inWorkspace(workspace, (ctx) =>
      testReminder(ctx, {
        id: reminder.id,
        test: { recipients: ['https://hooks.example.com/me'], subject: 'Try', message: 'Does it work?' },
      }),
    );
    const [job] = await fixture.jobsWhere(workspace, (all) => all.some((one) => one.status === 'completed'));
    expect(job).toMatchObject({ type: 'test_reminder', name: 'Test: Rent is due', reminder_id: reminder.id });
    expect(fixture.messages()).toMatchObject([
      { recipient: 'https://hooks.example.com/me', message: 'Does it work?', is_test: true },
    ]);
  });

  /** Leaves the schedule as a faulty version or a manual change might. */
  async function breakSchedule(id: string): Promise<void> {
    await fixture.inWorkspace(workspace, ({ db }) =>
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
});
