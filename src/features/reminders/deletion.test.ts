import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sweepOnce } from '#engine/archiver.ts';
import { takeEvent } from '#features/events/events.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { deleteReminder, restoreReminder } from '#features/reminders/deletion.service.ts';
import { getReminder } from '#features/reminders/reminders.service.ts';
import { createLog } from '#platform/log.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';
import { answerOf, holdAnswers } from '#testing/receiver.ts';

describe('a reminder that was deleted', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  let owner: Client;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    owner = await connectOwner(house.databaseUrl);
    workspace = await house.createWorkspace();
  });
  afterEach(async () => {
    await owner.end();
    await house.close();
  });

  const remove = (id: string) => house.inWorkspace(workspace, (ctx) => deleteReminder(ctx, id));
  const restore = (id: string) => house.inWorkspace(workspace, (ctx) => restoreReminder(ctx, id));
  const jobs = async () =>
    (await house.jobs(workspace)).map(({ status, scheduled_for: at }) => `${at.slice(8, 16)} ${status}`);

  it('sends nothing until it is restored, and then what came due meanwhile', async () => {
    const { id } = await writeReminder(house, { workspace });
    await house.start();
    await remove(id);
    expect(await jobs()).toEqual([]);
    house.clock.advance({ hours: 1, minutes: 5 });
    await house.clock.untilAsleep(4);
    expect(house.requests).toEqual([]);
    await restore(id);
    await house.jobsWhere(workspace, ([job]) => job?.status === 'completed');
    expect(house.messages()).toMatchObject([{ scheduled_for: '2026-03-02T09:00:00.000Z' }]);
    expect(await jobs()).toEqual(['02T09:00 completed', '03T09:00 pending']);
  });

  it('has the next occurrence again that it had, also one that a person holds back', async () => {
    const { id } = await writeReminder(house, { workspace });
    const [job] = await house.jobs(workspace);
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'pause' }));
    const before = await house.jobs(workspace);
    await remove(id);
    await restore(id);
    expect(await house.jobs(workspace)).toEqual(before);
    expect(before).toMatchObject([{ status: 'paused' }]);
  });

  it('stays what it was: a draft a draft, a paused one paused', async () => {
    for (const status of ['draft', 'paused'] as const) {
      const { id } = await writeReminder(house, { workspace, status });
      await remove(id);
      await restore(id);
      expect(await house.inWorkspace(workspace, (ctx) => getReminder(ctx, id))).toMatchObject({ status });
    }
    expect(await jobs()).toEqual([]);
  });

  it('sends nothing twice when it is restored', async () => {
    const schedule_config = {
      type: 'scheduled',
      scheduleType: 'once',
      startDate: '2026-03-02T09:00:00',
      timezone: 'UTC',
    };
    const { id } = await writeReminder(house, { workspace, schedule_config });
    await house.start();
    house.clock.advance({ hours: 1 });
    await house.jobsWhere(workspace, ([job]) => job?.status === 'completed');
    await remove(id);
    await restore(id);
    await house.clock.untilAsleep(4);
    expect(await jobs()).toEqual(['02T09:00 completed']);
    expect(house.requests).toHaveLength(1);
  });

  it('finishes what is in flight and begins nothing else, and goes on where it was restored', async () => {
    const held = holdAnswers();
    house.receiver = held;
    const { id } = await writeReminder(house, { workspace });
    await house.start();
    house.clock.advance({ hours: 1 });
    await held.arrived(1);
    await remove(id);
    held.release();
    await house.jobsWhere(workspace, ([job]) => job?.status === 'completed');
    expect(await jobs()).toEqual(['02T09:00 completed']);
    await restore(id);
    expect(await jobs()).toEqual(['02T09:00 completed', '03T09:00 pending']);
  });

  it('loses no event that waits: it is sent after the reminder is restored', async () => {
    const schedule_config = {
      type: 'event-based',
      eventTrigger: 'trial_ending',
      delayAmount: 10,
      delayUnit: 'minutes',
      timezone: 'UTC',
    };
    const { id } = await writeReminder(house, { workspace, schedule_config });
    const send = (key: string) =>
      house.inWorkspace(workspace, (ctx) =>
        takeEvent(ctx, { event: 'trial_ending', key, reminderId: null, variables: {}, occurredAt: null }),
      );
    await send('k-1');
    await house.start();
    await remove(id);
    expect(await jobs()).toEqual([]);
    // Nobody waits for this one.
    expect((await send('k-2')).event.jobs).toEqual([]);
    await restore(id);
    house.clock.advance({ minutes: 10 });
    await house.jobsWhere(workspace, ([job]) => job?.status === 'completed');
    expect(house.requests).toHaveLength(1);
  });

  it('is told as deleted where a person retries what it had sent', async () => {
    house.receiver = () => answerOf(404);
    const { id } = await writeReminder(house, { workspace });
    await house.start();
    house.clock.advance({ hours: 1 });
    const [failed] = await house.jobsWhere(workspace, ([job]) => job?.status === 'failed');
    await remove(id);
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: failed?.id ?? '', action: 'retry' }));
    const [ended] = await house.jobsWhere(workspace, ([job]) => job?.status === 'cancelled');
    expect(ended?.error_message).toBe('The reminder was deleted');
    expect(house.requests).toHaveLength(1);
  });

  it('is planned by nobody else meanwhile', async () => {
    const { id } = await writeReminder(house, { workspace });
    await remove(id);
    // A worker that starts looks for reminders without a next occurrence.
    await house.start();
    expect(await jobs()).toEqual([]);
  });

  it('is let go of after a day, and its record stays', async () => {
    const { id } = await writeReminder(house, { workspace });
    await remove(id);
    const deps = {
      pool: house.database.engine,
      clock: house.clock,
      log: createLog('silent'),
      isHeld: async () => false,
    };
    const sweep = () => sweepOnce(deps, new AbortController().signal);
    house.clock.advance({ hours: 23 });
    expect(await sweep()).toMatchObject({ forgotten: 0 });
    house.clock.advance({ hours: 2 });
    expect(await sweep()).toMatchObject({ forgotten: 1 });
    expect((await owner.query('select from reminders')).rowCount).toBe(0);
    await expect(restore(id)).rejects.toThrow('There is no such deleted reminder');
    const { rows } = await owner.query('select action from audit_log where target = $1', [id]);
    expect(rows).toEqual([{ action: 'reminder.deleted' }]);
  });

  it('cannot be restored twice, nor where it was never deleted', async () => {
    const { id } = await writeReminder(house, { workspace });
    await expect(restore(id)).rejects.toThrow('There is no such deleted reminder');
    await remove(id);
    await restore(id);
    await expect(restore(id)).rejects.toThrow('There is no such deleted reminder');
    expect(await jobs()).toEqual(['02T09:00 pending']);
  });
});
