import { createHash, randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayInWords } from '#domain/day-in-words.ts';
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
  /** The page of a link. */
  const pageAt = (path: string, init: RequestInit = {}) =>
    fetch(`${cuebird.url}/unsubscribe/${path}`, { redirect: 'manual', ...init });
  const press = (of: string, fields: Record<string, string>, init: RequestInit = {}) =>
    pageAt(of, { method: 'POST', body: new URLSearchParams(fields), ...init });
  /** What somebody reads on the page, and its buttons. */
  async function read(of: string) {
    const text = await (await pageAt(of)).text();
    const buttons = [...text.matchAll(/<button[^>]* name="(\w+)" value="([^"]*)"[^>]*>(.*?)<\/button>/g)].map(
      ([, name = '', value = '', label = '']) => ({ [name]: value, label: label.replaceAll(/<[^>]*>/g, '') }),
    );
    const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(text) ?? [];
    return {
      title: /<h1>(.*?)<\/h1>/.exec(text)?.[1],
      words: main.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
      buttons,
    };
  }
  const labels = async (of: string) => (await read(of)).buttons.map(({ label }) => label);
  /** Presses the button with this label. */
  async function pressLabel(of: string, label: string) {
    const found = (await read(of)).buttons.find((button) => button.label === label);
    if (found === undefined) throw new Error(`no button ${label}`);
    const { label: _, ...fields } = found;
    return press(of, fields);
  }
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
  const list = (reason: string, covers = 'everything', at = new Date()) =>
    database.query(
      `insert into suppressions (workspace_id, channel, recipient, reason, covers, created_at) values ($1, 'email', 'ann@example.com', $2, $3, $4)`,
      [workspace, reason, covers, at],
    );
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

  it('shows any visitor what is sent to whom, and changes nothing', async () => {
    for (const method of ['GET', 'HEAD', 'GET']) expect((await pageAt(token, { method })).status).toBe(200);
    const answer = await pageAt(token);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
    });
    const page = await read(token);
    expect(page).toEqual({
      title: 'Unsubscribe?',
      words: expect.stringContaining('Elm Street sends reminders to Ann@Example.com by email.'),
      buttons: [{ leave: 'all', label: 'Unsubscribe' }],
    });
    for (const method of ['GET', 'HEAD'])
      for (const query of ['?leave=all', '?covers=optional', '?saved'])
        await Promise.all([at(`${token}${query}`, { method }), pageAt(`${token}${query}`, { method })]);
    expect(await suppressions()).toEqual([]);
  });

  it('has a page without a script, which allows none, and styles of its own alone', async () => {
    const answer = await pageAt(token);
    const text = await answer.text();
    const policy = answer.headers.get('content-security-policy') ?? '';
    const [, css = ''] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
      "img-src 'self'",
      "font-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(text).not.toMatch(/<script| on\w+=| style=|javascript:/i);
  });

  it('escapes every name', async () => {
    const evil = `<img src=x onerror=alert(1)>"'&`;
    await database.query('update workspaces set name = $2 where id = $1', [workspace, evil]);
    const named = await dana.call('POST', '/api/topics', { workspace, body: { name: evil } });
    await dana.call('POST', '/api/topics', { workspace, body: { name: `${evil}2`, kind: 'required', why: 'law' } });
    const of = tokens.seal({
      stops: 'messages',
      workspaceId: workspace,
      channel: 'email',
      recipient: `${evil}@example.com`,
      topicId: named.json.id,
    });
    for (const _ of ['asked', 'left']) {
      const text = await (await pageAt(of)).text();
      expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;');
      expect(text).not.toContain('<img src=x');
      await press(of, { leave: named.json.id });
    }
  });

  it('in the header of a mail leads to the page, whoever opens it', async () => {
    for (const headers of [{ accept: 'text/html,*/*;q=0.8' }, {}] as HeadersInit[]) {
      const answer = await at(token, { headers });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/unsubscribe/${token}`]);
    }
    expect(await suppressions()).toEqual([]);
  });

  it('unsubscribes by the one-click request of a mail program, once, without cookie or origin (RFC 8058)', async () => {
    for (let n = 0; n < 3; n++) {
      const answer = await at(token, oneClick);
      expect([answer.status, await answer.json()]).toEqual([200, {}]);
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

  it('unsubscribes by the button of its page, which leads to what holds then', async () => {
    const answer = await pressLabel(token, 'Unsubscribe');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/unsubscribe/${token}?saved`]);
    expect(await suppressions()).toEqual([ann]);
    expect(await read(`${token}?saved`)).toMatchObject({
      title: 'You are unsubscribed',
      words: expect.stringContaining('Saved. Elm Street sends no more reminders to Ann@Example.com by email.'),
    });
    await press(token, { leave: 'all' });
    expect(await suppressions()).toEqual([ann]);
  });

  it.each<[string, RequestInit]>([
    ['without a button', { body: new URLSearchParams() }],
    ['with an unknown one', { body: new URLSearchParams({ stop: 'all' }) }],
    ['with two', { body: new URLSearchParams({ leave: 'all', undo: randomUUID() }) }],
    [
      'with one twice',
      { body: 'leave=all&leave=all', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['with what is no id', { body: new URLSearchParams({ leave: "' or 1=1" }) }],
    ['with a topic that is not there', { body: new URLSearchParams({ leave: randomUUID() }) }],
    ['as JSON', { body: '{"leave":"all"}', headers: { 'content-type': 'application/json' } }],
    ['as multipart', { body: formData({ leave: 'all' }) }],
  ])('does nothing for a form %s, and says so on a page', async (_, init) => {
    const answer = await pageAt(token, { method: 'POST', ...init });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('<h1>This did not work</h1>');
    expect(await suppressions()).toEqual([]);
  });

  it('refuses a form that is larger than any of its page', async () => {
    const answer = await press(token, { leave: 'all', filler: 'x'.repeat(17 * 1024) });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
    expect(await suppressions()).toEqual([]);
  });

  it('can be undone by the same link', async () => {
    await at(token, oneClick);
    for (let n = 0; n < 2; n++) {
      const undo = (await read(token)).buttons.find(({ label }) => label === 'Undo')?.undo;
      if (n === 0) expect((await press(token, { undo: undo ?? '' })).status).toBe(303);
    }
    expect(await read(`${token}?saved`)).toMatchObject({ title: 'You are subscribed' });
    expect(await suppressions()).toEqual([]);
  });

  it('is not undone by an older undo request', async () => {
    await at(token, oneClick);
    const [before] = (await read(token)).buttons;
    await press(token, { undo: before?.undo ?? '' });
    await at(token, oneClick);
    await press(token, { undo: before?.undo ?? '' });
    expect(await suppressions()).toEqual([ann]);
  });

  it('undoes for a day what a link has done, and nothing older: links are forwarded', async () => {
    await list('unsubscribed', 'optional', hoursAgo(23.9));
    expect(await labels(token)).toEqual(['Undo']);
    await database.query("update suppressions set created_at = '2026-03-02T12:00:00Z' where workspace_id = $1", [
      workspace,
    ]);
    expect(await read(token)).toMatchObject({
      buttons: [],
      words: expect.stringContaining(
        'You asked for this on 2 Mar 2026. To get messages again, have a link sent to you, or ask Elm Street.',
      ),
    });
    const { rows } = await database.query('select id from suppressions where workspace_id = $1', [workspace]);
    await press(token, { undo: rows[0].id });
    // A second click does not make it younger.
    await at(token, oneClick);
    await press(token, { undo: rows[0].id });
    expect(await suppressions()).toEqual([ann]);
  });

  it.each(['manual', 'bounced', 'complained', 'stopped'])(
    'does not take back what is on the list as %s, nor its reason',
    async (reason) => {
      await list(reason);
      const listed = { ...ann, reason, covers: 'everything' };
      await at(token, oneClick);
      expect(await read(token)).toMatchObject({
        title: 'You are unsubscribed',
        words: expect.stringContaining('To get messages again, ask Elm Street.'),
        buttons: [],
      });
      // The wish of the recipient stands beside it, also once the entry for everything is removed.
      expect(await suppressions()).toEqual([listed, ann]);
      const { rows } = await database.query('select id from suppressions where workspace_id = $1', [workspace]);
      for (const { id } of rows) await press(token, { undo: id });
      expect(await suppressions()).toEqual([listed]);
    },
  );

  describe('pauses optional messages', () => {
    const dayIn = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
    const until = (days: number) => ({ pause_until: dayIn(days) });
    const pauses = async () =>
      (
        await database.query<{ ends: string; covers: string; by: null; id: string }>(
          "select id, ends_at::text as ends, covers, created_by as by from suppressions where workspace_id = $1 and reason = 'paused'",
          [workspace],
        )
      ).rows;
    const inWords = (days: number) => dayInWords(dayIn(days));

    it('until a day, which the link shows, moves and takes back', async () => {
      expect((await press(token, until(10))).status).toBe(303);
      expect(await pauses()).toMatchObject([{ ends: `${dayIn(10)} 00:00:00+00`, covers: 'optional', by: null }]);
      expect(await read(token)).toMatchObject({
        title: 'Messages are paused',
        words: expect.stringContaining(`sends no messages to Ann@Example.com by email until ${inWords(10)}.`),
      });
      // The later day wins, and within a day also the earlier one.
      for (const days of [20, 5]) {
        await press(token, until(days));
        expect(await pauses()).toMatchObject([{ ends: `${dayIn(days)} 00:00:00+00` }]);
      }
      await pressLabel(token, 'End the pause');
      expect(await suppressions()).toEqual([]);
    });

    it('for a year at most, from tomorrow on', async () => {
      for (const days of [-1, 0, 367]) {
        const answer = await press(token, until(days));
        expect([answer.status, await answer.text()]).toEqual([
          400,
          expect.stringContaining(`Choose a day from ${inWords(1)} to ${inWords(366)}`),
        ]);
      }
      for (const pause_until of ['', 'tomorrow', '2026-02-30', '9999999-01-01'])
        expect((await press(token, { pause_until })).status).toBe(400);
      expect(await suppressions()).toEqual([]);
      for (const days of [1, 366]) expect((await press(token, until(days))).status).toBe(303);
    });

    it('until that day begins in the zone of the workspace', async () => {
      await database.query(
        `update workspaces set settings = '{"sendingHours": {"timezone": "America/New_York"}}' where id = $1`,
        [workspace],
      );
      await press(token, until(10));
      const midnight = Temporal.PlainDate.from(dayIn(10)).toZonedDateTime('America/New_York').toInstant();
      const [pause] = await pauses();
      expect(Temporal.Instant.from((pause?.ends ?? '').replace(' ', 'T')).toString()).toBe(midnight.toString());
      expect((await read(token)).words).toContain(`Paused until ${inWords(10)}`);
    });

    it('for no shorter time where the pause is older than a day: links are forwarded', async () => {
      await press(token, until(10));
      const [pause] = await pauses();
      await database.query("update suppressions set created_at = now() - interval '25 hours' where workspace_id = $1", [
        workspace,
      ]);
      expect((await read(token)).words).toContain('To get messages sooner, have a link sent to you.');
      expect((await press(token, until(5))).status).toBe(400);
      await press(token, { undo: pause?.id ?? '' });
      expect(await pauses()).toMatchObject([{ ends: `${dayIn(10)} 00:00:00+00` }]);
      // It gets longer, and does not get younger by that.
      await press(token, until(30));
      await press(token, { undo: pause?.id ?? '' });
      await press(token, until(5));
      expect(await pauses()).toMatchObject([{ ends: `${dayIn(30)} 00:00:00+00` }]);
    });

    it('beside what is left: taking that back leaves the pause', async () => {
      await press(token, until(10));
      await press(token, { leave: 'all' });
      expect(await read(token)).toMatchObject({ title: 'You are unsubscribed' });
      expect((await read(token)).words).not.toContain('Paused');
      await pressLabel(token, 'Undo');
      expect(await pauses()).toHaveLength(1);
      // A new pause is made where one has ended.
      await database.query(
        "update suppressions set ends_at = now() - interval '1 day', created_at = '2020-01-01' where workspace_id = $1",
        [workspace],
      );
      expect((await read(token)).words).not.toContain('Paused');
      await press(token, until(3));
      expect(await pauses()).toMatchObject([{ ends: `${dayIn(3)} 00:00:00+00` }]);
      await pressLabel(token, 'End the pause');
      expect(await suppressions()).toEqual([]);
    });

    it('and members see until when, and an admin ends it', async () => {
      await press(token, until(10));
      const { json } = await dana.call('GET', '/api/suppressions?reason=paused', { workspace });
      expect(json.data).toMatchObject([
        { reason: 'paused', covers: 'optional', ends_at: `${dayIn(10)}T00:00:00.000Z` },
      ]);
      expect((await dana.call('DELETE', `/api/suppressions/${json.data[0].id}`, { workspace })).status).toBe(200);
      await press(token, until(10));
      await database.query("update suppressions set ends_at = now() - interval '1 second' where workspace_id = $1", [
        workspace,
      ]);
      expect((await dana.call('GET', '/api/suppressions', { workspace })).json.data).toEqual([]);
    });

    it('and webhooks hear of it, also where the day is moved', async () => {
      const webhook = {
        url: 'https://hooks.example.com/',
        activity_types: ['recipient.paused', 'recipient.unsubscribed'],
      };
      await dana.call('POST', '/api/webhooks', { workspace, body: webhook });
      for (const days of [10, 20]) await press(token, until(days));
      const { rows } = await database.query<{ body: { type: string; data: object } }>(
        'select body::json as body from webhook_activities where workspace_id = $1 order by occurred_at, id',
        [workspace],
      );
      expect(rows.map(({ body: { type, data } }) => ({ type, data }))).toMatchObject(
        [10, 20].map((days) => ({
          type: 'recipient.paused',
          data: {
            recipient: 'ann@example.com',
            reason: 'paused',
            covers: 'optional',
            ends_at: `${dayIn(days)}T00:00:00.000Z`,
          },
        })),
      );
    });
  });

  it('takes back no entry of another address, channel or workspace', async () => {
    const elsewhere = await dana.createWorkspace('Oak Street');
    const { rows } = await database.query(
      `insert into suppressions (workspace_id, channel, recipient, reason, covers) values
         ($1, 'email', 'bea@example.com', 'unsubscribed', 'optional'), ($1, 'sms', 'ann@example.com', 'unsubscribed', 'optional'),
         ($2, 'email', 'ann@example.com', 'unsubscribed', 'optional') returning id`,
      [workspace, elsewhere],
    );
    for (const { id } of rows) await press(token, { undo: id });
    expect([...(await suppressions()), ...(await suppressions(elsewhere))]).toHaveLength(3);
  });

  describe('of a message with a topic', () => {
    let events: string;
    let withTopic: string;
    const to = { stops: 'messages', channel: 'email', recipient: 'Ann@Example.com' } as const;
    const addTopic = async (body: object) => (await dana.call('POST', '/api/topics', { workspace, body })).json.id;
    const ofTopic = () => ({ ...ann, covers: 'topic', topic_id: events });
    beforeEach(async () => {
      events = await addTopic({ name: 'Events' });
      withTopic = tokens.seal({ ...to, workspaceId: workspace, topicId: events });
    });

    it('ends this topic by one click, and all optional ones where the page asks so', async () => {
      expect(await read(withTopic)).toMatchObject({
        title: 'Stop Events?',
        buttons: [
          { leave: events, label: 'Stop Events' },
          { leave: 'all', label: 'Stop all messages from Elm Street' },
        ],
      });
      await at(withTopic, oneClick);
      expect(await read(withTopic)).toMatchObject({ title: 'You have left Events' });
      expect(await suppressions()).toEqual([ofTopic()]);
      await pressLabel(withTopic, 'Stop all messages from Elm Street');
      expect(await suppressions()).toEqual([ann, ofTopic()]);
      // The wider entry is taken back first, and what was left before stays left.
      expect(await labels(withTopic)).toEqual(['Undo']);
      await pressLabel(withTopic, 'Undo');
      expect(await suppressions()).toEqual([ofTopic()]);
      await pressLabel(withTopic, 'Undo');
      expect(await read(`${withTopic}?saved`)).toMatchObject({ title: 'You get Events' });
      expect(await suppressions()).toEqual([]);
    });

    it('undoes no wider entry of an earlier day, whatever it names', async () => {
      await list('unsubscribed', 'optional', hoursAgo(25));
      await at(withTopic, oneClick);
      const { rows } = await database.query('select id from suppressions where workspace_id = $1', [workspace]);
      for (const { id } of rows) await press(withTopic, { undo: id });
      expect(await suppressions()).toEqual([ann]);
      expect(await labels(withTopic)).toEqual([]);
      await database.query('delete from suppressions where workspace_id = $1', [workspace]);
      await at(withTopic, oneClick);
      await database.query("update suppressions set created_at = '2026-03-02' where workspace_id = $1", [workspace]);
      expect(await read(withTopic)).toMatchObject({
        title: 'You have left Events',
        words: expect.stringContaining(
          'You asked for this on 2 Mar 2026. To get messages again, have a link sent to you, or ask Elm Street.',
        ),
        buttons: [{ leave: 'all', label: 'Stop all messages from Elm Street' }],
      });
    });

    it('lists the other topics, each of which is left and taken back alone', async () => {
      const news = await addTopic({ name: 'News' });
      await addTopic({ name: 'Notices', kind: 'required', why: 'law' });
      const old = await addTopic({ name: 'Old one' });
      await dana.call('PATCH', `/api/topics/${old}`, { workspace, body: { is_archived: true } });
      const one = 'Stop all optional messages from Elm Street';
      expect(await labels(withTopic)).toEqual(['Stop Events', one, 'Stop News']);
      expect(await labels(token)).toEqual([one, 'Stop Events', 'Stop News']);
      await pressLabel(token, 'Stop News');
      expect(await suppressions()).toEqual([{ ...ann, covers: 'topic', topic_id: news }]);
      expect(await labels(withTopic)).toEqual(['Stop Events', one, 'Undo and get News again']);
      await pressLabel(withTopic, 'Undo and get News again');
      expect(await suppressions()).toEqual([]);
      // Nobody chooses an archived topic any more; whoever left it sees that.
      await database.query(
        "insert into suppressions (workspace_id, channel, recipient, reason, covers, topic_id, created_at) values ($1, 'email', 'ann@example.com', 'unsubscribed', 'topic', $2, '2026-03-02T12:00:00Z')",
        [workspace, old],
      );
      expect((await read(withTopic)).words).toContain(
        'Old one Left on 2 Mar 2026. To get it again, have a link sent to you.',
      );
      await press(withTopic, { leave: 'all' });
      expect(await labels(withTopic)).toEqual(['Undo']);
    });

    it('leaves no topic that is required', async () => {
      const law = await addTopic({ name: 'Notices', kind: 'required', why: 'law' });
      expect((await press(withTopic, { leave: law })).status).toBe(400);
      expect(await suppressions()).toEqual([]);
    });

    it('says what nobody can leave, by name', async () => {
      await addTopic({ name: 'Rent', kind: 'required', why: 'contract' });
      await addTopic({ name: 'Notices', kind: 'required', why: 'law' });
      const old = await addTopic({ name: 'Alarms', kind: 'required', why: 'safety' });
      await dana.call('PATCH', `/api/topics/${old}`, { workspace, body: { is_archived: true } });
      const words = 'Notices, because the law requires it Rent, because of a contract with you';
      expect((await read(withTopic)).words).toContain(words);
      await at(withTopic, oneClick);
      const { words: left } = await read(withTopic);
      expect(left).toContain(words);
      expect(left).not.toContain('Alarms');
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
      expect(await labels(foreign)).toEqual(['Unsubscribe']);
      expect((await press(foreign, { leave: events })).status).toBe(400);
      await at(foreign, oneClick);
      expect(await suppressions(elsewhere)).toEqual([ann]);
    });

    it('keeps the words of the opt-out: everything by STOP, which START lifts alone', async () => {
      await at(withTopic, oneClick);
      await list('stopped');
      expect(await read(withTopic)).toMatchObject({ title: 'You are unsubscribed', buttons: [] });
      expect(await suppressions()).toEqual([{ ...ann, covers: 'everything', reason: 'stopped' }, ofTopic()]);
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
    for (const path of wrong) {
      const answers = await Promise.all([
        pageAt(path),
        press(path, { leave: 'all' }),
        press(path, { undo: randomUUID() }),
      ]);
      for (const answer of answers) {
        expect([path.slice(0, 80), answer.status]).toEqual([path.slice(0, 80), 404]);
        expect(await answer.text()).toContain('<h1>This link does not work</h1>');
      }
      const byProgram = await at(path, oneClick);
      expect([path.slice(0, 80), byProgram.status]).toEqual([path.slice(0, 80), 404]);
      expect((await byProgram.json()).error.message).toBe('There is no such link to unsubscribe');
    }
    expect(await suppressions()).toEqual([]);
  });

  it('answers 404 once its workspace is deleted', async () => {
    await database.query('delete from workspaces where id = $1', [workspace]);
    expect((await pageAt(token)).status).toBe(404);
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
      await pressLabel(own ?? '', 'Undo');
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
      expect(await send(law)).toEqual({
        status: 'skipped',
        reason: 'Cannot be reached: the recipient is on the suppression list',
      });
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

it('a page of a link takes 200 forms of a network in an hour, and one click of a mail program is never counted', async () => {
  const cuebird = await startTestCuebird({ hasLimits: true });
  const dana = await cuebird.signUp('Dana');
  const workspaceId = await dana.createWorkspace('Elm Street');
  const token = tokens.seal({ stops: 'messages', workspaceId, channel: 'email', recipient: 'ann@example.com' });
  const press = () =>
    fetch(`${cuebird.url}/unsubscribe/${token}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ leave: 'all' }),
    });
  expect((await press()).status).toBe(303);
  await cuebird.owner.query("update request_counts set used = 199 where bucket = 'links.network'");
  expect((await press()).status).toBe(303);
  const refused = await press();
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.closeTo(3_600, -2)]);
  expect(await refused.text()).toMatch(/Too many changes came from your network\. Try again in \d+ minutes\./);
  expect((await fetch(`${cuebird.url}/unsubscribe/${token}`)).status).toBe(200);
  expect((await fetch(`${cuebird.url}/api/unsubscribe/${token}`, { method: 'POST' })).status).toBe(200);
  await cuebird.stop();
});

function formData(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
