import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from 'pg';
import { doRulesDiffer, outboundRulesHash, reportOutboundRules } from '#features/metrics/outbound-rules.service.ts';
import { listProcesses } from '#features/metrics/processes.service.ts';
import { parseConfig } from '#platform/config.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { createVirtualClock } from '#testing/virtual-clock.ts';

describe('what the processes of an installation let go out', () => {
  let test: Awaited<ReturnType<typeof createTestDatabase>>;
  let owner: Client;
  let database: Database;
  beforeEach(async () => {
    test = await createTestDatabase();
    owner = await connectOwner(test.url);
    database = openDatabase(test.url, { encryptionKey: TEST_ENCRYPTION_KEY });
  });
  afterEach(async () => {
    await owner.end();
    await database.close();
    await test.drop();
  });

  const hashOf = (env: Record<string, string>) =>
    outboundRulesHash(parseConfig({ DATABASE_URL: 'postgres://h/d', ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, ...env }, []));
  const own = hashOf({ EGRESS_ALLOW: '10.1.0.0/16' });

  const addProcess = (outbound: string | null, { pid = 1, seenAt = '2026-03-02T08:00:00Z' } = {}) =>
    owner.query(
      `insert into processes (id, role, version, host, pid, started_at, seen_at, cpu, memory_bytes, event_loop_delay_ms, outbound)
       values (uuidv7(), 'web', '1', 'elm', $1, $2, $2, 0, 0, 0, $3)`,
      [pid, seenAt, outbound],
    );

  const clock = createVirtualClock('2026-03-02T08:00:30Z');
  async function reported(): Promise<string[]> {
    const lines: string[] = [];
    const log = createLog('info', (line) => lines.push(line));
    await reportOutboundRules({ pool: database.engine, clock, log });
    return lines.map((line) => JSON.parse(line).msg);
  }

  it('is the same with the networks in another order, and another one with another network or sandbox', () => {
    expect(hashOf({ EGRESS_ALLOW: '10.2.0.0/16,10.1.0.0/16' })).toBe(
      hashOf({ EGRESS_ALLOW: '10.1.0.0/16, 10.2.0.0/16' }),
    );
    expect(
      new Set([
        own,
        hashOf({}),
        hashOf({ EGRESS_ALLOW: '10.1.0.0/17' }),
        hashOf({ EGRESS_ALLOW: '10.1.0.0/16', SANDBOX: 'on' }),
      ]).size,
    ).toBe(4);
  });

  it('is reported where it differs, in the log of who starts and to administrators', async () => {
    await addProcess(own);
    await addProcess(hashOf({ SANDBOX: 'on' }), { pid: 2 });
    expect(await reported()).toEqual([expect.stringContaining('different settings of EGRESS_ALLOW or SANDBOX')]);
    expect(doRulesDiffer(await listProcesses(database.engine, clock.now()))).toBe(true);
  });

  it('is compared between processes that run and say it', async () => {
    await addProcess(own);
    await addProcess(own, { pid: 2 });
    await addProcess(null, { pid: 3 });
    await addProcess(hashOf({}), { pid: 4, seenAt: '2026-03-02T07:59:00Z' });
    expect(await reported()).toEqual([]);
    expect(doRulesDiffer(await listProcesses(database.engine, clock.now()))).toBe(false);
  });
});
