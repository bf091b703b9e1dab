import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keptDemoRequests } from '#contract/demo-requests.ts';
import { type DemoRequestPorts, listDemoRequests, requestDemo } from '#features/demo-requests/demo-requests.service.ts';
import { createLog } from '#platform/log.ts';
import { startTestCuebird, type TestCuebird } from '#testing/cuebird.ts';
import { openTables, type Tables } from '#testing/tables.ts';

const body = { name: 'Dana Whitfield', email: 'dana@example.com', message: 'Rent reminders, please' };

describe('a request for a demo', () => {
  let tables: Tables;
  let now = Temporal.Instant.from('2026-03-02T08:00:00Z');
  let mails: { to: string; subject: string; text: string }[] = [];
  beforeAll(async () => {
    tables = await openTables();
  });
  beforeEach(async () => {
    await tables.owner.query('delete from demo_requests; delete from request_counts');
    mails = [];
  });
  afterAll(() => tables.close());

  const ports = (of: Partial<DemoRequestPorts> = {}): DemoRequestPorts => ({
    auth: tables.database.auth,
    hasLimits: true,
    supportEmail: 'help@example.com',
    sendMail: async (mail) => mails.push(mail) > 0,
    url: () => 'https://cuebird.example.com',
    now: () => now,
    log: createLog('silent'),
    ...of,
  });
  const ask = (of: Partial<typeof body & { website: string }> = {}, clientAddress = '203.0.113.7') =>
    requestDemo(ports(), { body: { ...body, ...of }, clientAddress });
  const names = async () => (await listDemoRequests(tables.database.auth)).data.map(({ name }) => name);

  it('is stored, and mailed to support', async () => {
    await ask();
    expect((await listDemoRequests(tables.database.auth)).data).toEqual([expect.objectContaining(body)]);
    expect(mails).toEqual([expect.objectContaining({ to: 'help@example.com' })]);
    expect(mails[0]?.text).toContain('Dana Whitfield <dana@example.com>');
    expect(mails[0]?.text).toContain('Rent reminders, please');
  });

  it('is stored where there is no address or no mail server, and where the mail is not accepted', async () => {
    const unreachable = async () => {
      throw new Error('the mail server is gone');
    };
    for (const of of [{ supportEmail: null }, { sendMail: null }, { sendMail: unreachable }])
      await requestDemo(ports(of), { body, clientAddress: '203.0.113.7' });
    expect(await names()).toHaveLength(3);
    expect(mails).toEqual([]);
  });

  it('of a program, which fills in what nobody sees, is dropped', async () => {
    await ask({ website: 'https://example.com' });
    expect(await names()).toEqual([]);
    expect(mails).toEqual([]);
  });

  it('is refused after five in an hour from one network', async () => {
    for (let index = 0; index < 5; index += 1) await ask();
    await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' });
    await ask({}, '198.51.100.1');
    expect(await names()).toHaveLength(6);
    now = now.add({ hours: 1, seconds: 1 });
    await ask();
    expect(await names()).toHaveLength(7);
  });

  it('is mailed a hundred times a day, and stored beyond that until three hundred in an hour', async () => {
    const address = (index: number) => `198.51.${index >> 8}.${index & 255}`;
    for (let index = 0; index < 300; index += 1) await ask({}, address(index));
    expect(mails).toHaveLength(100);
    await expect(ask({}, '203.0.113.99')).rejects.toMatchObject({ code: 'rate_limited' });
    now = now.add({ hours: 1, seconds: 1 });
    await ask({ name: 'Real Person' }, '203.0.113.99');
    expect(await names()).toContain('Real Person');
    expect(mails).toHaveLength(100);
  });

  it('is refused to networks of one customer with IPv6 that together ask too often', async () => {
    const outcomes: boolean[] = [];
    for (let index = 0; index < 25; index += 1)
      outcomes.push(
        await ask({}, `2001:db8:0:${index.toString(16)}::1`).then(
          () => true,
          () => false,
        ),
      );
    expect(outcomes.filter(Boolean)).toHaveLength(20);
  });

  it('is deleted after a year, and when there are many newer ones', async () => {
    await tables.owner.query(
      `insert into demo_requests (name, email, message, created_at)
       select 'old', 'a@example.com', '', $1::timestamptz - interval '366 days'
       union all
       select 'n' || n, 'a@example.com', '', $1::timestamptz - n * interval '1 minute' from generate_series(1, $2::integer) n`,
      [now.toString(), keptDemoRequests.most],
    );
    await ask({ name: 'the newest' });
    const kept = await names();
    expect(kept).toHaveLength(keptDemoRequests.most);
    expect(kept[0]).toBe('the newest');
    expect(kept).not.toContain('old');
    expect(kept).not.toContain(`n${keptDemoRequests.most}`);
  });
});

describe('the form of the landing page', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { SUPPORT_EMAIL: 'help@example.com' } });
    ({ owner } = cuebird);
  });
  afterAll(() => cuebird.stop());

  it('needs no account, and administrators alone read what came', async () => {
    const sent = await fetch(`${cuebird.url}/api/demo-requests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, website: '' }),
    });
    expect(sent.status).toBe(201);
    const dana = await cuebird.signUp('Dana');
    expect((await dana.call('GET', '/api/admin/demo-requests')).status).toBe(403);
    await owner.query('update profiles set is_system_admin = true where id = $1', [dana.userId]);
    // Every process hears of a new administrator.
    await expect
      .poll(async () => (await dana.call('GET', '/api/admin/demo-requests')).json.data)
      .toEqual([{ ...body, id: expect.any(String), created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) }]);
    await expect
      .poll(async () => {
        const { rows } = await owner.query(
          'select recipient, body_text from sandbox_messages where workspace_id is null and subject = $1',
          ['Cuebird: somebody asks for a demo'],
        );
        return rows;
      })
      .toEqual([{ recipient: 'help@example.com', body_text: expect.stringContaining('Rent reminders, please') }]);
  });

  it('says what is missing', async () => {
    const refused = await fetch(`${cuebird.url}/api/demo-requests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: ' ', email: 'nobody' }),
    });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { fields: [{ path: 'name', message: 'Name is required' }, { path: 'email' }] },
    });
  });
});
