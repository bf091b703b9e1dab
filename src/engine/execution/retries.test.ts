import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { updateReminder } from '#features/reminders/reminders.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf } from '#testing/receiver.ts';

describe('retries', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  it('tries a temporary failure again under the same webhook-id, and only the recipient that failed', async () => {
    fixture.receiver = (request) =>
      request.url.endsWith('/b') && fixture.requests.filter((one) => one.url === request.url).length === 1
        ? answerOf(503, 'upstream down')
        : answerOf(200);
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
    const [waiting] = await fixture.jobsWhere(workspace, (all) =>
      all.some((job) => job.attempts === 1 && job.status === 'pending'),
    );
    expect(waiting).toMatchObject({
      run_at: '2026-03-02T09:00:05.000Z',
      error_message: 'Will be tried again: HTTP 503',
    });
    fixture.clock.advance({ seconds: 5 });
    const [done] = await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(done?.attempts).toBe(2);
    expect(fixture.requests.map((request) => request.url.slice(-1))).toEqual(['a', 'b', 'b']);
    const ids = fixture.requests.map(
      (request) => request.headers[request.headers.findIndex((name) => name.toLowerCase() === 'webhook-id') + 1],
    );
    expect(ids[1]).toBe(ids[2]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it("ends a permanent refusal at once, with the provider's words", async () => {
    fixture.receiver = () => answerOf(410, 'gone for good');
    await writeReminder(fixture, { workspace });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    const [job] = await fixture.jobsWhere(workspace, (all) => all.some((one) => one.status === 'failed'));
    expect(job?.error_message).toBe('1 of 1 failed: HTTP 410');
    expect(await fixture.deliveries(workspace)).toMatchObject([{ provider_answer: 'HTTP 410: gone for good' }]);
    expect(fixture.requests).toHaveLength(1);
  });

  it('gives up before the next occurrence is due', async () => {
    fixture.receiver = () => answerOf(503);
    await writeReminder(fixture, {
      workspace,
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'custom',
        customCron: '* * * * *',
        startDate: '2026-03-02T09:00:00',
        timezone: 'UTC',
      },
    });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.attempts === 1 && job.status === 'pending'));
    fixture.clock.advance({ seconds: 5 });
    const jobs = await fixture.jobsWhere(workspace, (all) => all.some((one) => one.status === 'failed'));
    expect(jobs.find((one) => one.status === 'failed')?.error_message).toBe(
      '1 of 1 failed: HTTP 503 (expired before the next attempt)',
    );
  });

  it('ends the retries of an edited reminder and records why', async () => {
    fixture.receiver = () => answerOf(503);
    const reminder = await writeReminder(fixture, { workspace });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.attempts === 1 && job.status === 'pending'));
    await fixture.inWorkspace(workspace, (ctx) => updateReminder(ctx, { id: reminder.id, input: reminder }));
    const [job] = await fixture.jobs(workspace);
    expect(job).toMatchObject({
      status: 'cancelled',
      reason_code: 'reminder_edited',
      error_message: 'The reminder was edited',
    });
    expect(await fixture.deliveries(workspace)).toMatchObject([
      { status: 'skipped', reason: 'The reminder was edited', reason_code: 'reminder_edited', attempts: 1 },
    ]);
  });

  it('sends a retried job to the recipients that the reminder has now, and to none that were removed', async () => {
    fixture.receiver = () => answerOf(404, 'no such hook');
    const reminder = await writeReminder(fixture, {
      workspace,
      content: {
        subject: 'Rent',
        message: 'Hi',
        recipients: ['https://hooks.example.com/a', 'https://hooks.example.com/b'],
      },
    });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    const [failed] = await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'failed'));
    fixture.receiver = () => answerOf(200);
    const recipients = ['https://hooks.example.com/b', 'https://hooks.example.com/c'];
    await fixture.inWorkspace(workspace, (ctx) =>
      updateReminder(ctx, { id: reminder.id, input: { ...reminder, content: { ...reminder.content, recipients } } }),
    );
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: failed?.id ?? '', action: 'retry' }));
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.id === failed?.id && job.status === 'completed'));
    expect(
      (await fixture.deliveries(workspace)).map((row) => [row.recipient.slice(-1), row.status, row.reason]),
    ).toEqual([
      ['a', 'skipped', 'No longer among the recipients'],
      ['b', 'accepted', null],
      ['c', 'accepted', null],
    ]);
  });

  it('retries only the recipients not yet served when a person asks for it', async () => {
    fixture.receiver = (request) => (request.url.endsWith('/b') ? answerOf(404, 'no such hook') : answerOf(200));
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
    const [failed] = await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'failed'));
    fixture.receiver = () => answerOf(200);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: failed?.id ?? '', action: 'retry' }));
    const [done] = await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(done).toMatchObject({ id: failed?.id, attempts: 1, error_message: null });
    expect(fixture.requests.map((request) => request.url.slice(-1))).toEqual(['a', 'b', 'b']);
  });
});
