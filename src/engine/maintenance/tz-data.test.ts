import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recomputeAfterTzChange } from '#engine/maintenance/tz-data.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { setReminderStatus } from '#features/reminders/reminders.service.ts';
import { testReminder } from '#features/reminders/test-send.service.ts';
import { openDatabase } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { openPubSub } from '#platform/pubsub.ts';
import { urlForRole } from '#platform/roles.ts';
import { advisoryLocks } from '#platform/advisory-locks.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';
import { answerOf } from '#testing/receiver.ts';

describe('new timezone data', () => {
  let fixture: EngineFixture;
  let owner: Client;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    owner = await connectOwner(fixture.databaseUrl);
    workspace = await fixture.createWorkspace();
    await recompute('2026a');
  });
  afterEach(async () => {
    await owner.end();
    await fixture.close();
  });

  const recompute = (tzVersion: string, pool = fixture.database.engine) =>
    recomputeAfterTzChange({ pool, clock: fixture.clock, log: createLog('silent'), tzVersion });

  const daily = (changes: object = {}) => ({
    type: 'scheduled',
    scheduleType: 'daily',
    startDate: '2026-03-03T09:00:00',
    timezone: 'Europe/Berlin',
    ...changes,
  });
  const write = (schedule_config: object = daily()) => writeReminder(fixture, { workspace, schedule_config });

  /** Moves the occurrences as if they had been scheduled while their zone was an hour behind. */
  const scheduledLate = (where = 'true') =>
    owner.query(
      `update jobs set scheduled_for = scheduled_for + interval '1 hour', run_at = run_at + interval '1 hour' where ${where}`,
    );
  const times = async () => (await fixture.jobs(workspace)).map((job) => [job.status, job.scheduled_for]);
  const audit = async () => {
    const { rows } = await owner.query(
      "select workspace_id, actor_id, target, details from audit_log where action = 'schedule.tz_data_changed' order by id",
    );
    return rows;
  };
  const act = (id: string | undefined, action: Parameters<typeof actOnJob>[1]['action']) =>
    fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: id ?? '', action }));

  it('moves pending occurrences to their new time, notifies clients, and leaves a row in the audit log', async () => {
    const reminder = await write();
    await scheduledLate();
    const [job] = await fixture.jobs(workspace);
    const pubsub = await openPubSub(
      urlForRole(fixture.databaseUrl, { role: 'engine', encryptionKey: TEST_ENCRYPTION_KEY }),
      createLog('silent'),
    );
    const notified = new Promise<string | null>((resolve) => pubsub.subscribe('cuebird_changes', resolve));
    expect(await recompute('2026b')).toBe(1);
    expect(JSON.parse((await notified) ?? '')).toEqual({
      workspace: workspace.workspaceId,
      tables: expect.arrayContaining(['jobs', 'reminders']),
    });
    await pubsub.close();
    expect(await fixture.jobs(workspace)).toMatchObject([
      {
        id: job?.id,
        status: 'pending',
        scheduled_for: '2026-03-03T08:00:00.000Z',
        run_at: '2026-03-03T08:00:00.000Z',
        attempts: 0,
      },
    ]);
    expect(await audit()).toEqual([
      {
        workspace_id: workspace.workspaceId,
        actor_id: null,
        target: reminder.id,
        details: {
          job_id: job?.id,
          from: '2026-03-03T09:00:00.000Z',
          to: '2026-03-03T08:00:00.000Z',
          tz_from: '2026a',
          tz_to: '2026b',
        },
      },
    ]);
  });

  it('is followed by a delivery at the new time, and not at the old', async () => {
    await write();
    await scheduledLate();
    await recompute('2026b');
    await fixture.start();
    fixture.clock.advance({ hours: 24 });
    const jobs = await fixture.until(
      () => fixture.jobs(workspace),
      (all) => all.some((job) => job.status === 'completed'),
    );
    expect(jobs.map((job) => [job.status, job.scheduled_for])).toEqual([
      ['completed', '2026-03-03T08:00:00.000Z'],
      ['pending', '2026-03-04T08:00:00.000Z'],
    ]);
    expect(fixture.requests).toHaveLength(1);
  });

  it('is applied once: the same version again moves nothing', async () => {
    await write();
    await scheduledLate();
    expect(await recompute('2026a')).toBe(0);
    expect(await times()).toEqual([['pending', '2026-03-03T09:00:00.000Z']]);
    expect(await recompute('2026b')).toBe(1);
    await scheduledLate();
    expect(await recompute('2026b')).toBe(0);
  });

  it('is applied when the old version is not recorded', async () => {
    await write();
    await scheduledLate();
    await owner.query("delete from app_settings where key = 'engine.tz_version'");
    expect(await recompute('2026b')).toBe(1);
    expect((await audit())[0]?.details.tz_from).toBeNull();
  });

  it('leaves alone occurrences that are at their time already', async () => {
    await write();
    await write(daily({ scheduleType: 'custom', customCron: '*/15 * * * *' }));
    const before = await fixture.jobs(workspace);
    expect(await recompute('2026b')).toBe(0);
    expect(await fixture.jobs(workspace)).toEqual(before);
    expect(await audit()).toEqual([]);
  });

  it('moves a paused occurrence, and keeps it paused', async () => {
    await write();
    await act((await fixture.jobs(workspace))[0]?.id, 'pause');
    await scheduledLate();
    expect(await recompute('2026b')).toBe(1);
    expect(await times()).toEqual([['paused', '2026-03-03T08:00:00.000Z']]);
    await act((await fixture.jobs(workspace))[0]?.id, 'resume');
    expect((await fixture.jobs(workspace))[0]?.run_at).toBe('2026-03-03T08:00:00.000Z');
  });

  it('does not bring back an occurrence that a person has cancelled', async () => {
    await write();
    await act((await fixture.jobs(workspace))[0]?.id, 'cancel');
    await scheduledLate();
    expect(await recompute('2026b')).toBe(1);
    expect(await times()).toEqual([
      ['cancelled', '2026-03-03T09:00:00.000Z'],
      ['pending', '2026-03-04T08:00:00.000Z'],
    ]);
  });

  it('leaves alone jobs that were retried, were tried before, have ended, are tests, or belong to a paused reminder', async () => {
    await write();
    await act((await fixture.jobs(workspace))[0]?.id, 'cancel');
    await act((await fixture.jobs(workspace))[0]?.id, 'retry');
    const tried = await write();
    await owner.query('update jobs set attempts = 1, started_at = $2 where reminder_id = $1', [
      tried.id,
      '2026-03-02T07:00:00Z',
    ]);
    const paused = await write();
    await fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id: paused.id, status: 'paused' }));
    const test = { recipients: ['https://hooks.example.com/a'], subject: 'Rent', message: 'Hi' };
    await fixture.inWorkspace(workspace, (ctx) => testReminder(ctx, { id: tried.id, test }));
    const ended = await write();
    await owner.query("update jobs set status = 'completed' where reminder_id = $1", [ended.id]);
    await scheduledLate("type = 'reminder'");
    const before = await fixture.jobs(workspace);
    const nextOccurrence = before.find((job) => job.status === 'pending' && job.scheduled_for.startsWith('2026-03-04'));
    expect(await recompute('2026b')).toBe(1);
    const after = await fixture.jobs(workspace);
    expect(after.filter((job) => job.id !== nextOccurrence?.id)).toEqual(
      before.filter((job) => job.id !== nextOccurrence?.id),
    );
    expect(after.map((job) => job.status).sort()).toEqual([
      'completed',
      'paused',
      'pending',
      'pending',
      'pending',
      'pending',
    ]);
  });

  it('leaves alone running jobs', async () => {
    const recheck = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    fixture.receiver = async () => {
      recheck.resolve();
      await answered.promise;
      return answerOf(200);
    };
    await write();
    await scheduledLate();
    await fixture.start({ tzVersion: '2026a' });
    fixture.clock.advance({ hours: 25 });
    await recheck.promise;
    // Running late, at another hour than its own. What is scheduled after it is right.
    expect(await recompute('2026b')).toBe(0);
    expect(await times()).toEqual([
      ['running', '2026-03-03T09:00:00.000Z'],
      ['pending', '2026-03-04T08:00:00.000Z'],
    ]);
    answered.resolve();
    await fixture.until(
      () => fixture.jobs(workspace),
      (all) => all.some((job) => job.status === 'completed'),
    );
  });

  it('makes no second job for a time that has one: it takes the next free time', async () => {
    const { id } = await write(daily({ scheduleType: 'custom', customCron: '0 9,12 * * *', timezone: 'UTC' }));
    await scheduledLate();
    // 09:00 has been sent, and is the closest.
    await owner.query(
      `insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at, attempts)
       select workspace_id, id, name, 'reminder', 'completed', '2026-03-03T09:00:00Z', '2026-03-03T09:00:00Z', 1
         from reminders where id = $1`,
      [id],
    );
    expect(await recompute('2026b')).toBe(1);
    expect(await times()).toEqual([
      ['completed', '2026-03-03T09:00:00.000Z'],
      ['pending', '2026-03-03T12:00:00.000Z'],
    ]);
  });

  it('is applied once by two workers that start at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, () => write()));
    await scheduledLate();
    const other = openDatabase(fixture.databaseUrl, { encryptionKey: TEST_ENCRYPTION_KEY });
    const moved = await Promise.all([recompute('2026b'), recompute('2026b', other.engine)]);
    await other.close();
    expect(moved.sort((a, b) => a - b)).toEqual([0, 20]);
    expect(await audit()).toHaveLength(20);
    expect(new Set((await times()).map(String))).toEqual(new Set(['pending,2026-03-03T08:00:00.000Z']));
  });

  it('waits longer for another worker than any statement may take', async () => {
    await write();
    await scheduledLate();
    const impatient = openDatabase(`${fixture.databaseUrl}?query_timeout=200`, { encryptionKey: TEST_ENCRYPTION_KEY });
    try {
      await owner.query('select pg_advisory_lock($1)', [advisoryLocks.timeZoneData]);
      const moved = recompute('2026b', impatient.engine);
      const waitsLong = async () => {
        const { rows } = await owner.query(
          `select from pg_stat_activity
            where datname = current_database() and wait_event = 'advisory' and clock_timestamp() - query_start > interval '0.4 s'`,
        );
        return rows.length;
      };
      await expect.poll(waitsLong).toBe(1);
      await owner.query('select pg_advisory_unlock($1)', [advisoryLocks.timeZoneData]);
      expect(await moved).toBe(1);
    } finally {
      await impatient.close();
    }
  });

  it('reaches every one of many reminders, even if one cannot be read', async () => {
    const { id } = await write();
    await owner.query(
      `with copies as (
         insert into reminders (workspace_id, created_by, name, status, schedule_config, content, metadata)
         select workspace_id, created_by, name, status,
                case when n = 700 then '{"type": "scheduled", "scheduleType": "custom", "customCron": "junk", "timezone": "UTC"}'
                     else schedule_config end,
                content, metadata
           from reminders, generate_series(1, 1200) n where id = $1
         returning id, workspace_id
       )
       insert into jobs (workspace_id, reminder_id, name, type, scheduled_for, run_at)
       select workspace_id, id, 'Rent', 'reminder', '2026-03-03T08:00:00Z', '2026-03-03T08:00:00Z' from copies`,
      [id],
    );
    await scheduledLate();
    expect(await recompute('2026b')).toBe(1200);
    expect(await audit()).toHaveLength(1200);
    const { rows } = await owner.query(
      "select count(*)::int as late from jobs where scheduled_for = '2026-03-03T09:00:00Z'",
    );
    expect(rows).toEqual([{ late: 1 }]);
  });

  describe('while somebody acts at the same moment', () => {
    /** Begins a recomputation that has to wait for what `owner` has not committed, and commits when it waits. */
    const recomputeAgainst = async (statement: string, values: unknown[]) => {
      await owner.query('begin');
      await owner.query(statement, values);
      const recomputed = recompute('2026b');
      const watcher = await connectOwner(fixture.databaseUrl);
      for (let isWaiting = false; !isWaiting; ) {
        const { rowCount } = await watcher.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        isWaiting = rowCount === 1;
      }
      await watcher.end();
      await owner.query('commit');
      return recomputed;
    };

    it('a cancelled occurrence stays where it was', async () => {
      const { id } = await write();
      await scheduledLate();
      const moved = await recomputeAgainst("update jobs set status = 'cancelled' where reminder_id = $1", [id]);
      expect(moved).toBe(0);
      expect(await times()).toEqual([['cancelled', '2026-03-03T09:00:00.000Z']]);
      expect(await audit()).toEqual([]);
    });

    it('a time that is taken meanwhile keeps its job', async () => {
      const { id } = await write();
      await scheduledLate();
      const moved = await recomputeAgainst(
        `insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at, attempts)
         select workspace_id, id, name, 'reminder', 'completed', '2026-03-03T08:00:00Z', '2026-03-03T08:00:00Z', 1
           from reminders where id = $1`,
        [id],
      );
      expect(moved).toBe(1);
      expect(await times()).toEqual([
        ['completed', '2026-03-03T08:00:00.000Z'],
        ['pending', '2026-03-04T08:00:00.000Z'],
      ]);
      expect(await audit()).toHaveLength(1);
    });
  });
});
