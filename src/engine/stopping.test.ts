import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteReminder, updateReminder } from '#features/reminders/reminders.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { holdAnswers } from '#testing/receiver.ts';

describe('what may still be sent', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
  });
  afterEach(() => house.close());

  it('starts no further attempt of a running job once its cancel is committed', async () => {
    const held = holdAnswers();
    house.receiver = held;
    const recipients = Array.from({ length: 10 }, (_, n) => `https://hooks.example.com/${n}`);
    await writeReminder(house, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    await house.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
    house.clock.advance({ hours: 1 });
    await held.arrived(4);
    const [job] = await house.jobs(workspace);
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'cancel' }));
    held.release();
    const rows = await house.until(
      () => house.deliveries(workspace),
      (all) => all.every((row) => row.status === 'accepted' || row.status === 'skipped'),
    );
    expect(rows.filter((row) => row.status === 'accepted')).toHaveLength(4);
    expect(rows.filter((row) => row.status === 'skipped')).toHaveLength(6);
    expect(house.requests).toHaveLength(4);
    expect((await house.jobs(workspace))[0]?.status).toBe('cancelled');
  });

  it('does not send an occurrence twice when a reminder is edited after it went out', async () => {
    const reminder = await writeReminder(house, { workspace });
    await house.start();
    house.clock.advance({ hours: 1 });
    await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    const { next_run_at: next } = await house.inWorkspace(workspace, (ctx) =>
      updateReminder(ctx, { id: reminder.id, input: reminder }),
    );
    expect(next).toBe('2026-03-03T09:00:00.000Z');
    expect(house.requests).toHaveLength(1);
  });

  it('keeps the record of a deleted reminder and sends nothing more of it', async () => {
    const reminder = await writeReminder(house, { workspace });
    await house.start();
    house.clock.advance({ hours: 1 });
    await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    await house.inWorkspace(workspace, (ctx) => deleteReminder(ctx, reminder.id));
    expect((await house.jobs(workspace)).map((job) => [job.status, job.reminder_id])).toEqual([['completed', null]]);
    expect(await house.deliveries(workspace)).toHaveLength(1);
  });
});
