import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Status } from '#contract/status.ts';
import { addMinute, type DayRow, listDays } from '#features/status/health.db.ts';
import { type HealthPorts, readHealth } from '#features/status/health.service.ts';
import { historyOf } from '#features/status/history.ts';
import { createStatus } from '#features/status/status.service.ts';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';
import { createTestDatabase } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { openTables, type Tables } from '#testing/tables.ts';
import { createVirtualClock } from '#testing/virtual-clock.ts';

const instant = (text: string) => Temporal.Instant.from(text);

describe('the status of an installation', () => {
  let tables: Tables;
  let isPaused = false;
  let maintenanceMode = false;
  const now = instant('2026-03-02T08:00:30Z');
  beforeAll(async () => {
    tables = await openTables();
  });
  afterAll(() => tables.close());

  const ports = (): HealthPorts => ({
    pool: tables.database.engine,
    now: () => now,
    dataDir: '.',
    isPaused: async () => isPaused,
    settings: () => ({ maintenanceMode }),
    writeFailure: async () => null,
  });
  const processes = (...roles: string[]) =>
    tables.owner.query(
      `with gone as (delete from processes)
       insert into processes (id, role, version, host, pid, started_at, seen_at, cpu, memory_bytes, event_loop_delay_ms)
       select uuidv7(), role, '1', 'h', 1, $2, $2, 0, 0, 0 from unnest($1::text[]) role`,
      [roles, now.subtract({ seconds: 10 }).toString()],
    );
  const troubles = async () => {
    const { web, deliveries, database } = await readHealth(ports());
    return [web, deliveries, database].map(({ state, trouble }) => (trouble === null ? state : `${state}: ${trouble}`));
  };

  it('is operational while a web server and a worker give signs of life', async () => {
    await processes('all');
    expect(await troubles()).toEqual(['operational', 'operational', 'operational']);
    await processes('web', 'worker');
    expect(await troubles()).toEqual(['operational', 'operational', 'operational']);
  });

  it('names the part that is missing, late, paused or closed', async () => {
    await processes('web');
    expect(await troubles()).toEqual(['operational', 'down: no_worker', 'operational']);
    await processes('worker');
    expect(await troubles()).toEqual(['down: no_web_server', 'operational', 'operational']);
    await processes('all');
    isPaused = true;
    maintenanceMode = true;
    expect(await troubles()).toEqual(['degraded: maintenance', 'degraded: paused', 'operational']);
    isPaused = false;
    maintenanceMode = false;
    // Of a hundred deliveries each began more than a minute late.
    await tables.owner.query("insert into minute_figures values ($1, 'lateness', $2)", [
      now.subtract({ minutes: 2 }).toString(),
      [...Array.from({ length: 10 }, () => 0), 100],
    ]);
    expect(await troubles()).toEqual(['operational', 'degraded: late', 'operational']);
    await tables.owner.query('delete from minute_figures');
  });

  it('counts each minute once, however many processes look', async () => {
    const minute = instant('2026-03-02T08:00:00Z');
    const of = [{ component: 'deliveries' as const, isOperational: true, isDegraded: false }];
    await Promise.all(Array.from({ length: 5 }, () => addMinute(tables.database.engine, { minute, of })));
    await addMinute(tables.database.engine, { minute: minute.add({ minutes: 1 }), of });
    await addMinute(tables.database.engine, { minute, of });
    expect(await listDays(tables.database.engine)).toMatchObject([{ day: '2026-03-02', operational: 2, degraded: 0 }]);
  });

  it('takes minutes that nobody counted for down, and says nothing of the time before the first', () => {
    const row = (day: string, counted: Partial<DayRow>): DayRow => ({
      day,
      component: 'web',
      operational: 1_440,
      degraded: 0,
      first_minute: `${day}T00:00:00Z`,
      last_minute: `${day}T23:59:00Z`,
      ...counted,
    });
    const rows = [
      row('2026-02-26', { operational: 50, degraded: 5, first_minute: '2026-02-26T23:00:00Z' }),
      row('2026-02-28', {}),
      row('2026-03-02', { operational: 470, degraded: 4 }),
    ];
    const { web, database } = historyOf(rows, instant('2026-03-02T08:00:30Z'));
    expect(web).toEqual([
      { day: '2026-02-26', operational: 50, degraded: 5, down: 5 },
      { day: '2026-02-27', operational: 0, degraded: 0, down: 1_440 },
      { day: '2026-02-28', operational: 1_440, degraded: 0, down: 0 },
      { day: '2026-03-01', operational: 0, degraded: 0, down: 1_440 },
      { day: '2026-03-02', operational: 470, degraded: 4, down: 6 },
    ]);
    expect(database).toEqual([]);
    expect(historyOf([row('2025-01-01', {})], instant('2026-03-02T08:00:30Z')).web).toHaveLength(90);
  });

  it('is read once in ten seconds, however many ask, and answers for a database that is silent', async () => {
    const clock = createVirtualClock(now.toString());
    let queries = 0;
    const query = () => {
      queries += 1;
      return new Promise<never>(() => {});
    };
    const silent = createStatus({ ...ports(), pool: { query } as never, clock });
    const answers = Promise.all(Array.from({ length: 100 }, silent));
    clock.advance({ seconds: 3 });
    const [answer] = await answers;
    expect(answer?.is_operational).toBe(false);
    expect(answer?.components.map(({ trouble }) => trouble)).toEqual(['no_database', 'no_database', 'no_database']);
    expect(queries).toBe(1);
  });

  it('says that all works, that the database is stopped, and that all works again, with what was before', async () => {
    await processes('all');
    const of = [{ component: 'deliveries' as const, isOperational: true, isDegraded: false }];
    await addMinute(tables.database.engine, { minute: instant('2026-03-02T08:00:00Z'), of });
    const clock = createVirtualClock(now.toString());
    const status = createStatus({ ...ports(), clock });
    const before = await status();
    expect(before.is_operational).toBe(true);
    const database = await stopDatabase(tables.url);
    expect(await status(), 'for ten seconds').toBe(before);
    clock.advance({ seconds: 10 });
    const away = await status();
    expect(away.is_operational).toBe(false);
    expect(away.components.map(({ component, state, trouble }) => [component, state, trouble])).toEqual([
      ['web', 'down', 'no_database'],
      ['deliveries', 'down', 'no_database'],
      ['database', 'down', 'no_database'],
    ]);
    expect(away.components[1]?.days).toEqual(before.components[1]?.days);
    expect(away.components[1]?.days).toHaveLength(1);
    await database.start();
    clock.advance({ seconds: 10 });
    expect((await status()).is_operational).toBe(true);
  });
});

describe('an installation', () => {
  let cuebird: TestCuebird;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ database: await createTestDatabase() });
  });
  afterAll(() => cuebird.stop());

  it('counts its minutes, and tells strangers that all works', async () => {
    await expect.poll(async () => (await cuebird.owner.query('select from health_days')).rowCount).toBe(3);
    const { is_operational: isOperational, components }: Status = await (
      await fetch(`${cuebird.url}/api/status`)
    ).json();
    expect([isOperational, components.map(({ days }) => days.length)]).toEqual([true, [1, 1, 1]]);
  });

  it('answers what needs its database with 503 while that is stopped, and when to try again', async () => {
    const ann = await cuebird.signUp('Ann');
    const workspace = await ann.createWorkspace('Elm Street');
    const asked = { email: 'kim@example.com', category: 'billing', subject: 'An invoice', message: 'Where?' };
    const requests = [
      () => ann.call('POST', '/api/support-requests', { body: asked }),
      () => ann.call('POST', '/api/templates', { workspace, body: { name: 'Rent' } }),
      () => ann.call('GET', '/api/reminders', { workspace }),
      () => ann.call('POST', '/api/auth/sign-in/email', { body: { email: ann.email, password: 'wrong' } }),
      () => ann.call('GET', '/api/auth/get-session'),
    ];
    const answers = () => Promise.all(requests.map((send) => send()));
    const database = await stopDatabase(cuebird.databaseUrl);
    // The first request finds the connections that were cut.
    for (const time of ['just now', 'for a while'])
      for (const [at, { status: code, headers, json }] of (await answers()).entries())
        expect([code, headers.get('retry-after'), json.error], `request ${at}, stopped ${time}`).toEqual([
          503,
          '15',
          {
            code: 'unavailable',
            message: 'The database cannot be reached at the moment. Try again in a few seconds.',
            request_id: expect.any(String),
          },
        ]);
    await database.start();
    await expect.poll(async () => (await requests[0]!()).status, { timeout: 40_000 }).toBe(201);
  });
});

/** For everybody but the owner. */
async function stopDatabase(url: string) {
  const name = new URL(url).pathname.slice(1);
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const admin = await connectOwner(maintenance.href);
  await admin.query(`alter database ${name} allow_connections false`);
  await admin.query(
    'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1 and usename <> current_user',
    [name],
  );
  return {
    async start() {
      await admin.query(`alter database ${name} allow_connections true`);
      await admin.end();
    },
  };
}
