import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sweepOnce } from '#engine/maintenance/archiver.ts';
import { takeEvent } from '#features/events/events.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { deleteReminder, restoreReminder } from '#features/reminders/deletion.service.ts';
import { getReminder } from '#features/reminders/reminders.service.ts';
import { createLog } from '#platform/log.ts';
import {
  engineSleepers,
  type EngineFixture,
  openEngineFixture,
  type TestWorkspace,
  writeReminder,
} from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

describe('a reminder that was deleted', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let owner: Client;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    owner = await connectOwner(fixture.databaseUrl);
    workspace = await fixture.createWorkspace();
  });
  afterEach(async () => {
    await owner.end();
    await fixture.close();
  });

  const remove = (id: string) => fixture.inWorkspace(workspace, (ctx) => deleteReminder(ctx, id));
  const restore = (id: string) => fixture.inWorkspace(workspace, (ctx) => restoreReminder(ctx, id));
  const jobs = async () =>
    (await fixture.jobs(workspace)).map(({ status, scheduled_for: at }) => `${at.slice(8, 16)} ${status}`);

  it('sends nothing until it is restored, and then the occurrence that became due', async () => {
    const { id } = await writeReminder(fixture, { workspace });
    await fixture.start();
    await remove(id);
    expect(await jobs()).toEqual([]);
    fixture.clock.advance({ hours: 1, minutes: 5 });
    await fixture.clock.untilAsleep(engineSleepers);
    expect(fixture.requests).toEqual([]);
    await restore(id);
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'completed');
    expect(fixture.messages()).toMatchObject([{ scheduled_for: '2026-03-02T09:00:00.000Z' }]);
    expect(await jobs()).toEqual(['02T09:00 completed', '03T09:00 pending']);
  });

  it('has its next occurrence again, even a paused one', async () => {
    const { id } = await writeReminder(fixture, { workspace });
    const [job] = await fixture.jobs(workspace);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'pause' }));
    const before = await fixture.jobs(workspace);
    await remove(id);
    await restore(id);
    expect(await fixture.jobs(workspace)).toEqual(before);
    expect(before).toMatchObject([{ status: 'paused' }]);
  });

  it('keeps its status, draft or paused', async () => {
    for (const status of ['draft', 'paused'] as const) {
      const { id } = await writeReminder(fixture, { workspace, status });
      await remove(id);
      await restore(id);
      expect(await fixture.inWorkspace(workspace, (ctx) => getReminder(ctx, id))).toMatchObject({ status });
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
    const { id } = await writeReminder(fixture, { workspace, schedule_config });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'completed');
    await remove(id);
    await restore(id);
    await fixture.clock.untilAsleep(engineSleepers);
    expect(await jobs()).toEqual(['02T09:00 completed']);
    expect(fixture.requests).toHaveLength(1);
  });

  it('finishes attempts in flight, starts no others, and continues after it is restored', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    const { id } = await writeReminder(fixture, { workspace });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    await remove(id);
    delayed.release();
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'completed');
    expect(await jobs()).toEqual(['02T09:00 completed']);
    await restore(id);
    expect(await jobs()).toEqual(['02T09:00 completed', '03T09:00 pending']);
  });

  it('keeps a waiting event and sends it after the reminder is restored', async () => {
    const schedule_config = {
      type: 'event-based',
      eventTrigger: 'trial_ending',
      delayAmount: 10,
      delayUnit: 'minutes',
      timezone: 'UTC',
    };
    const { id } = await writeReminder(fixture, { workspace, schedule_config });
    const send = (key: string) =>
      fixture.inWorkspace(workspace, (ctx) =>
        takeEvent(ctx, { event: 'trial_ending', key, reminderId: null, variables: {}, occurredAt: null }),
      );
    await send('k-1');
    await fixture.start();
    await remove(id);
    expect(await jobs()).toEqual([]);
    // No reminder waits for this event.
    expect((await send('k-2')).event.jobs).toEqual([]);
    await restore(id);
    fixture.clock.advance({ minutes: 10 });
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'completed');
    expect(fixture.requests).toHaveLength(1);
  });

  it('is the reason that a manual retry of its job ends', async () => {
    fixture.receiver = () => answerOf(404);
    const { id } = await writeReminder(fixture, { workspace });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    const [failed] = await fixture.jobsWhere(workspace, ([job]) => job?.status === 'failed');
    await remove(id);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: failed?.id ?? '', action: 'retry' }));
    const [ended] = await fixture.jobsWhere(workspace, ([job]) => job?.status === 'cancelled');
    expect(ended?.error_message).toBe('The reminder was deleted');
    expect(fixture.requests).toHaveLength(1);
  });

  it('is not scheduled by a starting worker', async () => {
    const { id } = await writeReminder(fixture, { workspace });
    await remove(id);
    // At its start, a worker looks for reminders without a next occurrence.
    await fixture.start();
    expect(await jobs()).toEqual([]);
  });

  it('is removed after a day, and its audit record stays', async () => {
    const { id } = await writeReminder(fixture, { workspace });
    await remove(id);
    const deps = {
      pool: fixture.database.engine,
      clock: fixture.clock,
      log: createLog('silent'),
      isPaused: async () => false,
    };
    const sweep = () => sweepOnce(deps, new AbortController().signal);
    fixture.clock.advance({ hours: 23 });
    expect(await sweep()).toMatchObject({ forgotten: 0 });
    fixture.clock.advance({ hours: 2 });
    expect(await sweep()).toMatchObject({ forgotten: 1 });
    expect((await owner.query('select from reminders')).rowCount).toBe(0);
    await expect(restore(id)).rejects.toThrow('There is no such deleted reminder');
    const { rows } = await owner.query('select action from audit_log where target = $1 order by id', [id]);
    expect(rows).toEqual([{ action: 'reminder.created' }, { action: 'reminder.deleted' }]);
  });

  it('cannot be restored twice, or without a deletion', async () => {
    const { id } = await writeReminder(fixture, { workspace });
    await expect(restore(id)).rejects.toThrow('There is no such deleted reminder');
    await remove(id);
    await restore(id);
    await expect(restore(id)).rejects.toThrow('There is no such deleted reminder');
    expect(await jobs()).toEqual(['02T09:00 pending']);
  });
});
