import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { openEventStream } from '#testing/event-stream.ts';
import { mailServer } from '#testing/mail-servers.ts';
import { untilFound } from '#testing/changes.ts';
import { closeServers } from '#testing/tcp-server.ts';

const tokens = createUnsubscribeTokens(createSecretBox(TEST_ENCRYPTION_KEY));

describe('an unsubscribe link', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  let token: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    token = tokens.seal({ stops: 'messages', workspaceId: workspace, channel: 'email', recipient: 'Ann@Example.com' });
  });
  afterAll(async () => {
    closeServers();
    await cuebird.stop();
  });

  const at = (path: string, init: RequestInit = {}) =>
    fetch(`${cuebird.url}/api/unsubscribe/${path}`, { redirect: 'manual', ...init });
  const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };
  async function suppressions(of = workspace) {
    const { rows } = await database.query(
      'select channel, recipient, reason, covers, topic_id, created_by from suppressions where workspace_id = $1 order by recipient, covers',
      [of],
    );
    return rows;
  }
  const ann = {
    channel: 'email',
    recipient: 'ann@example.com',
    reason: 'unsubscribed',
    covers: 'optional',
    topic_id: null,
    created_by: null,
  };
  const about = {
    company: 'Elm Street',
    brand: null,
    stops: 'messages',
    channel: 'email',
    recipient: 'Ann@Example.com',
    topic: null,
    required: [],
  };

  it('shows the subscription to any visitor, and changes nothing', async () => {
    for (const method of ['GET', 'HEAD', 'GET']) expect((await at(token, { method })).status).toBe(200);
    const answer = await at(token);
    expect(await answer.json()).toEqual({ ...about, left: 'nothing', is_subscribed: true, undo: null });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await suppressions()).toEqual([]);
  });

  it('redirects a browser to the confirmation page', async () => {
    const { status, headers } = await at(token, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect([status, headers.get('location')]).toEqual([303, `/unsubscribe/${token}`]);
    expect(await suppressions()).toEqual([]);
  });

  it('unsubscribes by the one-click request of a mail program, once, without cookie or origin (RFC 8058)', async () => {
    for (let n = 0; n < 3; n++) {
      const answer = await at(token, oneClick);
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { ...about, left: 'optional', is_subscribed: false, undo: expect.any(String) },
      ]);
    }
    expect(await suppressions()).toEqual([ann]);
  });

  it.each([
    ['as multipart', { method: 'POST', body: formData({ 'List-Unsubscribe': 'One-Click' }) }],
    ['without a body', { method: 'POST' }],
    ['from another site’s page', { ...oneClick, headers: { origin: 'https://mail.example' } }],
  ])('also unsubscribes when it is sent %s', async (_, init) => {
    expect((await at(token, init)).status).toBe(200);
    expect(await suppressions()).toEqual([ann]);
  });

  it('can be undone by the same link', async () => {
    const { undo } = await (await at(token, oneClick)).json();
    for (let n = 0; n < 2; n++) {
      const answer = await at(`${token}?undo=${undo}`, { method: 'DELETE' });
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { ...about, left: 'nothing', is_subscribed: true, undo: null },
      ]);
    }
    expect(await suppressions()).toEqual([]);
  });

  it('is not undone by an older undo request, or by one without an id', async () => {
    const { undo } = await (await at(token, oneClick)).json();
    const takeBack = () => at(`${token}?undo=${undo}`, { method: 'DELETE' });
    expect(await (await takeBack()).json()).toMatchObject({ is_subscribed: true });
    await at(token, oneClick);
    expect(await (await takeBack()).json()).toMatchObject({ is_subscribed: false });
    expect((await at(token, { method: 'DELETE' })).status).toBe(400);
    expect(await suppressions()).toEqual([ann]);
  });

  it.each(['manual', 'bounced', 'complained', 'stopped'])(
    'does not take back what is on the list as %s, nor its reason',
    async (reason) => {
      await database.query(
        `insert into suppressions (workspace_id, channel, recipient, reason) values ($1, 'email', 'ann@example.com', $2)`,
        [workspace, reason],
      );
      const listed = { ...ann, reason, covers: 'everything' };
      const { undo, ...answer } = await (await at(token, oneClick)).json();
      expect(answer).toEqual({ ...about, left: 'everything', is_subscribed: false });
      // The wish of the recipient stands beside it, also once the entry for everything is removed.
      expect(await suppressions()).toEqual([listed, ann]);
      const { rows } = await database.query(
        "select id from suppressions where workspace_id = $1 and covers = 'everything'",
        [workspace],
      );
      for (const id of [rows[0].id, undo]) await at(`${token}?undo=${id}`, { method: 'DELETE' });
      expect(await suppressions()).toEqual([listed]);
    },
  );

  describe('of a message with a topic', () => {
    let events: string;
    let withTopic: string;
    const to = { stops: 'messages', channel: 'email', recipient: 'Ann@Example.com' } as const;
    const addTopic = async (body: object) => (await dana.call('POST', '/api/topics', { workspace, body })).json.id;
    beforeEach(async () => {
      events = await addTopic({ name: 'Events' });
      withTopic = tokens.seal({ ...to, workspaceId: workspace, topicId: events });
    });

    it('ends this topic by one click, and all optional ones where the page asks so', async () => {
      const topic = { id: events, name: 'Events' };
      expect(await (await at(withTopic)).json()).toMatchObject({ topic, left: 'nothing', is_subscribed: true });
      const left = await (await at(withTopic, oneClick)).json();
      expect(left).toMatchObject({ topic, left: 'topic', is_subscribed: false });
      const ofTopic = { ...ann, covers: 'topic', topic_id: events };
      expect(await suppressions()).toEqual([ofTopic]);
      // A link without a topic, as in older mails, knows nothing of it.
      expect(await (await at(token)).json()).toMatchObject({ left: 'nothing', is_subscribed: true });
      const all = await (await at(`${withTopic}?covers=optional`, oneClick)).json();
      expect(all).toMatchObject({ left: 'optional' });
      expect(all.undo).not.toBe(left.undo);
      expect(await suppressions()).toEqual([ann, ofTopic]);
      const undone = await at(`${withTopic}?undo=${all.undo}`, { method: 'DELETE' });
      expect(await undone.json()).toMatchObject({ left: 'topic', undo: left.undo });
    });

    it('says what nobody can leave, by name', async () => {
      await addTopic({ name: 'Rent', kind: 'required', why: 'contract' });
      await addTopic({ name: 'Notices', kind: 'required', why: 'law' });
      const old = await addTopic({ name: 'Alarms', kind: 'required', why: 'safety' });
      await dana.call('PATCH', `/api/topics/${old}`, { workspace, body: { is_archived: true } });
      const required = [
        { name: 'Notices', why: 'law' },
        { name: 'Rent', why: 'contract' },
      ];
      expect(await (await at(withTopic)).json()).toMatchObject({ required });
      expect(await (await at(withTopic, oneClick)).json()).toMatchObject({ left: 'topic', required });
    });

    it('is the same for each attempt, and another one for each topic', () => {
      expect(tokens.seal({ ...to, workspaceId: workspace, topicId: events })).toBe(withTopic);
      expect(tokens.open(withTopic)).toEqual({ ...to, workspaceId: workspace, topicId: events });
      expect(tokens.open(token)).toEqual({ ...to, workspaceId: workspace, topicId: null });
      expect(withTopic).not.toBe(token);
    });

    it('ends all optional topics where its topic is of another workspace', async () => {
      const elsewhere = await dana.createWorkspace('Oak Street');
      const foreign = tokens.seal({ ...to, workspaceId: elsewhere, topicId: events });
      expect(await (await at(foreign, oneClick)).json()).toMatchObject({ topic: null, left: 'optional' });
    });

    it('keeps the words of the opt-out: everything by STOP, which START lifts alone', async () => {
      await at(withTopic, oneClick);
      await database.query(
        "insert into suppressions (workspace_id, channel, recipient, reason) values ($1, 'email', 'ann@example.com', 'stopped')",
        [workspace],
      );
      expect(await (await at(withTopic)).json()).toMatchObject({ left: 'everything', undo: expect.any(String) });
    });
  });

  it('concerns one workspace, one channel and one recipient', async () => {
    const other = await dana.createWorkspace('Oak Street');
    await at(token, oneClick);
    expect(await suppressions(other)).toEqual([]);
    expect(await suppressions()).toEqual([ann]);
  });

  it('sends a change notice', async () => {
    const stream = await openEventStream(cuebird.url, { as: dana, workspace });
    await stream.next();
    await at(token, oneClick);
    expect(await stream.next()).toBe('data: {"table":"suppressions"}');
    await stream.close();
  });

  it('that is invalid answers 404', async () => {
    const elsewhere = createUnsubscribeTokens(createSecretBox('another key that is long enough, too'));
    const flipped = token.slice(0, 30) + (token[30] === 'A' ? 'B' : 'A') + token.slice(31);
    const wrong = [
      'none',
      'x'.repeat(4_000),
      flipped,
      token.slice(0, -1),
      `${token}A`,
      token.toUpperCase(),
      elsewhere.seal({ stops: 'messages', workspaceId: workspace, channel: 'email', recipient: 'ann@example.com' }),
      encodeURIComponent(`${token}=`),
      '%00',
    ];
    for (const path of wrong)
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await at(`${path}?undo=${randomUUID()}`, { method });
        expect([path.slice(0, 80), method, answer.status]).toEqual([path.slice(0, 80), method, 404]);
        expect((await answer.json()).error.message).toBe('There is no such link to unsubscribe');
      }
    expect(await suppressions()).toEqual([]);
  });

  it('answers 404 once its workspace is deleted', async () => {
    await database.query('delete from workspaces where id = $1', [workspace]);
    expect((await at(token)).status).toBe(404);
    expect((await at(token, oneClick)).status).toBe(404);
  });

  describe('in a reminder by mail', () => {
    const content = { subject: 'Rent is due', message: 'Pay, please', recipients: ['Ann <ann@example.com>'] };

    /** Sends now; resolves with the ledger's line once it has ended. */
    async function send(topic?: string) {
      const { json: reminder } = await dana.call('POST', '/api/reminders', {
        workspace,
        body: {
          name: 'Rent',
          status: 'active',
          schedule_config: {
            type: 'scheduled',
            scheduleType: 'once',
            startDate: new Date(Date.now() - 60_000).toISOString().slice(0, 19),
            timezone: 'UTC',
          },
          content: { ...content, ...(topic !== undefined && { topic_id: topic }) },
          metadata: { channels: ['email'] },
        },
      });
      return untilFound(cuebird.databaseUrl, async () => {
        const { rows } = await database.query(
          `select d.status, d.reason from deliveries d join jobs j on j.id = d.job_id
            where j.reminder_id = $1 and j.status in ('completed', 'failed', 'cancelled')`,
          [reminder.id],
        );
        return rows[0] ?? null;
      });
    }

    async function inbox() {
      const { json } = await dana.call('GET', '/api/inbox?channel=email', { workspace });
      return json.data;
    }

    it('is in its headers, at the end of its text and of its HTML; later mail is skipped until it is undone', async () => {
      expect(await send()).toMatchObject({ status: 'accepted' });
      const [mail] = await inbox();
      const page = `${cuebird.url}/unsubscribe/`;
      const [, oneClickUrl = ''] = /^<(http[^>]+)>$/.exec(mail.headers['list-unsubscribe']) ?? [];
      expect(oneClickUrl).toMatch(/^http:\/\/localhost:\d+\/api\/unsubscribe\/[\w-]{60,200}$/);
      expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
      const own = oneClickUrl.split('/').at(-1);
      expect(mail.text).toBe(`Pay, please\n\n-- \nUnsubscribe: ${page}${own}\n`);
      const html = await dana.call('GET', `/api/inbox/${mail.id}/html?workspace=${workspace}`);
      expect(html.json).toContain(`<a href="${page}${own}" style="color: #6b7280">Unsubscribe</a></p>`);

      expect((await fetch(oneClickUrl, oneClick)).status).toBe(200);
      expect(await send()).toEqual({ status: 'skipped', reason: 'The recipient has left all optional messages' });
      expect(await inbox()).toHaveLength(1);
      const { undo } = await (await fetch(oneClickUrl)).json();
      await fetch(`${oneClickUrl}?undo=${undo}`, { method: 'DELETE' });
      expect(await send()).toMatchObject({ status: 'accepted' });
      expect(await inbox()).toHaveLength(2);
    });

    it('also has a mail address when the channel has a reply address', async () => {
      const server = await mailServer();
      await dana.call('POST', '/api/channels', {
        workspace,
        body: {
          name: 'Office',
          type: 'email',
          configuration: {
            smtp_host: '127.0.0.1',
            smtp_port: server.port,
            username: 'office@elm.example',
            reply_to: 'answers@elm.example',
            use_tls: false,
          },
        },
      });
      expect(await send()).toMatchObject({ status: 'accepted' });
      const mail = await PostalMime.parse(server.mails[0] ?? '');
      expect(mail.replyTo).toEqual([{ name: '', address: 'answers@elm.example' }]);
      expect(mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toMatch(
        /^<http:\/\/localhost:\d+\/api\/unsubscribe\/[\w-]+>$/,
      );
    });

    const addTopic = async (body: object) => (await dana.call('POST', '/api/topics', { workspace, body })).json.id;
    /** The mails as a mail server receives them. */
    async function received() {
      const server = await mailServer();
      const configuration = {
        smtp_host: '127.0.0.1',
        smtp_port: server.port,
        username: 'office@elm.example',
        use_tls: false,
      };
      await dana.call('POST', '/api/channels', { workspace, body: { name: 'Office', type: 'email', configuration } });
      return server;
    }
    const headerOf = (mail: Awaited<ReturnType<typeof PostalMime.parse>>, name: string) =>
      mail.headers.find(({ key }) => key === name)?.value;

    it('leaves the topic of an optional mail by the header alone, and the other topics are sent (RFC 8058)', async () => {
      const server = await received();
      const [events, news] = [await addTopic({ name: 'Events' }), await addTopic({ name: 'News' })];
      expect(await send(events)).toMatchObject({ status: 'accepted' });
      const mail = await PostalMime.parse(server.mails[0] ?? '');
      expect(headerOf(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
      const [, url = ''] = /^<(http[^>]+)>$/.exec(headerOf(mail, 'list-unsubscribe') ?? '') ?? [];
      expect((await fetch(url, oneClick)).status).toBe(200);
      expect(await send(events)).toEqual({ status: 'skipped', reason: 'The recipient has left this topic' });
      expect(await send(news)).toMatchObject({ status: 'accepted' });
      expect(await send()).toMatchObject({ status: 'accepted' });
      expect(server.mails).toHaveLength(3);
    });

    it('is in no mail that nobody can leave, which says who sends it and why, and arrives', async () => {
      const server = await received();
      const law = await addTopic({ name: 'Notices', kind: 'required', why: 'law' });
      await at(
        tokens.seal({ stops: 'messages', workspaceId: workspace, channel: 'email', recipient: 'ann@example.com' }),
        oneClick,
      );
      expect(await send(law)).toMatchObject({ status: 'accepted' });
      const raw = String(server.mails[0] ?? '');
      expect(raw).not.toMatch(/unsubscribe|mailto:/i);
      const mail = await PostalMime.parse(raw);
      expect(mail.text).toBe('Pay, please\n\n-- \nElm Street sends you this because the law requires it.\n');
      expect(mail.html).toContain('Elm Street sends you this because the law requires it.');
      for (const [why, words] of [
        ['contract', 'because of a contract with you.'],
        ['safety', 'for your safety.'],
      ] as const) {
        await send(await addTopic({ name: why, kind: 'required', why }));
        expect((await PostalMime.parse(server.mails.at(-1) ?? '')).text).toContain(
          `Elm Street sends you this ${words}`,
        );
      }
      await database.query(
        "insert into suppressions (workspace_id, channel, recipient, reason) values ($1, 'email', 'ann@example.com', 'bounced')",
        [workspace],
      );
      expect(await send(law)).toEqual({ status: 'skipped', reason: 'The recipient is on the suppression list' });
    });

    it('is neither in a test nor in account mail', async () => {
      const { json: reminder } = await dana.call('POST', '/api/reminders', {
        workspace,
        body: {
          name: 'Rent',
          status: 'draft',
          schedule_config: { type: 'scheduled', scheduleType: 'daily', timezone: 'UTC' },
          content,
          metadata: { channels: ['email'] },
        },
      });
      await dana.call('POST', `/api/reminders/${reminder.id}/test`, { workspace, body: content });
      const mail = await untilFound(cuebird.databaseUrl, async () => (await inbox())[0] ?? null);
      expect(Object.keys(mail.headers)).not.toContain('list-unsubscribe');
      expect(mail.text.trimEnd()).toBe('Pay, please');
    });
  });
});

function formData(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
