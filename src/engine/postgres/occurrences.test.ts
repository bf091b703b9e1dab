import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scheduleMissing } from '#engine/maintenance/scheduler.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';
import { forgetPlans, reportPlans, watchScans } from '#testing/watched-plans.ts';

describe('the search for reminders without a next occurrence', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let owner: Client;
  let database: Database;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    owner = await connectOwner(fixture.databaseUrl);
    database = openDatabase(fixture.databaseUrl, { encryptionKey: TEST_ENCRYPTION_KEY });
  });
  afterEach(async () => {
    await database.close();
    await owner.end();
    await fixture.close();
  });

  const find = (after = nilUuid) =>
    createPostgresStore(database.engine).withoutNext({ after, now: fixture.clock.now(), only: 'every' });

  /** Copies of a reminder, each with occurrences that have ended, one a day, and the next one. */
  async function copy(id: string, { count, ended = 0 }: { count: number; ended?: number }) {
    await owner.query(
      `with copied as (
         insert into reminders (workspace_id, name, status, schedule_config, content, metadata)
         select workspace_id, name, status, schedule_config, content, metadata from reminders, generate_series(1, $2::int) where id = $1
         returning *)
       insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at)
       select workspace_id, id, name, 'reminder', case days when 0 then 'pending' else 'completed' end, at, at
         from copied, generate_series(-$3::int, 0) as days,
              lateral (select timestamptz '2026-03-02T09:00:00Z' + days * interval '1 day' as at) as scheduled
        order by days`,
      [id, count, ended],
    );
  }

  it('does not read what has ended', async () => {
    const { id } = await writeReminder(fixture, { workspace });
    await copy(id, { count: 49, ended: 100 });
    await owner.query('vacuum (analyze) reminders, jobs, queue');
    await reportPlans(owner);
    const scans = await watchScans(database)(() => find()).finally(() => forgetPlans(owner));
    const reads = (of: string) =>
      scans.reduce((sum, { table, rows, loops }) => sum + (table === of ? rows * loops : 0), 0);
    expect({ queue: reads('queue'), jobs: reads('jobs') }).toEqual({ queue: 50, jobs: 50 });
  });

  it.each(['pending', 'running', 'paused'])('leaves out one whose next occurrence is %s', async (status) => {
    await writeReminder(fixture, { workspace });
    await owner.query(
      `update jobs set status = $1, claim_id = case $1 when 'running' then uuidv7() end, paused_at = case $1 when 'paused' then now() end`,
      [status],
    );
    expect((await find()).reminders).toEqual([]);
  });

  it('leaves out one whose occurrence waits for a retry', async () => {
    await writeReminder(fixture, { workspace });
    await owner.query('update jobs set attempts = 1');
    await owner.query('update queue set reminder_id = null');
    expect((await find()).reminders).toEqual([]);
  });

  it('does not take a test for the next occurrence', async () => {
    const { id } = await writeReminder(fixture, { workspace });
    await owner.query('delete from jobs');
    await owner.query(
      `insert into jobs (workspace_id, reminder_id, name, type, scheduled_for, run_at)
       select workspace_id, id, name, 'test_reminder', now(), now() from reminders`,
    );
    expect((await find()).reminders.map((reminder) => reminder.id)).toEqual([id]);
  });

  it('finds what lost its next one while it was paused, a part at a time', async () => {
    const { id } = await writeReminder(fixture, { workspace });
    await copy(id, { count: 599 });
    await owner.query("update jobs set status = 'paused', paused_at = now(), scheduled_for = '2026-03-02T07:00:00Z'");
    const store = createPostgresStore(database.engine);
    const now = fixture.clock.now();
    const first = await store.withoutNext({ after: nilUuid, now, only: 'paused' });
    const second = await store.withoutNext({ after: first.last ?? '', now, only: 'paused' });
    expect([first, second].map(({ reminders, last }) => [reminders.length, last === null])).toEqual([
      [500, false],
      [100, true],
    ]);
    expect(new Set([...first.reminders, ...second.reminders].map((reminder) => reminder.id)).size).toBe(600);
  });

  it('goes on from slice to slice until every reminder has been looked at', async () => {
    const { id } = await writeReminder(fixture, { workspace });
    await copy(id, { count: 1_249 });
    const { rows } = await owner.query<{ id: string }>('select id from reminders order by id');
    const lost = [0, 499, 500, 1_249].map((at) => rows[at]?.id ?? '');
    await owner.query('delete from jobs where reminder_id = any ($1)', [lost]);

    const lasts: (string | null)[] = [];
    for (let last: string | null = nilUuid; last !== null; lasts.push(last)) ({ last } = await find(last));
    expect(lasts).toEqual([rows[499]?.id, rows[999]?.id, null]);

    const store = createPostgresStore(database.engine);
    await scheduleMissing({ store, clock: fixture.clock, log: createLog('silent'), onScheduled: () => {} }, 'every');
    const { rows: scheduled } = await owner.query<{ reminder_id: string; count: string }>(
      "select reminder_id, count(*) from jobs where status = 'pending' group by reminder_id order by reminder_id",
    );
    expect(scheduled.map(({ reminder_id }) => reminder_id)).toEqual(rows.map((row) => row.id));
    expect(scheduled.filter(({ count }) => count !== '1')).toEqual([]);
  });
});
