import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

const text = 'Yes, text me when the rent is due. I can stop it any time by answering STOP.';
const ann = '+4917012345678';

describe('consents', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let mo: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    [dana, mo] = [await cuebird.signUp('Dana'), await cuebird.signUp('Mo')];
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    await addMember(database, { workspace, userId: mo.userId, role: 'member' });
  });
  afterAll(() => cuebird.stop());

  const call = (method: string, path: string, body?: unknown, as = dana) => as.call(method, path, { workspace, body });
  const given = { channel: 'sms', recipient: ann, kind: 'given', text };
  const record = (consents: unknown[], as = mo) => call('POST', '/api/consents', { consents }, as);
  const list = async (query = '') => (await call('GET', `/api/consents${query}`)).json.data;
  async function key(scopes: string[]) {
    const { json } = await call('POST', '/api/api-keys', { name: 'Website', scopes });
    return async (consents: unknown[], headers: Record<string, string> = {}) => {
      const answer = await fetch(`${cuebird.url}/api/consents`, {
        method: 'POST',
        headers: { authorization: `Bearer ${json.key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ consents }),
      });
      return { status: answer.status, json: await answer.json() };
    };
  }

  it('noted by a member have the exact text, who told them, how and when', async () => {
    const { status, json } = await record([
      { ...given, recipient: '+49 170 1234 5678', how: 'phone', said_at: '2026-01-02T10:00:00+01:00' },
    ]);
    expect([status, json.data]).toEqual([200, [{ id: expect.any(String), result: 'recorded' }]]);
    expect(await list()).toEqual([
      {
        id: json.data[0].id,
        workspace_id: workspace,
        channel: 'sms',
        recipient: ann,
        kind: 'given',
        covers: 'everything',
        topic_id: null,
        topic_name: null,
        method: 'member',
        text,
        source: { how: 'phone' },
        said_at: '2026-01-02T09:00:00.000Z',
        by: { kind: 'person', name: 'Mo' },
        client_address: expect.any(String),
        created_at: expect.any(String),
      },
    ]);
  });

  it('of a program are told once, however often they are sent, with where the person said it', async () => {
    const post = await key(['manage']);
    const one = {
      ...given,
      said_at: '2026-01-02T09:00:00Z',
      form: 'https://example.com/join',
      client_address: '192.0.2.7',
    };
    expect((await post([one, one])).json.data.map(({ result }: any) => result)).toEqual(['recorded', 'known']);
    expect((await post([one])).json.data[0].result).toBe('known');
    expect((await post([{ ...one, said_at: '2026-01-03T09:00:00Z' }])).json.data[0].result).toBe('recorded');
    const found = await list();
    expect(found.map(({ said_at: at }: any) => at)).toEqual(['2026-01-03T09:00:00.000Z', '2026-01-02T09:00:00.000Z']);
    expect(found[0]).toMatchObject({
      method: 'api',
      by: { kind: 'api_key', name: 'Website' },
      source: { form: 'https://example.com/join', client_address: '192.0.2.7' },
    });
    const { rows } = await database.query('select text from consent_texts where workspace_id = $1', [workspace]);
    expect(rows).toEqual([{ text }]);
  });

  it('are answered by the same words for the same Idempotency-Key', async () => {
    const post = await key(['manage']);
    const headers = { 'idempotency-key': 'join-17' };
    const first = await post([given], headers);
    expect(await post([given], headers)).toEqual(first);
    expect((await list()).length).toBe(1);
  });

  it('that are withdrawn put the recipient on the suppression list, and one that is given takes nobody off it', async () => {
    const { json: events } = await call('POST', '/api/topics', { name: 'Events' });
    await record([
      { channel: 'sms', recipient: ann, kind: 'withdrawn', how: 'phone' },
      {
        channel: 'email',
        recipient: 'Ann@Example.com',
        kind: 'withdrawn',
        covers: 'topic',
        topic_id: events.id,
        how: 'writing',
      },
    ]);
    await record([{ ...given, how: 'phone' }]);
    const entries = (await call('GET', '/api/suppressions')).json.data;
    expect(entries.map((e: any) => [e.recipient, e.reason, e.covers, e.topic_name, e.created_by_name])).toEqual(
      expect.arrayContaining([
        [ann, 'manual', 'everything', null, 'Mo'],
        ['ann@example.com', 'manual', 'topic', 'Events', 'Mo'],
      ]),
    );
    expect(entries.length).toBe(2);
  });

  it('stand in the audit log, a request once for each kind', async () => {
    await record([
      { ...given, how: 'phone' },
      { ...given, recipient: '+4917012345679', how: 'phone' },
      { channel: 'sms', recipient: '+4917012345670', kind: 'withdrawn', how: 'phone' },
    ]);
    const { rows } = await database.query(
      "select action, details from audit_log where workspace_id = $1 and action like 'consent.%' order by id",
      [workspace],
    );
    expect(rows).toEqual([
      { action: 'consent.given', details: { channel: 'sms', recipient: '+49…678', others: 1 } },
      { action: 'consent.withdrawn', details: { channel: 'sms', recipient: '+49…670' } },
    ]);
  });

  it.each([
    ['without the text that was agreed to', { text: undefined }, 'text', 'Enter what they agreed to, word for word'],
    ['of a member who does not say how they were told', { how: undefined }, 'how', 'Say how they told you'],
    ['from the future', { said_at: '2099-01-01T00:00:00Z' }, 'said_at', 'must not be in the future'],
    [
      'for a topic of another workspace',
      { covers: 'topic', topic_id: '00000000-0000-4000-8000-000000000000' },
      'topic_id',
      'There is no such topic in this workspace',
    ],
    [
      'of what is no number',
      { recipient: 'Ann' },
      'recipient',
      '“Ann” is not a phone number with its country code, such as +491701234567',
    ],
    ['with a text of 4,001 characters', { text: 'x'.repeat(4_001) }, 'text', 'must be at most 4000 characters'],
  ])('%s are refused, with the field, and nothing of the request is recorded', async (_, changed, field, message) => {
    const { status, json } = await record([
      { ...given, how: 'phone' },
      { ...given, how: 'phone', ...changed },
    ]);
    expect([status, json.error.fields]).toEqual([400, [{ path: `consents.1.${field}`, message }]]);
    expect(await list()).toEqual([]);
  });

  it('above a thousand in a request are refused', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        ...given,
        recipient: `+4917010${String(n).padStart(5, '0')}`,
        how: 'writing',
      }));
    expect((await record(many(1_001))).status).toBe(400);
    expect((await record(many(1_000))).status).toBe(200);
    const { rows } = await database.query('select count(*)::int as count from consents where workspace_id = $1', [
      workspace,
    ]);
    expect(rows).toEqual([{ count: 1_000 }]);
  });

  it('of a required topic cannot be withdrawn alone', async () => {
    const { json: notices } = await call('POST', '/api/topics', { name: 'Notices', kind: 'required', why: 'law' });
    const { status, json } = await record([
      { channel: 'sms', recipient: ann, kind: 'withdrawn', covers: 'topic', topic_id: notices.id, how: 'phone' },
    ]);
    expect([status, json.error.fields[0].path]).toEqual([400, 'consents.0.topic_id']);
  });

  it('of a contact are listed newest first, page by page, at its address and its number', async () => {
    const { json: contact } = await call('POST', '/api/contacts', {
      name: 'Ann',
      email: 'ann@example.com',
      phone: ann,
    });
    await record([
      { ...given, how: 'phone', said_at: '2026-01-02T09:00:00Z' },
      { ...given, channel: 'email', recipient: 'ANN@example.com', how: 'writing', said_at: '2026-01-04T09:00:00Z' },
      { ...given, recipient: '+4917099999999', how: 'phone' },
      { ...given, kind: 'withdrawn', how: 'phone', said_at: '2026-01-03T09:00:00Z' },
    ]);
    const path = `/api/contacts/${contact.id}/consents?limit=2`;
    const first = (await call('GET', path)).json;
    const second = (await call('GET', `${path}&cursor=${first.next_cursor}`)).json;
    expect([...first.data, ...second.data].map(({ channel, kind }: any) => `${channel} ${kind}`)).toEqual([
      'email given',
      'sms withdrawn',
      'sms given',
    ]);
    expect(second.next_cursor).toBeNull();
  });

  it('are seen in their own workspace alone, and found by recipient, kind and method', async () => {
    await record([
      { ...given, how: 'phone' },
      { channel: 'email', recipient: 'ann@example.com', kind: 'withdrawn', how: 'phone' },
    ]);
    expect((await list('?recipient=Ann@Example.com')).length).toBe(1);
    expect((await list('?kind=given&method=member&channel=sms')).length).toBe(1);
    const other = await dana.createWorkspace('Oak Street');
    expect((await dana.call('GET', '/api/consents', { workspace: other })).json.data).toEqual([]);
  });

  it('stay as they are when who noted them is renamed or gone', async () => {
    const guest = await cuebird.signUp('Gus');
    await addMember(database, { workspace, userId: guest.userId, role: 'member' });
    await record([{ ...given, how: 'phone' }], guest);
    await database.query('delete from profiles where id = $1', [guest.userId]);
    expect((await list())[0].by).toEqual({ kind: 'person', name: 'Gus' });
  });

  it('of a contact without an address or number are none', async () => {
    const { json: contact } = await dana.call('POST', '/api/contacts', { workspace, body: { name: 'Nobody' } });
    const answer = await dana.call('GET', `/api/contacts/${contact.id}/consents`, { workspace });
    expect([answer.status, answer.json.data]).toEqual([200, []]);
  });
});
