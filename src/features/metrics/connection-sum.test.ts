import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reportConnectionSum } from '#features/metrics/connection-sum.service.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { createVirtualClock } from '#testing/virtual-clock.ts';

describe('the connections of all processes', () => {
  let test: Awaited<ReturnType<typeof createTestDatabase>>;
  let owner: Client;
  let database: Database;
  let admitted: number;
  beforeEach(async () => {
    test = await createTestDatabase();
    owner = await connectOwner(test.url);
    database = openDatabase(test.url, { encryptionKey: TEST_ENCRYPTION_KEY });
    const { rows } = await owner.query(
      "select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as admitted",
    );
    admitted = rows[0].admitted;
  });
  afterEach(async () => {
    await owner.end();
    await database.close();
    await test.drop();
  });

  const addProcess = (connections: number | null, { seenAt = '2026-03-02T08:00:00Z', hasStopped = false } = {}) =>
    owner.query(
      `insert into processes (id, role, version, host, pid, started_at, seen_at, stopped_at, cpu, memory_bytes, event_loop_delay_ms, connections)
       values (uuidv7(), 'web', '1', 'elm', 1, $1, $1, $2, 0, 0, 0, $3)`,
      [seenAt, hasStopped ? seenAt : null, connections],
    );

  async function reported(): Promise<string[]> {
    const lines: string[] = [];
    const log = createLog('info', (line) => lines.push(line));
    await reportConnectionSum({ pool: database.engine, clock: createVirtualClock('2026-03-02T08:00:30Z'), log });
    return lines.map((line) => JSON.parse(line).msg);
  }

  it('are reported at the start of one where the server does not admit as many', async () => {
    await addProcess(44);
    await addProcess(admitted - 43);
    expect(await reported()).toEqual([
      `the processes of Cuebird may open ${admitted + 1} connections, and the server of the database admits ${admitted} (max_connections less those that it reserves): lower DATABASE_CONNECTIONS, or raise max_connections`,
    ]);
  });

  it('are those of processes that run', async () => {
    await addProcess(44);
    await addProcess(admitted - 44);
    await addProcess(null);
    await addProcess(44, { hasStopped: true });
    await addProcess(44, { seenAt: '2026-03-02T07:59:00Z' });
    expect(await reported()).toEqual([]);
  });
});
