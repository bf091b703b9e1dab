import { statfs } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SystemState } from '#contract/admin-system.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('the System and Analytics tabs of the admin console', () => {
  let cuebird: TestCuebird;
  let ann: TestPerson;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { DATA_DIR: '.' } });
    ann = await cuebird.signUp('Ann');
    await cuebird.owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
  });
  afterAll(() => cuebird.stop());

  const system = async (): Promise<SystemState> => (await ann.call('GET', '/api/admin/system')).json;
  const analytics = async (days = '30') => (await ann.call('GET', `/api/admin/analytics?days=${days}`)).json;
  const one = async (sql: string) => (await cuebird.owner.query(sql)).rows[0];
  /** The beginning of a minute so many minutes ago. */
  const minute = (ago: number) => new Date(Math.floor(Date.now() / 60_000 - ago) * 60_000).toISOString();
  const insertMinute = (ago: number, kind: string, counts: number[]) =>
    cuebird.owner.query('insert into minute_figures values ($1, $2, $3)', [minute(ago), kind, counts]);

  it('are for administrators of the installation', async () => {
    const dana = await cuebird.signUp('Dana');
    for (const path of ['/api/admin/system', '/api/admin/analytics'])
      expect((await dana.call('GET', path)).status, path).toBe(403);
  });

  it('tell of database, disk, queue and processes what these say', async () => {
    const found = await system();
    const { size, connections, most } = await one(
      `select pg_database_size(current_database())::float8 as size, current_setting('max_connections')::int as most,
              (select count(*)::int from pg_stat_activity where datname = current_database()) as connections`,
    );
    expect(Math.abs(found.database.size_bytes - size)).toBeLessThan(0.05 * size);
    expect(Math.abs(found.database.connections - connections)).toBeLessThanOrEqual(2);
    expect(found.database.max_connections).toBe(most);
    const { blocks, bsize, bavail } = await statfs('.');
    expect(found.disk?.size_bytes).toBe(blocks * bsize);
    expect(Math.abs((found.disk?.free_bytes ?? 0) - bavail * bsize)).toBeLessThan(1e9);
    expect(found.processes).toEqual([
      expect.objectContaining({ role: 'all', state: 'running', pid: process.pid, version: expect.any(String) }),
    ]);
    expect(Math.abs((found.processes[0]?.memory_bytes ?? 0) - process.memoryUsage().rss)).toBeLessThan(5e8);
    expect(found.queue).toEqual({ due: 0, oldest_due: null, running: 0 });
    expect(found.alerts).toEqual([]);
  });

  it('give percentiles of the last quarter of an hour and of the last hour', async () => {
    await cuebird.owner.query("delete from minute_figures where kind = 'lateness'");
    // Up to 0.05 s, 0.1 s, 0.25 s …
    await insertMinute(5, 'lateness', [90, 10]);
    await insertMinute(40, 'lateness', [0, 0, 100]);
    await insertMinute(70, 'lateness', [0, 0, 0, 0, 0, 0, 0, 0, 0, 1000]);
    const { lateness } = await system();
    expect(lateness.quarter_hour).toEqual({
      count: 100,
      median: expect.closeTo((0.05 * 50) / 90),
      p95: expect.closeTo(0.075),
      p99: expect.closeTo(0.095),
    });
    expect(lateness.hour).toEqual({
      count: 200,
      median: expect.closeTo(0.1),
      p95: expect.closeTo(0.235),
      p99: expect.closeTo(0.247),
    });
  });

  it('measure the requests that are made', async () => {
    const before = (await system()).responses.hour?.count ?? 0;
    for (let i = 0; i < 5; i += 1) await ann.call('GET', '/api/workspaces');
    // The five, and the one before them, which was answered after it had read the figures.
    expect((await system()).responses.hour?.count).toBe(before + 6);
  });

  it('show each of the last sixty minutes', async () => {
    await insertMinute(3, 'deliveries', [7, 2]);
    await insertMinute(61, 'deliveries', [50]);
    const { minutes } = await system();
    expect(minutes).toHaveLength(60);
    const busy = minutes.filter(({ sent, failed }) => sent + failed > 0);
    expect(busy).toEqual([{ minute: minute(3), sent: 7, failed: 2 }]);
  });

  it('count what was delivered and who was new by day and channel', async () => {
    await cuebird.owner.query(
      `insert into delivery_days (day, channel, outcome, count)
       select (now() at time zone 'UTC')::date - n, channel, outcome, count
         from (values (0, 'email', 'accepted', 997), (0, 'email', 'failed', 2), (0, 'email', 'unknown', 1), (0, 'email', 'skipped', 50),
                      (6, 'sms', 'accepted', 10), (7, 'sms', 'failed', 100)) v (n, channel, outcome, count)`,
    );
    await cuebird.owner.query(
      `insert into profiles (email, full_name, created_at) select n || '@example.org', 'Person', now() - n * interval '1 day' from generate_series(1, 40) n`,
    );
    await cuebird.owner.query(
      `insert into workspaces (name, slug, created_at) select 'Office', 'office-' || n, now() - n * interval '1 day' from generate_series(1, 40) n`,
    );
    const week = await analytics('7');
    const { users, workspaces } = await one(
      `select (select count(*)::int from profiles where created_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '6 days') as users,
              (select count(*)::int from workspaces where created_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '6 days') as workspaces`,
    );
    expect(week).toMatchObject({
      new_users: users,
      new_workspaces: workspaces,
      sent: 1007,
      failed: 3,
      success_rate: 99.7,
    });
    expect(week.growth).toHaveLength(7);
    expect(week.channels).toEqual([
      { channel: 'email', sent: 997, failed: 3, success_rate: 99.7 },
      { channel: 'sms', sent: 10, failed: 0, success_rate: 100 },
    ]);
    expect((await analytics('30')).failed).toBe(103);
    expect((await ann.call('GET', '/api/admin/analytics?days=8')).status).toBe(400);
  });

  it('say within seconds that the database does not answer', async () => {
    await cuebird.owner.query('begin; lock table processes in access exclusive mode');
    const began = performance.now();
    const { status, headers, json } = await ann.call('GET', '/api/admin/system');
    await cuebird.owner.query('rollback');
    // Not much longer than these 5 seconds, on a machine that does other things as well.
    expect(performance.now() - began).toBeLessThan(20_000);
    expect([status, headers.get('retry-after'), json.error.message]).toEqual([
      503,
      '15',
      'The database has not answered within 5 seconds.',
    ]);
    await expect.poll(async () => (await ann.call('GET', '/api/admin/system')).status).toBe(200);
  });

  it('leave out what waits in workspaces that are suspended or being deleted', async () => {
    const waits = await ann.createWorkspace('Waits');
    await cuebird.owner.query('update workspaces set suspended_at = now() where id = $1', [waits]);
    await cuebird.owner.query(
      "insert into queue (job_id, workspace_id, run_at) values (uuidv7(), $1, now() - interval '1 hour')",
      [waits],
    );
    expect((await system()).queue).toMatchObject({ due: 0, oldest_due: null });
    await cuebird.owner.query(
      "update workspaces set suspended_at = null, delete_after = now() + interval '7 days' where id = $1",
      [waits],
    );
    expect((await system()).queue).toMatchObject({ due: 0, oldest_due: null });
    await cuebird.owner.query('delete from queue');
  });
});
