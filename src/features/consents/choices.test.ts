import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { ann, type CallbackFixture, openCallbackFixture } from '#testing/callback-fixture.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { addMember } from '#testing/owner.ts';

const tokens = createUnsubscribeTokens(createSecretBox(TEST_ENCRYPTION_KEY));

describe('what people choose stands on the list and in the record of consents', () => {
  let fixture: CallbackFixture;
  let dana: CallbackFixture['dana'];
  let database: CallbackFixture['database'];
  let workspace: string;
  let callbackUrl: string;
  beforeAll(async () => {
    fixture = await openCallbackFixture();
    ({ dana, database } = fixture);
  });
  beforeEach(async () => {
    const renewed = await fixture.renew();
    workspace = renewed.workspace;
    callbackUrl = renewed.channel.callback_url;
  });
  afterAll(() => fixture.close());

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const record = async () =>
    (await call('GET', '/api/consents')).json.data
      .toReversed()
      .map(({ channel, recipient, kind, covers, method, by }: any) =>
        [channel, recipient, kind, covers, method, by.name ?? by.kind].join(' '),
      );
  const list = async () =>
    (await call('GET', '/api/suppressions')).json.data.map(({ recipient, reason, covers }: any) =>
      [recipient, reason, covers].join(' '),
    );
  const reply = (Body: string) =>
    fixture.post(callbackUrl, {
      MessageSid: `SM${randomUUID().replaceAll('-', '')}`,
      SmsStatus: 'received',
      From: ann,
      Body,
    });
  const link = (recipient: string, topicId?: string) =>
    tokens.seal({
      stops: 'messages',
      workspaceId: workspace,
      channel: 'email',
      recipient,
      ...(topicId !== undefined && { topicId }),
    });
  const oneClick = (token: string) => fetch(`${fixture.cuebird.url}/api/unsubscribe/${token}`, { method: 'POST' });
  const press = async (token: string, fields: Record<string, string>) =>
    (
      await fetch(`${fixture.cuebird.url}/unsubscribe/${token}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin: fixture.cuebird.url },
        body: new URLSearchParams(fields),
      })
    ).status;

  it('by STOP and START, each as the person’s own word', async () => {
    await reply('STOP');
    expect(await list()).toEqual([`${ann} stopped everything`]);
    await reply('START');
    expect(await list()).toEqual([]);
    expect(await record()).toEqual([
      `sms ${ann} withdrawn everything reply recipient`,
      `sms ${ann} lifted everything reply recipient`,
    ]);
    const { data } = (await call('GET', '/api/consents?method=reply')).json;
    expect(data[0].source).toMatchObject({ provider: 'twilio', message_id: expect.stringMatching(/^SM/) });
  });

  it('by START only what STOP has ended: neither a consent to everything, nor anything to whoever had not stopped', async () => {
    await reply('START');
    expect(await record()).toEqual([]);
    const { json: events } = await call('POST', '/api/topics', { name: 'Events' });
    const about = { channel: 'sms', recipient: ann, covers: 'topic', topic_id: events.id, how: 'phone' };
    await call('POST', '/api/consents', { consents: [{ ...about, kind: 'given', text: 'Text me about events.' }] });
    await reply('STOP');
    await reply('STOPALL');
    await reply('START');
    await reply('START');
    expect(await list()).toEqual([]);
    expect(await record()).toEqual([
      `sms ${ann} given topic member Dana`,
      `sms ${ann} withdrawn everything reply recipient`,
      `sms ${ann} withdrawn everything reply recipient`,
      `sms ${ann} given topic reply recipient`,
    ]);
    const { data } = (await call('GET', '/api/consents?kind=given&method=reply')).json;
    expect(data).toMatchObject([{ topic_name: 'Events', text: 'Text me about events.' }]);
  });

  it('by START back to what counted before, without what had been withdrawn', async () => {
    const { json: events } = await call('POST', '/api/topics', { name: 'Events' });
    const about = { channel: 'sms', recipient: ann, how: 'phone' };
    const everything = { ...about, kind: 'given', text: 'Text me.' };
    await call('POST', '/api/consents', { consents: [everything] });
    await call('POST', '/api/consents', {
      consents: [{ ...about, kind: 'withdrawn', covers: 'topic', topic_id: events.id }],
    });
    await reply('STOP');
    await reply('START');
    expect((await record()).slice(-2).toSorted()).toEqual([
      `sms ${ann} given everything reply recipient`,
      `sms ${ann} withdrawn topic reply recipient`,
    ]);
    expect(await list()).toEqual([`${ann} manual topic`]);
  });

  /** The entries that a link has made, by which it takes them back. */
  const undoable = async () =>
    (await call('GET', '/api/suppressions')).json.data.map(({ id }: { id: string }) => id) as string[];

  it('by a link and its undo, with the address of the request, and once however often it is opened', async () => {
    const { json: events } = await call('POST', '/api/topics', { name: 'Events' });
    const token = link('ann@example.com', events.id);
    await oneClick(token);
    await oneClick(token);
    expect(await list()).toEqual(['ann@example.com unsubscribed topic']);
    const [id = ''] = await undoable();
    expect(await press(token, { undo: id })).toBe(303);
    await press(token, { undo: id });
    expect(await record()).toEqual([
      'email ann@example.com withdrawn topic link recipient',
      'email ann@example.com lifted topic link recipient',
    ]);
    const { data } = (await call('GET', '/api/consents')).json;
    expect(data[0]).toMatchObject({ topic_id: events.id, topic_name: 'Events', client_address: expect.any(String) });
    expect(data[0].client_address).not.toBe('');
  });

  it('is undone ten times a day by a link, and not an eleventh time', async () => {
    const token = link('ann@example.com');
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) {
      await oneClick(token);
      const [id = ''] = await undoable();
      statuses.push(await press(token, { undo: id }));
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 303), 429]);
    expect(await list()).toEqual(['ann@example.com unsubscribed optional']);
    expect((await record()).length).toBe(21);
  });

  it('by a member, who is named, and whose removal of an entry is no consent', async () => {
    const mo = await fixture.cuebird.signUp('Mo');
    await addMember(database, { workspace, userId: mo.userId, role: 'admin' });
    const { json: entry } = await call('POST', '/api/suppressions', { channel: 'sms', recipient: ann });
    await mo.call('DELETE', `/api/suppressions/${entry.id}`, { workspace });
    expect(await record()).toEqual([
      `sms ${ann} withdrawn everything member Dana`,
      `sms ${ann} lifted everything member Mo`,
    ]);
    const refused = await call('POST', '/api/suppressions', { channel: 'sms', recipient: ann });
    expect(refused.status).toBe(201);
    expect((await call('POST', '/api/suppressions', { channel: 'sms', recipient: ann })).status).toBe(409);
    expect((await record()).length).toBe(3);
  });

  it('says to what an entry was narrowed, which is no consent either', async () => {
    const { json: entry } = await call('POST', '/api/suppressions', { channel: 'sms', recipient: ann });
    await call('PATCH', `/api/suppressions/${entry.id}`, { covers: 'optional' });
    const { data } = (await call('GET', '/api/consents?kind=lifted')).json;
    expect(data).toMatchObject([{ method: 'member', source: { narrowed_to: 'all optional topics' } }]);
  });

  it('has nothing of a mailbox that does not exist: it said nothing', async () => {
    const file = { format: 'cuebird-workspace', version: 1 };
    const entry = { channel: 'sms', covers: 'everything', created_at: '2026-01-02T09:00:00Z' };
    const suppressions = [
      { ...entry, channel: 'email', recipient: 'gone@example.com', reason: 'bounced' },
      { ...entry, recipient: ann, reason: 'stopped' },
    ];
    const path = `/api/workspaces/${workspace}/import?mode=import`;
    expect((await call('POST', path, { ...file, suppressions })).status).toBe(200);
    expect((await list()).toSorted()).toEqual([`${ann} stopped everything`, 'gone@example.com bounced everything']);
    expect(await record()).toEqual([`sms ${ann} withdrawn everything import Dana`]);
  });

  it('is never changed nor deleted, not even by the roles that write it', async () => {
    await call('POST', '/api/suppressions', { channel: 'sms', recipient: ann });
    const { rows } = await database.query<{ role: string; right: string }>(
      `select r as role, p as right from unnest(array['cuebird_app', 'cuebird_engine', 'cuebird_auth']) r,
              unnest(array['update', 'delete', 'truncate']) p, unnest(array['consents', 'consent_texts']) t
        where has_table_privilege(r, t, p) or (p = 'update' and has_any_column_privilege(r, t, p))`,
    );
    expect(rows).toEqual([]);
  });
});
