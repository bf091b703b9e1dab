import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SystemState } from '#contract/admin-system.ts';
import { responseBounds } from '#domain/histogram.ts';
import { signUp, type TestPerson } from '#testing/cuebird.ts';
import { createTestDatabase } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { createInstallation, type CuebirdProcess, type TestInstallation } from '#testing/process.ts';

/** What Linux says of a process: seconds of all its threads on processors, and resident bytes. */
async function usageOf(pid: number) {
  const [stat, status] = await Promise.all(['stat', 'status'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')));
  // proc(5): the name in parentheses is the second field, the ticks of user and system are the 14th and 15th.
  const fields = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ');
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? '')?.[1];
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100, residentBytes: Number(kib) * 1024 };
}

describe('of a real process, the System tab shows', { timeout: 120_000 }, () => {
  let installation: TestInstallation;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let owner: Client;
  let server: CuebirdProcess;
  let ann: TestPerson;
  /** How long the client waited for each request, in seconds: the server cannot have taken longer. */
  const waited: number[] = [];
  /** Of these it is known that the server took at least so long. */
  const slowTimes: number[] = [];

  async function timed<T>(request: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const answer = await request();
    waited.push((performance.now() - begun) / 1_000);
    return answer;
  }
  const get = (path: string) => timed(() => ann.call('GET', path));
  const system = async (): Promise<SystemState> => (await get('/api/admin/system')).json;

  beforeAll(async () => {
    installation = await createInstallation();
    database = await createTestDatabase();
    owner = await connectOwner(database.url);
    server = installation.start({ args: ['--role', 'web'], env: { DATABASE_URL: database.url } });
    const { url } = await server.ready;
    ann = await timed(() => signUp(url, { name: 'Ann', email: 'ann@example.com' }));
    await owner.query('update profiles set is_system_admin = true');
  }, 120_000);
  afterAll(async () => {
    await installation.remove();
    await owner.end();
    await database.drop();
  });

  it('percentiles of its answers between what a stopwatch says they took at least and at most', async () => {
    for (let n = 0; n < 30; n += 1) await get('/api/workspaces');
    // More than a twentieth of all requests wait for a locked table.
    const slow = Math.ceil(waited.length / 10);
    const workspace: string = (await timed(() => ann.call('POST', '/api/workspaces', { body: { name: 'Elm Street' } })))
      .json.id;
    const waiting = async () =>
      (
        await owner.query(
          "select count(*)::int as count from pg_locks where not granted and relation = 'reminders'::regclass",
        )
      ).rows[0].count;
    while (slowTimes.length < slow) {
      await owner.query('begin; lock table reminders in access exclusive mode');
      const many = Math.min(4, slow - slowTimes.length);
      const asked = Array.from({ length: many }, () => timed(() => ann.call('GET', '/api/reminders', { workspace })));
      await expect.poll(waiting, { interval: 20 }).toBe(many);
      const begun = performance.now();
      await owner.query('select pg_sleep(0.6)');
      for (let n = 0; n < many; n += 1) slowTimes.push((performance.now() - begun) / 1_000);
      await owner.query('rollback');
      for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
    }
    const count = waited.length;
    const { hour } = (await system()).responses;
    expect(hour?.count).toBe(count);
    const most = waited.slice(0, count).toSorted((a, b) => a - b);
    const least = [
      ...Array.from({ length: count - slowTimes.length }, () => 0),
      ...slowTimes.toSorted((a, b) => a - b),
    ];
    for (const [share, found] of [
      [0.5, hour?.median],
      [0.95, hour?.p95],
      [0.99, hour?.p99],
    ] as const) {
      const index = Math.ceil(share * count) - 1;
      // What lies between two bounds of the histogram is estimated.
      expect(found, `${share}`).toBeGreaterThanOrEqual(
        responseBounds.findLast((bound) => bound < (least[index] ?? 0)) ?? 0,
      );
      expect(found, `${share}`).toBeLessThanOrEqual(
        responseBounds.find((bound) => bound >= (most[index] ?? 0)) ?? Infinity,
      );
    }
    expect(hour?.p95).toBeGreaterThanOrEqual(0.5);
    expect(hour?.median).toBeLessThan(0.5);
  });

  it('the processors and the memory that Linux says it uses', async () => {
    const lastSign = async () => (await owner.query('select seen_at from processes')).rows[0].seen_at;
    const measure = async () => {
      await system();
      const [signAt, before, begun] = [await lastSign(), await usageOf(server.pid), performance.now()];
      while (performance.now() - begun < 2_000) await get('/api/workspaces');
      const [after, seconds] = [await usageOf(server.pid), (performance.now() - begun) / 1_000];
      // A sign of life in between begins to measure anew.
      const isWhole = (await lastSign()) === signAt;
      const [found] = (await system()).processes;
      const last = await usageOf(server.pid);
      return { isWhole, found, before, after, last, cpu: (after.cpuSeconds - before.cpuSeconds) / seconds };
    };
    let measured = await measure();
    while (!measured.isWhole) measured = await measure();
    const { found, before, after, last, cpu } = measured;
    expect(found).toMatchObject({ pid: server.pid, role: 'web', state: 'running' });
    expect(cpu).toBeGreaterThan(0.02);
    // Before and after the two seconds it answers one more request; Linux counts hundredths of a second.
    expect(Math.abs((found?.cpu ?? 0) - cpu)).toBeLessThan(0.2 * cpu + 0.05);
    const resident = [before, after, last].map(({ residentBytes }) => residentBytes);
    expect(found?.memory_bytes).toBeGreaterThan(0.9 * Math.min(...resident));
    expect(found?.memory_bytes).toBeLessThan(1.1 * Math.max(...resident));
  });
});
