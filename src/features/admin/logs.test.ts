import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminLogLimits } from '#contract/admin-logs.ts';
import { createLog } from '#platform/log.ts';
import { createLogRing } from '#platform/log-ring.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('the log of the processes', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let ann: TestPerson;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    ({ owner } = cuebird);
    ann = await cuebird.signUp('Ann');
    await owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
  });
  afterAll(() => cuebird.stop());

  /** What a process logs, as it is stored when the process ends. */
  async function write(process: string, work: (log: ReturnType<typeof createLog>) => void): Promise<void> {
    const ring = createLogRing();
    const stored = ring.store(cuebird.database.engine, process);
    work(createLog('info', ring.write));
    await stored.stop();
  }
  const read = async (query = '') => (await ann.call('GET', `/api/admin/log?${query}`)).json;
  const messages = async (query: string) => (await read(query)).data.map(({ message }: { message: string }) => message);

  it('is kept of each of them, newest first, with level, time, process and what belongs to it', async () => {
    await write('web 1 on one', (log) => log.info({ port: 3000 }, 'listening'));
    await write('worker 2 on two', (log) => {
      log.warn({ password: 'hidden', provider: 'smtp' }, 'the mail server is slow');
      log.error({ error: 'lost\u0000connection' }, 'a delivery failed');
      log.debug('not at this level');
    });
    expect((await read()).data).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        created_at: expect.any(String),
        level: 'error',
        process: 'worker 2 on two',
        message: 'a delivery failed',
        details: { error: 'lostconnection' },
      },
      expect.objectContaining({
        level: 'warn',
        message: 'the mail server is slow',
        details: { password: '[Redacted]', provider: 'smtp' },
      }),
      expect.objectContaining({
        level: 'info',
        process: 'web 1 on one',
        message: 'listening',
        details: { port: 3000 },
      }),
    ]);
  });

  it('is searched in all of its text, by level and page by page', async () => {
    expect(await messages('search=SMTP')).toEqual(['the mail server is slow']);
    expect(await messages('search=on%20one')).toEqual(['listening']);
    expect(await messages('search=%25')).toEqual([]);
    expect(await messages('level=warn')).toEqual(['a delivery failed', 'the mail server is slow']);
    const first = await read('limit=2');
    expect(first.data).toHaveLength(2);
    expect(await messages(`limit=2&cursor=${first.next_cursor}`)).toEqual(['listening']);
    expect((await ann.call('GET', '/api/admin/log?cursor=x')).status).toBe(400);
  });

  it('holds a bounded number of lines, however many are written, and shortens long ones', async () => {
    await owner.query(
      `insert into log_entries (created_at, level, process, message) select now(), 'info', 'p', 'old ' || n from generate_series(1, $1) n`,
      [adminLogLimits.lines + 50],
    );
    await write('web 1 on one', (log) => log.warn({ text: 'x'.repeat(10_000) }, 'y'.repeat(10_000)));
    const { rows } = await owner.query<{ count: number }>('select count(*)::int as count from log_entries');
    expect(rows[0]?.count).toBeLessThanOrEqual(adminLogLimits.lines);
    const [entry] = (await read('limit=1')).data;
    expect(entry.message).toHaveLength(2_000);
    expect(entry.details.shortened.length).toBeLessThanOrEqual(4_000);
  });

  it('costs nothing but lines where the database does not answer', async () => {
    const ring = createLogRing();
    const stored = ring.store({ query: () => Promise.reject(new Error('gone')) } as never, 'web 1 on one');
    ring.write('{"level":30,"time":1,"msg":"lost"}');
    ring.write('no JSON');
    await expect(stored.stop()).resolves.toBeUndefined();
  });
});

describe('the audit log of the installation', () => {
  it('is searched in names, addresses and details', async () => {
    const cuebird = await startTestCuebird();
    const ann = await cuebird.signUp('Ann');
    await cuebird.owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
    const dana = await cuebird.signUp('Dana');
    await cuebird.owner.query(
      `insert into audit_log (workspace_id, action, details, created_at)
       values (null, 'admin.person_suspended', '{"email": "old@example.com"}', now() - interval '100 days')`,
    );
    await ann.call('PUT', `/api/admin/people/${dana.userId}/verification`);
    const found = async (query: string) =>
      (await ann.call('GET', `/api/admin/audit-log?${query}`)).json.data.map(({ text }: { text: string }) => text);
    expect(await found(`kind=admin&search=${dana.email.toUpperCase()}`)).toEqual([
      `Confirmed the address ${dana.email} for its owner`,
    ]);
    expect(await found('search=old@example.com'), 'older than a search looks').toEqual([]);
    const from = Temporal.Now.instant()
      .subtract({ hours: 24 * 200 })
      .toString();
    expect(await found(`search=old@example.com&from=${from}`)).toEqual(['Suspended old@example.com']);
    await cuebird.stop();
  });
});
