import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { updateReminder } from '#features/reminders/reminders.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf } from '#testing/receiver.ts';

describe('retries', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
  });
  afterEach(() => house.close());

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
    const [waiting] = await house.jobsWhere(workspace, (all) =>
      all.some((job) => job.attempts === 1 && job.status === 'pending'),
    );
    expect(waiting).toMatchObject({
      run_at: '2026-03-02T09:00:05.000Z',
      error_message: 'Will be tried again: HTTP 503',
    });
    house.clock.advance({ seconds: 5 });
    const [done] = await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
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
    const [job] = await house.jobsWhere(workspace, (all) => all.some((one) => one.status === 'failed'));
    expect(job?.error_message).toBe('1 of 1 failed: HTTP 410');
    expect(await house.deliveries(workspace)).toMatchObject([{ provider_answer: 'HTTP 410: gone for good' }]);
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
    await house.jobsWhere(workspace, (all) => all.some((job) => job.attempts === 1 && job.status === 'pending'));
    house.clock.advance({ seconds: 5 });
    const jobs = await house.jobsWhere(workspace, (all) => all.some((one) => one.status === 'failed'));
    expect(jobs.find((one) => one.status === 'failed')?.error_message).toBe(
      '1 of 1 failed: HTTP 503 (expired before the next attempt)',
    );
  });

  it('ends the retries of an edited reminder and records why', async () => {
    house.receiver = () => answerOf(503);
    const reminder = await writeReminder(house, { workspace });
    await house.start();
    house.clock.advance({ hours: 1 });
    await house.jobsWhere(workspace, (all) => all.some((job) => job.attempts === 1 && job.status === 'pending'));
    await house.inWorkspace(workspace, (ctx) => updateReminder(ctx, { id: reminder.id, input: reminder }));
    const [job] = await house.jobs(workspace);
    expect(job).toMatchObject({ status: 'cancelled', error_message: 'The reminder was edited' });
    expect(await house.deliveries(workspace)).toMatchObject([
      { status: 'skipped', reason: 'The reminder was edited', attempts: 1 },
    ]);
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
    const [failed] = await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'failed'));
    house.receiver = () => answerOf(200);
    const recipients = ['https://hooks.example.com/b', 'https://hooks.example.com/c'];
    await house.inWorkspace(workspace, (ctx) =>
      updateReminder(ctx, { id: reminder.id, input: { ...reminder, content: { ...reminder.content, recipients } } }),
    );
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: failed?.id ?? '', action: 'retry' }));
    await house.jobsWhere(workspace, (all) => all.some((job) => job.id === failed?.id && job.status === 'completed'));
    expect((await house.deliveries(workspace)).map((row) => [row.recipient.slice(-1), row.status, row.reason])).toEqual(
      [
        ['a', 'skipped', 'No longer among the recipients'],
        ['b', 'accepted', null],
        ['c', 'accepted', null],
      ],
    );
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
    const [failed] = await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'failed'));
    house.receiver = () => answerOf(200);
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: failed?.id ?? '', action: 'retry' }));
    const [done] = await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(done).toMatchObject({ id: failed?.id, attempts: 1, error_message: null });
    expect(house.requests.map((request) => request.url.slice(-1))).toEqual(['a', 'b', 'b']);
  });
});
