import { randomUUIDv7 } from 'node:crypto';
import type { Client } from 'pg';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InboxMessage } from '#contract/inbox.ts';
import { createMessageStore, inboxLimits, trimInbox } from '#features/inbox/store-messages.ts';
import type { SandboxMessage } from '#sandbox/intake.ts';
import { untilFound } from '#testing/changes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('the inbox of the sandbox', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  let accountToken: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
    accountToken = new URL(cuebird.links.accountMail ?? '').searchParams.get('token') ?? '';
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    await database.query('delete from sandbox_messages');
  });
  afterAll(() => cuebird.stop());

  const get = (path: string, of = workspace) => dana.call('GET', path, { workspace: of });
  const subjects = (page: { data: InboxMessage[] }) => page.data.map((message) => message.subject);

  const message = (subject: string, changes: Partial<SandboxMessage> = {}): SandboxMessage => ({
    id: randomUUIDv7(),
    workspace_id: workspace,
    channel: 'email',
    provider: null,
    sender: 'reminders@cuebird.test',
    recipient: 'erin@example.com',
    subject,
    text: 'The text',
    html: null,
    headers: { 'x-one': '1' },
    raw: null,
    segments: null,
    callback_url: null,
    reply_to: null,
    raw_size: 100,
    received_at: '2026-01-01T09:00:00Z',
    ...changes,
  });
  const store = (...messages: ReturnType<typeof message>[]) => createMessageStore(cuebird.database.engine)(messages);

  it('shows a webhook call to the workspace’s sandbox URL', async () => {
    const { json: addresses } = await get('/api/inbox/addresses');
    const answer = await fetch(addresses.webhook_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-custom': 'yes' },
      body: '{"hello": "world"}',
    });
    expect(answer.status).toBe(200);
    const { json } = await get('/api/inbox?channel=webhook');
    expect(json.data).toMatchObject([{ channel: 'webhook', text: '{"hello": "world"}', has_html: false }]);
    expect(json.data[0].headers).toMatchObject({ 'x-custom': 'yes' });
  });

  it('hides a workspace’s URL from others, and refuses calls without its token', async () => {
    const other = await dana.createWorkspace('Oak Street');
    const [own, theirs] = [await get('/api/inbox/addresses'), await get('/api/inbox/addresses', other)];
    expect(own.json.webhook_url).not.toBe(theirs.json.webhook_url);
    const forged = own.json.webhook_url.replace(workspace, other);
    expect((await fetch(forged, { method: 'POST', body: '{}' })).ok).toBe(false);
    expect((await get('/api/inbox', other)).json.data).toEqual([]);
    const smtp = createTransport({
      host: own.json.smtp_host,
      port: own.json.smtp_port,
      secure: false,
      ignoreTLS: true,
      auth: { user: other, pass: 'guessed' },
    });
    await expect(smtp.verify()).rejects.toThrow(/535|auth/i);
    smtp.close();
  });

  it('contains only the messages of its workspace', async () => {
    const other = await dana.createWorkspace('Oak Street');
    await store(
      message('Ours'),
      message('Theirs', { workspace_id: other }),
      message('Account', { workspace_id: null }),
    );
    expect(subjects((await get('/api/inbox')).json)).toEqual(['Ours']);
    expect(subjects((await get('/api/inbox', other)).json)).toEqual(['Theirs']);
    const [theirs] = (await get('/api/inbox', other)).json.data;
    expect((await get(`/api/inbox/${theirs.id}`)).status).toBe(404);
    expect((await get(`/api/inbox/${theirs.id}/html?workspace=${workspace}`)).status).toBe(404);
  });

  it('is read page by page without loss when all messages arrived in one batch', async () => {
    await store(...Array.from({ length: 120 }, (_, index) => message(`Mail ${index}`)));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { json }: { json: { data: InboxMessage[]; next_cursor: string | null } } = await get(
        `/api/inbox?limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...subjects(json));
      cursor = json.next_cursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
  });

  it('can be searched by subject, recipient and text, and filtered by channel', async () => {
    await store(
      message('Rent 100%'),
      message('Water', { recipient: 'rent@example.com' }),
      message('Power', { text: 'The RENT of a meter' }),
      message('Hook', { channel: 'webhook' }),
    );
    expect(subjects((await get('/api/inbox?search=rent')).json).toSorted()).toEqual(['Power', 'Rent 100%', 'Water']);
    expect(subjects((await get('/api/inbox?search=0%25')).json)).toEqual(['Rent 100%']);
    expect(subjects((await get('/api/inbox?channel=webhook')).json)).toEqual(['Hook']);
    expect(subjects((await get('/api/inbox?channel=email&search=hook')).json)).toEqual([]);
  });

  it('returns the HTML of a mail so that it cannot run scripts, load resources or call the API', async () => {
    const html = '<script>alert(1)</script><p onclick="x()">Rent</p>';
    await store(message('Hostile', { html }));
    const [mail] = (await get('/api/inbox')).json.data;
    expect(mail).toMatchObject({ has_html: true });
    expect(JSON.stringify(mail)).not.toContain('script');
    const page = await fetch(`${cuebird.url}/api/inbox/${mail.id}/html?workspace=${workspace}`, {
      headers: { cookie: dana.cookie },
    });
    expect(page.status).toBe(200);
    // Its links open in a new tab.
    expect(await page.text()).toBe(`<!doctype html><base target="_blank">${html}`);
    const policy = page.headers.get('content-security-policy')?.split('; ') ?? [];
    expect(policy).toEqual(
      expect.arrayContaining([
        'sandbox allow-popups allow-popups-to-escape-sandbox',
        "default-src 'none'",
        "frame-ancestors 'self'",
      ]),
    );
    expect(policy.join()).not.toMatch(/script|allow-(?!popups)/);
    expect(page.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('has no HTML page for a message without HTML', async () => {
    await store(message('Plain'));
    const [mail] = (await get('/api/inbox')).json.data;
    expect((await get(`/api/inbox/${mail.id}/html?workspace=${workspace}`)).status).toBe(404);
  });

  describe('account mail', () => {
    const account = (token: string) => fetch(`${cuebird.url}/api/inbox/account?token=${encodeURIComponent(token)}`);

    it('is shown with the token from the terminal, and contains no workspace mail', async () => {
      await store(message('Confirm your address', { workspace_id: null }), message('Ours'));
      const answer = await account(accountToken);
      expect(answer.status).toBe(200);
      expect(subjects(await answer.json())).toEqual(['Confirm your address']);
    });

    it.each(['', 'x', 'ä'.repeat(43), 'x'.repeat(43), 'x'.repeat(200)])(
      'is hidden from the token "%s"',
      async (token) => {
        expect((await account(token)).status).toBe(404);
      },
    );

    it('is read page by page', async () => {
      await store(...Array.from({ length: 5 }, (_, index) => message(`Mail ${index}`, { workspace_id: null })));
      const path = `/api/inbox/account?token=${accountToken}&limit=3`;
      const first = (await get(path)).json;
      const second = (await get(`${path}&cursor=${first.next_cursor}`)).json;
      expect(new Set([...subjects(first), ...subjects(second)]).size).toBe(5);
      expect(second.next_cursor).toBeNull();
    });
  });

  it('receives the mail of a reminder’s test over SMTP, with its HTML and headers', async () => {
    const body = {
      name: 'Rent',
      status: 'draft',
      schedule_config: { type: 'scheduled', scheduleType: 'daily', timezone: 'UTC' },
      content: { subject: 'x', message: 'x', recipients: ['erin@example.com'] },
      metadata: { channels: ['email'] },
    };
    const { json: reminder } = await dana.call('POST', '/api/reminders', { workspace, body });
    await dana.call('POST', `/api/reminders/${reminder.id}/test`, {
      workspace,
      body: { recipients: ['Erin <erin@example.com>'], subject: 'Süßes ☕', message: 'Grüße,\nDana' },
    });
    const mail = await untilFound<InboxMessage>(
      cuebird.databaseUrl,
      async () => (await get('/api/inbox')).json.data[0],
    );
    expect(mail).toMatchObject({ channel: 'email', recipient: 'erin@example.com' });
    expect(mail.subject).toContain('Süßes ☕');
    expect(mail.text).toContain('Grüße,');
  });

  it('keeps 64 MB of the newest of each workspace, and 5,000 at most, while they arrive', async () => {
    const other = await dana.createWorkspace('Oak Street');
    const keep = createMessageStore(cuebird.database.engine);
    const megabyte = 1024 * 1024;
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString();
    await keep([message('Theirs', { workspace_id: other, raw_size: megabyte, received_at: at(0) })]);
    for (let n = 0; n < 80; n += 1) await keep([message(`Large ${n}`, { raw_size: megabyte, received_at: at(n) })]);
    const { rows } = await database.query(
      'select workspace_id, count(*)::int as kept, max(subject) as one from sandbox_messages group by 1 order by 2',
    );
    expect(rows).toEqual([
      { workspace_id: other, kept: 1, one: 'Theirs' },
      { workspace_id: workspace, kept: inboxLimits.bytes / megabyte, one: expect.any(String) },
    ]);
    for (let batch = 0; batch < 11; batch += 1)
      await keep(
        Array.from({ length: 500 }, (_, n) => message(`Small ${n}`, { raw_size: 1, received_at: at(100 + batch) })),
      );
    const { rows: left } = await database.query(
      'select count(*)::int as kept from sandbox_messages where workspace_id = $1',
      [workspace],
    );
    expect(left).toEqual([{ kept: inboxLimits.messages }]);
  });

  it('keeps the newest 5,000 of each workspace', async () => {
    const other = await dana.createWorkspace('Oak Street');
    await database.query(
      `insert into sandbox_messages (workspace_id, channel, sender, recipient, subject, body_text, raw_size, received_at)
       select w, 'email', 's', 'r', 'Mail ' || n, 't', 1, timestamptz '2026-01-01Z' + n * interval '1 s'
         from unnest($1::uuid[], $2::int[]) as u (w, count), generate_series(1, count) n`,
      [
        [workspace, other],
        [5_003, 10],
      ],
    );
    await trimInbox(cuebird.database.engine);
    const { rows } = await database.query(
      'select workspace_id, count(*)::int as kept, min(received_at) as oldest from sandbox_messages group by 1 order by 2',
    );
    expect(rows).toEqual([
      { workspace_id: other, kept: 10, oldest: '2026-01-01 00:00:01+00' },
      { workspace_id: workspace, kept: 5_000, oldest: '2026-01-01 00:00:04+00' },
    ]);
  });
});
