import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testReminder } from '#features/reminders/reminders.service.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf, holdAnswers } from '#testing/receiver.ts';

describe('a delivery', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
  });
  afterEach(() => house.close());

  it('sends at the time, not before, and plans the day after in the same breath', async () => {
    await writeReminder(house, { workspace });
    await house.start();
    house.clock.advance({ minutes: 59 });
    expect(house.requests).toHaveLength(0);
    house.clock.advance({ minutes: 1 });
    const jobs = await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(jobs.map((job) => [job.status, job.scheduled_for, job.attempts])).toEqual([
      ['completed', '2026-03-02T09:00:00.000Z', 1],
      ['pending', '2026-03-03T09:00:00.000Z', 0],
    ]);
    expect(house.messages()).toMatchObject([
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
    const [job] = await house.jobsWhere(workspace, (all) => all.some((one) => one.status === 'completed'));
    expect(job?.error_message).toBe('1 of 3 skipped: A phone number fits none of the chosen channels (webhook)');
    expect(
      (await house.deliveries(workspace)).map((row) => [row.recipient, row.status, row.attempts, row.provider_answer]),
    ).toEqual([
      ['+49301234567', 'skipped', 0, null],
      ['https://hooks.example.com/a', 'accepted', 1, 'HTTP 200: thanks'],
      ['https://hooks.example.com/b', 'accepted', 1, 'HTTP 200: thanks'],
    ]);
    expect(await house.executions(workspace)).toMatchObject([
      { job_id: job?.id, status: 'completed', logs: { attempt: 1, attempted: 2, accepted: 2, skipped: 1 } },
    ]);
  });

  it('fails a message whose variable has no value instead of sending a blank', async () => {
    await writeReminder(house, {
      workspace,
      content: { subject: 'Rent', message: 'You owe {{amount}}', recipients: ['https://hooks.example.com/a'] },
    });
    await house.start();
    house.clock.advance({ hours: 1 });
    const [job] = await house.jobsWhere(workspace, (all) => all.some((one) => one.status === 'failed'));
    expect(job?.error_message).toBe('1 of 1 failed: missing variable amount');
    expect(house.requests).toHaveLength(0);
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
    await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'failed'));
    expect((await house.deliveries(workspace)).map((row) => [row.status, row.reason ?? row.provider_answer])).toEqual([
      ['failed', 'HTTP 400'],
      ['accepted', 'HTTP 200: nope'],
    ]);
  });

  it('serves more recipients than it has slots for', async () => {
    const recipients = Array.from({ length: 57 }, (_, n) => `https://hooks.example.com/${n}`);
    await writeReminder(house, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    await house.start({ limits: { slots: 8, slotsPerWorkspace: 8 } });
    house.clock.advance({ hours: 1 });
    await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(new Set(house.requests.map((request) => request.url)).size).toBe(57);
    expect(house.requests).toHaveLength(57);
  });

  it('begins with all its recipients at once where there is room, also when it goes on after a stop', async () => {
    const recipients = Array.from({ length: 700 }, (_, n) => `https://hooks.example.com/${n}`);
    await writeReminder(house, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    const held = holdAnswers(() => answerOf(503));
    house.receiver = held;
    const worker = await house.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
    house.clock.advance({ hours: 1 });
    await held.arrived(4);
    const stopped = worker.stop(10_000);
    held.release();
    await house.jobsWhere(workspace, ([job]) => job?.status === 'pending');
    house.clock.advance({ milliseconds: 20 });
    await stopped;
    const again = holdAnswers();
    house.receiver = again;
    await house.start({ limits: { slots: 1_000, slotsPerWorkspace: 1_000, perDestination: 1_000 } });
    // Nobody has answered, and no time has passed.
    await again.arrived(696);
    again.release();
    await house.until(
      () => house.deliveries(workspace),
      (rows) => rows.filter((row) => row.status === 'accepted').length === 696,
    );
  });

  it('does not call a job done while its last recipients wait for their word from the database', async () => {
    const recipients = Array.from({ length: 9 }, (_, n) => `https://hooks.example.com/${n}`);
    await writeReminder(house, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    await house.start({ limits: { slots: 8, slotsPerWorkspace: 8 } });
    house.clock.advance({ hours: 1 });
    const [job] = await house.jobsWhere(workspace, (all) => all.some((one) => one.status === 'completed'));
    expect(job?.error_message).toBeNull();
    expect((await house.deliveries(workspace)).map((row) => row.status)).toEqual(recipients.map(() => 'accepted'));
  });

  it('ends a job whose reminder cannot be read, and sends the others', async () => {
    const broken = await writeReminder(house, { workspace, name: 'Broken' });
    await writeReminder(house, { workspace, name: 'Sound' });
    await breakSchedule(broken.id);
    await house.start();
    house.clock.advance({ hours: 1 });
    const jobs = await house.jobsWhere(workspace, (all) =>
      all.some((job) => job.name === 'Sound' && job.status === 'completed'),
    );
    const ended = jobs.find((job) => job.name === 'Broken');
    expect(ended?.status).toBe('cancelled');
    expect(ended?.error_message).toMatch(/^This job cannot be read: /);
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
    const [job] = await house.jobsWhere(workspace, (all) => all.some((one) => one.status === 'completed'));
    expect(job).toMatchObject({ type: 'test_reminder', name: 'Test: Rent is due', reminder_id: reminder.id });
    expect(house.messages()).toMatchObject([
      { recipient: 'https://hooks.example.com/me', message: 'Does it work?', is_test: true },
    ]);
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
});
