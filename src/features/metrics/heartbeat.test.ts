import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exposeMetrics } from '#features/metrics/exposition.service.ts';
import { forgetEnded, startHeartbeat } from '#features/metrics/heartbeat.service.ts';
import { createMetrics, type ProcessRole } from '#features/metrics/metrics.service.ts';
import { listProcesses } from '#features/metrics/processes.service.ts';
import { createLog } from '#platform/log.ts';
import { figureIn, seriesIn } from '#testing/exposition.ts';
import { openTables, type Tables } from '#testing/tables.ts';
import { createVirtualClock, type VirtualClock } from '#testing/virtual-clock.ts';

describe('the signs of life of processes', () => {
  let tables: Tables;
  let clock: VirtualClock;
  beforeAll(async () => {
    tables = await openTables();
  });
  beforeEach(async () => {
    await tables.owner.query('truncate processes, process_figures, minute_figures, delivery_days');
    await tables.owner.query("delete from app_settings where key = 'engine.retired_figures'");
    clock = createVirtualClock('2026-03-02T08:00:00Z');
  });
  afterAll(() => tables.close());

  const pool = () => tables.database.engine;
  const log = createLog('silent');

  /** A process, under its own clock: one whose clock stands still has been killed. */
  async function start(role: ProcessRole, { pid, under = clock }: { pid: number; under?: VirtualClock }) {
    const metrics = createMetrics({ role, thread: 'main', clock: under });
    const process = {
      id: randomUUIDv7(),
      role,
      version: '1.2.3',
      host: 'elm',
      pid,
      startedAt: under.now(),
      connections: 44,
      outbound: 'rules',
    };
    const heartbeat = await startHeartbeat({ pool: pool(), clock: under, log, metrics, process });
    return { ...heartbeat, metrics };
  }
  type Started = Awaited<ReturnType<typeof start>>;

  /** As long as it takes for everybody to have written. */
  async function pass(seconds: number, alive: readonly Started[]): Promise<void> {
    clock.advance({ seconds });
    for (const one of alive) await one.beat();
  }

  const states = async () =>
    Object.fromEntries((await listProcesses(pool(), clock.now())).map(({ pid, state }) => [pid, state]));

  async function sent(by: Started): Promise<number> {
    const text = await exposeMetrics({ pool: pool(), now: clock.now, heartbeat: by });
    return figureIn(text, { name: 'cuebird_deliveries_total' }) ?? 0;
  }

  const deliver = ({ metrics }: Started, times: number) => {
    for (let i = 0; i < times; i += 1)
      metrics.deliveryEnded({ channel: 'sms', status: 'accepted', dueAt: '2026-03-02T08:00:00Z', isTest: false });
  };

  it('show role, version, host and when they were written last', async () => {
    const web = await start('web', { pid: 11 });
    const worker = await start('worker', { pid: 12 });
    await pass(20, [web, worker]);
    expect(await listProcesses(pool(), clock.now())).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          role: 'worker',
          version: '1.2.3',
          host: 'elm',
          pid: 12,
          started_at: '2026-03-02T08:00:00.000Z',
          seen_at: '2026-03-02T08:00:20.000Z',
          state: 'running',
        }),
      ]),
    );
    await web.stop();
    await worker.stop();
    expect(await states()).toEqual({ 11: 'stopped', 12: 'stopped' });
  });

  it('end within a minute when a worker is killed, and its counters stay in the sum', async () => {
    const web = await start('web', { pid: 11 });
    const lost = await start('worker', { pid: 12, under: createVirtualClock('2026-03-02T08:00:00Z') });
    deliver(web, 2);
    deliver(lost, 5);
    await lost.beat();
    expect(await sent(web)).toBe(7);
    await pass(30, [web]);
    expect(await states()).toEqual({ 11: 'running', 12: 'running' });
    await pass(29, [web]);
    expect(await states()).toEqual({ 11: 'running', 12: 'gone' });
    expect(await sent(web)).toBe(7);
    const text = await exposeMetrics({ pool: pool(), now: clock.now, heartbeat: web });
    const memory = seriesIn(text, { name: 'cuebird_process_resident_memory_bytes' });
    expect(memory.map(({ labels }) => labels?.role)).toEqual(['web']);

    await pass(3_600, [web]);
    await forgetEnded({ pool: pool(), now: clock.now() });
    expect(await states()).toEqual({ 11: 'running' });
    expect((await tables.owner.query('select from process_figures')).rowCount).toBe(1);
    deliver(web, 1);
    expect(await sent(web)).toBe(8);

    // It was only cut off, and counts on: nothing of it counts twice.
    deliver(lost, 3);
    await lost.beat();
    const now = await sent(web);
    expect(now).toBe(8);
    deliver(lost, 3);
    await lost.beat();
    expect(await sent(web)).toBe(11);
    await web.stop();
    await lost.stop();
  });

  it('are tried once more after a refused write, however many ask whether they can be written', async () => {
    const web = await start('web', { pid: 11 });
    let taken = 0;
    const count = () => void (taken += 1);
    pool().on('acquire', count);
    web.doubt();
    const answers = await Promise.all(Array.from({ length: 50 }, () => web.failure()));
    expect(new Set(answers)).toEqual(new Set([null]));
    expect(await web.failure()).toBeNull();
    pool().off('acquire', count);
    // One for the figures and one for the space.
    expect(taken).toBe(2);
    await web.stop();
  });

  it('leave no more than two hundred rows, however often a process is started', async () => {
    const web = await start('web', { pid: 11 });
    await tables.owner.query(
      `insert into processes (id, role, version, host, pid, started_at, seen_at, cpu, memory_bytes, event_loop_delay_ms)
       select uuidv7(), 'worker', '1', 'elm', 100 + n, '2026-03-02T07:59:00Z', '2026-03-02T07:59:00Z', 0, 0, 0 from generate_series(1, 1000) n`,
    );
    await tables.owner.query(
      `insert into process_figures (process_id, thread, seen_at, figures)
       select id, 'main', seen_at, (select figures from process_figures limit 1) from processes where host = 'elm' and role = 'worker'`,
    );
    await forgetEnded({ pool: pool(), now: clock.now() });
    for (const table of ['processes', 'process_figures'])
      expect((await tables.owner.query(`select from ${table}`)).rowCount, table).toBe(200);
    expect((await states())[11]).toBe('running');
    await web.stop();
  });

  it('add what each thread counted to the minutes and days of all, each once', async () => {
    const one = await start('worker', { pid: 11 });
    const other = await start('worker', { pid: 12 });
    deliver(one, 2);
    deliver(other, 3);
    // The day is that on which it was due.
    const before = '2026-03-01T23:59:59.000Z';
    other.metrics.deliveryEnded({ channel: 'sms', status: 'failed', dueAt: before, isTest: false });
    other.metrics.deliveryEnded({ channel: 'email', status: 'waiting', dueAt: before, isTest: false });
    // Tests of reminders count in no figure of a minute or a day.
    other.metrics.deliveryEnded({ channel: 'email', status: 'accepted', dueAt: '2026-03-02T08:00:00Z', isTest: true });
    await Promise.all([one.beat(), other.beat()]);
    await Promise.all([one.beat(), other.beat()]);
    const { rows } = await tables.owner.query(
      'select day::text as day, channel, outcome, count::int as count from delivery_days order by channel, outcome',
    );
    expect(rows).toEqual([
      { day: '2026-03-02', channel: 'sms', outcome: 'accepted', count: 5 },
      { day: '2026-03-01', channel: 'sms', outcome: 'failed', count: 1 },
    ]);
    const minutes = await tables.owner.query(
      "select counts::int[] as counts from minute_figures where kind = 'deliveries'",
    );
    expect(minutes.rows).toEqual([{ counts: [5, 1] }]);
    await one.stop();
    await other.stop();
  });

  it('write what could not be written while the database was away', async () => {
    const worker = await start('worker', { pid: 11 });
    deliver(worker, 4);
    await tables.owner.query('alter table delivery_days rename to away');
    await expect(worker.beat()).rejects.toThrow('delivery_days');
    deliver(worker, 1);
    await tables.owner.query('alter table away rename to delivery_days');
    await worker.beat();
    const { rows } = await tables.owner.query('select count::int as count from delivery_days');
    expect(rows).toEqual([{ count: 5 }]);
    await worker.stop();
  });
});
