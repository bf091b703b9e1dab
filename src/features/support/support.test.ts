import { Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sweepOnce } from '#engine/maintenance/archiver.ts';
import { submitRequest, type SupportPorts } from '#features/support/support.service.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { createVirtualClock } from '#testing/virtual-clock.ts';

const asked = {
  email: 'Kim@Example.com',
  category: 'billing',
  subject: 'An invoice',
  message: 'Where is\nthe invoice?',
};

describe('a support request', () => {
  let cuebird: TestCuebird;
  let ann: TestPerson;
  beforeAll(async () => {
    cuebird = await startTestCuebird({
      hasLimits: true,
      env: { SUPPORT_EMAIL: 'help@example.com', TRUSTED_PROXIES: '127.0.0.1/32, ::1/128' },
    });
    ann = await cuebird.signUp('Ann');
    await cuebird.owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
  });
  beforeEach(async () => {
    await cuebird.owner.query('truncate support_requests cascade');
    await cuebird.owner.query("delete from request_counts where bucket like 'support.%'");
    await cuebird.owner.query('delete from sandbox_messages where workspace_id is null');
  });
  afterAll(() => cuebird.stop());

  /** A stranger, who has no session. */
  async function ask(body: object, address = '192.0.2.1') {
    const response = await fetch(`${cuebird.url}/api/support-requests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, json: await response.json() };
  }
  const list = async (status = 'open') =>
    (await ann.call('GET', `/api/admin/support-requests?status=${status}`)).json.data;
  const act = (method: string, { id }: { id: string }, { path, body }: { path: string; body?: object }) =>
    ann.call(method, `/api/admin/support-requests/${id}/${path}`, { ...(body && { body }) });
  const mails = async (recipient: string) =>
    (
      await cuebird.owner.query(
        "select subject, body_text as text, headers ->> 'reply-to' as reply_to from sandbox_messages where workspace_id is null and recipient = $1 order by id",
        [recipient],
      )
    ).rows;
  const askedOnce = async () => {
    expect((await ask(asked)).status).toBe(201);
    await expect.poll(async () => (await list())[0]?.mailed_at ?? null).not.toBeNull();
    const [request] = await list();
    return request;
  };

  it('of a stranger is stored, and mailed to support, whose answer goes to who asked', async () => {
    const request = await askedOnce();
    expect(request).toMatchObject({
      email: 'kim@example.com',
      category: 'billing',
      subject: 'An invoice',
      closed_at: null,
      answered_at: null,
    });
    const [mail] = await mails('help@example.com');
    expect(mail).toMatchObject({
      subject: `Support request ${request.number}: An invoice`,
      reply_to: 'kim@example.com',
    });
    for (const part of [
      'Where is\nthe invoice?',
      'From kim@example.com, about: Billing',
      `/admin?tab=support&request=${request.id}`,
    ])
      expect(mail.text.replaceAll('\r', '')).toContain(part);
  });

  it('has a number, which its person gets at once and by mail, with state and answers in the settings', async () => {
    const kim = await cuebird.signUp('Kim');
    const mine = async () => (await kim.call('GET', '/api/own-support-requests')).json.data;
    const { json } = await ask({ ...asked, email: kim.email });
    expect(json).toEqual({ number: expect.any(Number), answer_hours: 24, is_mailed: false });
    await expect.poll(() => mails(kim.email)).toMatchObject([{ subject: `Your support request ${json.number}` }]);
    const [mail] = await mails(kim.email);
    expect(mail).toMatchObject({ reply_to: 'help@example.com' });
    expect(mail.text.replaceAll(/\s+/g, ' ')).toContain(
      'in your settings, too, with the state of the request, if you have an account with this address and it is confirmed',
    );
    // Anybody may have entered this address.
    expect(mail.text).not.toContain('invoice');
    expect(await mine(), 'before the address is confirmed').toEqual([]);
    await cuebird.owner.query('update profiles set email_verified = true where id = $1', [kim.userId]);
    expect(await mine()).toMatchObject([{ number: json.number, subject: 'An invoice', closed_at: null, answers: [] }]);
    const [request] = await list();
    await act('POST', request, { path: 'answers', body: { message: 'It is on its way.', closes: true } });
    expect(await mine()).toMatchObject([
      { number: json.number, closed_at: expect.any(String), answers: [{ message: 'It is on its way.' }] },
    ]);
    for (let n = 0; n < 5; n += 1) expect((await ask({ ...asked, email: kim.email })).status).toBe(201);
    await expect.poll(async () => (await mails('help@example.com')).length).toBe(6);
    expect((await mails(kim.email)).filter(({ subject }) => subject.startsWith('Your support'))).toHaveLength(3);
  });

  it('is promised no answer where nobody is told of it, and a mail where a mail server sends it', async () => {
    const work: Promise<void>[] = [];
    const pool = cuebird.database.auth;
    const asking = { ...asked, category: 'billing' as const };
    const answer = await submitRequest(
      {
        db: new Kysely({ dialect: new PostgresDialect({ pool }) }),
        pool,
        log: createLog('silent'),
        clock: systemClock,
        closing: new AbortController().signal,
        url: () => cuebird.url,
        supportEmail: undefined,
        hasMailServer: true,
        sendMail: async ({ text }) => {
          expect(text).not.toContain('hours');
          return true;
        },
        hasLimits: false,
        continueWith: (one) => void work.push(one),
      },
      asking,
      { clientAddress: '192.0.2.1' },
    );
    await Promise.all(work);
    expect(answer).toEqual({ number: expect.any(Number), answer_hours: null, is_mailed: true });
  });

  it('is answered by mail, closed and opened again', async () => {
    const request = await askedOnce();
    const answered = await act('POST', request, {
      path: 'answers',
      body: { message: 'It is on its way.', closes: false },
    });
    expect(answered.status).toBe(201);
    expect(answered.json).toMatchObject({
      closed_at: null,
      answers: [{ author: 'Ann', message: 'It is on its way.' }],
    });
    const mail = (await mails('kim@example.com')).find(({ subject }) => subject.startsWith('Re: '));
    expect(mail).toMatchObject({ subject: `Re: An invoice (request ${request.number})`, reply_to: 'help@example.com' });
    expect(mail.text.replaceAll('\r', '')).toBe('It is on its way.\n\n-- \nYou asked:\n\n> Where is\n> the invoice?\n');
    const again = await act('POST', request, { path: 'answers', body: { message: 'Here.', closes: true } });
    expect(again.json.closed_at).not.toBeNull();
    expect(await list()).toEqual([]);
    expect(await list('closed')).toHaveLength(1);
    expect((await act('DELETE', request, { path: 'closure' })).json.closed_at).toBeNull();
    expect((await act('PUT', request, { path: 'closure' })).json.answers).toHaveLength(2);
    expect((await act('PUT', { id: crypto.randomUUID() }, { path: 'closure' })).status).toBe(404);
  });

  it('is mailed again after ten seconds, a minute and five, and then listed as not mailed', async () => {
    const clock = createVirtualClock('2026-03-10T12:00:00Z');
    const sent: string[] = [];
    const work: Promise<void>[] = [];
    const pool = cuebird.database.auth;
    const ports: SupportPorts = {
      db: new Kysely({ dialect: new PostgresDialect({ pool }) }),
      pool,
      log: createLog('silent'),
      clock,
      closing: new AbortController().signal,
      url: () => cuebird.url,
      supportEmail: 'help@example.com',
      hasMailServer: true,
      sendMail: async ({ to }) => {
        if (to !== 'help@example.com') return true;
        sent.push(to);
        if (sent.length === 1) throw new Error('the connection was lost');
        return false;
      },
      hasLimits: false,
      continueWith: (one) => void work.push(one),
    };
    const asking = { ...asked, category: 'billing' as const };
    await submitRequest(ports, asking, { clientAddress: '192.0.2.1' });
    for (const [at, seconds] of [10, 60, 300].entries()) {
      await clock.untilAsleep(1);
      expect(sent).toHaveLength(at + 1);
      clock.advance({ seconds });
    }
    await Promise.all(work);
    expect(sent).toHaveLength(4);
    expect(await list()).toMatchObject([{ mailed_at: null }]);
  });

  it('is listed page by page, newest first', async () => {
    await cuebird.owner.query(
      `insert into support_requests (email, category, subject, message, created_at)
       select n || '@example.com', 'question', 'Question ' || n, 'Why?', now() from generate_series(1, 5) n`,
    );
    const first = (await ann.call('GET', '/api/admin/support-requests?limit=3')).json;
    const second = (await ann.call('GET', `/api/admin/support-requests?limit=3&cursor=${first.next_cursor}`)).json;
    expect([...first.data, ...second.data].map(({ subject }) => subject)).toEqual(
      [5, 4, 3, 2, 1].map((n) => `Question ${n}`),
    );
    expect(second.next_cursor).toBeNull();
  });

  it('that is not complete is refused with each field', async () => {
    const { status, json } = await ask({ email: 'kim', category: 'other', subject: ' ', message: '' });
    expect(status).toBe(400);
    expect(json.error.fields).toEqual([
      { path: 'email', message: 'Enter an email address' },
      { path: 'category', message: 'Choose a category' },
      { path: 'subject', message: 'Enter a subject' },
      { path: 'message', message: 'Enter a message' },
    ]);
    expect((await ask({ ...asked, subject: 'x'.repeat(201) })).status).toBe(400);
    expect((await ask({ ...asked, message: 'x'.repeat(5_001) })).status).toBe(400);
    expect((await ask({ ...asked, message: 'x'.repeat(70_000) })).status).toBe(413);
    expect((await ask({ ...asked, subject: 'Hello\r\nBcc: all@example.com' })).status).toBe(400);
    expect(await list()).toEqual([]);
  });

  it('of a program that fills in the hidden field is dropped, and gets no number', async () => {
    const { status, json } = await ask({ ...asked, leave_empty: 'https://spam.example' });
    expect({ status, json }).toEqual({ status: 201, json: { number: null, answer_hours: 24, is_mailed: false } });
    expect((await cuebird.owner.query('select from support_requests')).rowCount).toBe(0);
  });

  it('is the last of ten from one network within an hour, while others still ask', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await ask(asked, `2001:db8::${n}`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
    const refused = await ask(asked, '2001:db8::ffff');
    expect(refused.json.error.message).toMatch(/^Too many support requests came from your network\. Try again in /);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await ask(asked, '192.0.2.7')).status).toBe(201);
  });

  it('is stored without a mail after three hundred in a day', async () => {
    await askedOnce();
    await cuebird.owner.query("update request_counts set used = 300 where bucket = 'support.mails'");
    expect((await ask({ ...asked, email: 'finn@example.com' }, '192.0.2.9')).status).toBe(201);
    expect((await list()).map(({ email }: { email: string }) => email)).toContain('finn@example.com');
    await ask({ ...asked, email: 'gina@example.com' }, '192.0.2.10');
    const senders = (await mails('help@example.com')).map(({ reply_to }) => reply_to);
    expect(senders).toContain('kim@example.com');
    expect(senders).not.toContain('finn@example.com');
  });

  it('is refused after three hundred of all together, for an hour at most', async () => {
    await ask(asked);
    await cuebird.owner.query("update request_counts set used = 300 where bucket = 'support.stored'");
    const { status, json, headers } = await ask(asked, '192.0.2.9');
    expect(status).toBe(429);
    expect(json.error.message).toMatch(/^Too many support requests came in this hour\./);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
  });

  it('is the last of 40 from a customer with a /56 of IPv6, and of 160 with a /48', async () => {
    const asksFrom = async (count: number, address: (n: number) => string) => {
      const statuses = new Map<number, number>();
      for (let n = 0; n < count; n += 1) {
        const { status } = await ask(asked, address(n));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      return Object.fromEntries(statuses);
    };
    // Each from another /64.
    expect(await asksFrom(45, (n) => `2001:db8:0:${n.toString(16)}::1`)).toEqual({ 201: 40, 429: 5 });
    // Each from another /56.
    expect(await asksFrom(125, (n) => `2001:db8:0:${(256 + n * 256).toString(16)}::1`)).toEqual({ 201: 120, 429: 5 });
    expect((await ask(asked, '2001:db8:1::1')).status).toBe(201);
  });

  it('is deleted a year after it came, with its answers', async () => {
    await cuebird.owner.query(
      `with old as (
         insert into support_requests (email, category, subject, message, created_at)
         select n || '@example.com', 'question', 'Why?', 'Why?', now() - make_interval(days => n) from unnest(array[364, 366, 900]) n returning id)
       insert into support_answers (request_id, author, message, created_at) select id, 'Ann', 'So.', now() from old`,
    );
    const { engine: pool } = cuebird.database;
    await sweepOnce(
      { pool, clock: systemClock, log: createLog('silent'), isPaused: async () => false },
      new AbortController().signal,
    );
    expect(await list()).toMatchObject([{ email: '364@example.com' }]);
    expect((await cuebird.owner.query('select from support_answers')).rowCount).toBe(1);
    await expect(pool.query('select from support_requests')).rejects.toThrow(/permission denied/);
    await pool.query("select delete_old_support_requests('infinity', 100)");
    expect(await list()).toHaveLength(1);
  });
});

it('is stored where no SUPPORT_EMAIL is set and no mail server is there, and an answer that cannot be sent is not stored', async () => {
  const cuebird = await startTestCuebird({ env: { SANDBOX: 'off' } });
  const ann = await cuebird.signUp('Ann');
  await cuebird.owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
  expect((await ann.call('POST', '/api/support-requests', { body: asked })).status).toBe(201);
  const [request] = (await ann.call('GET', '/api/admin/support-requests')).json.data;
  expect(request.mailed_at).toBeNull();
  const path = `/api/admin/support-requests/${request.id}`;
  const answered = await ann.call('POST', `${path}/answers`, { body: { message: 'Here.', closes: true } });
  expect(answered.status).toBe(503);
  expect((await ann.call('GET', path)).json).toMatchObject({ answers: [], closed_at: null });
  await cuebird.stop();
});
