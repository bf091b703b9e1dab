import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

const text = 'Yes, text me.';
const ann = '+4917012345678';

describe('the proof of a consent', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const call = (method: string, path: string, body?: unknown, as = dana) => as.call(method, path, { workspace, body });
  const note = async (...consents: object[]) =>
    (
      await call('POST', '/api/consents', {
        consents: consents.map((one) => ({
          channel: 'sms',
          recipient: ann,
          kind: 'given',
          text,
          how: 'phone',
          ...one,
        })),
      })
    ).json.data.map(({ id }: { id: string }) => id);
  const proof = async (recipient = ann, channel = 'sms') =>
    call('GET', `/api/consents/proof?${new URLSearchParams({ channel, recipient })}`);
  const file = async (query: string, as = dana) => {
    const answer = await fetch(`${cuebird.url}/api/consents/export?workspace=${workspace}&${query}`, {
      headers: { cookie: as.cookie },
    });
    return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() };
  };

  it('has every word of a number with its text, those that count now, and what the suppression list says', async () => {
    const { json: events } = await call('POST', '/api/topics', { name: 'Events' });
    const [first, topical, left] = await note(
      { said_at: '2026-01-01T09:00:00Z' },
      { covers: 'topic', topic_id: events.id, said_at: '2026-01-02T09:00:00Z' },
      { kind: 'withdrawn', covers: 'topic', topic_id: events.id, said_at: '2026-01-03T09:00:00Z' },
      { channel: 'whatsapp' },
      { recipient: '+4917099999999' },
    );
    const { status, json } = await proof('+49 170 1234 5678');
    expect(status).toBe(200);
    expect(json).toMatchObject({ sender: 'Elm Street', channel: 'sms', recipient: ann, is_complete: true });
    expect(json.words.map(({ id }: any) => id)).toEqual([left, topical, first]);
    expect(json.words[2]).toMatchObject({ text, by: { kind: 'person', name: 'Dana' }, source: { how: 'phone' } });
    expect(new Set(json.standing)).toEqual(new Set([first, left]));
    expect(json.suppressions.map(({ covers, topic_name: topic }: any) => [covers, topic])).toEqual([
      ['topic', 'Events'],
    ]);
  });

  it('of a number that said nothing has nothing, and of what is no number is refused', async () => {
    expect((await proof()).json).toMatchObject({ standing: [], words: [], suppressions: [] });
    const { status, json } = await proof('Ann');
    expect([status, json.error.fields[0].path]).toEqual([400, 'recipient']);
  });

  it('is of the own workspace alone', async () => {
    await note({});
    const other = await dana.createWorkspace('Oak Lane');
    const query = new URLSearchParams({ channel: 'sms', recipient: ann });
    const { json } = await dana.call('GET', `/api/consents/proof?${query}`, { workspace: other });
    expect(json.words).toEqual([]);
  });

  it('is exported for all, as CSV or JSON, page after page, by admins, and that is on record', async () => {
    const many = Array.from({ length: 450 }, (_, n) => ({ recipient: `+49170100${String(n).padStart(5, '0')}` }));
    await note(...many, { channel: 'email', recipient: 'ann@example.com' });
    const csv = await file('format=csv');
    expect([csv.status, csv.type]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(csv.body.trim().split('\n').length).toBe(452);
    expect(csv.body).toContain('Channel,Recipient,Kind,Covers,Text,Method,Said at');
    expect(csv.body).toMatch(/email,ann@example.com,given,everything,"Yes, text me.",member,/);
    const json = await file('format=json&channel=sms');
    expect(json.type).toBe('application/json; charset=utf-8');
    const rows = JSON.parse(json.body);
    expect(rows.length).toBe(450);
    expect(rows[0]).toMatchObject({ channel: 'sms', text, by: { kind: 'person', name: 'Dana' } });
    expect(JSON.parse((await file('format=json&channel=whatsapp')).body)).toEqual([]);
    const acts = await cuebird.owner.query(
      "select count(*)::int as count from audit_log where workspace_id = $1 and action = 'export.consents'",
      [workspace],
    );
    expect(acts.rows).toEqual([{ count: 3 }]);
    const mo = await cuebird.signUp('Mo');
    await addMember(cuebird.owner, { workspace, userId: mo.userId, role: 'member' });
    expect((await file('format=csv', mo)).status).toBe(403);
  });

  it('is reported to webhooks that ask for it, with the text, but not for each line of an import', async () => {
    const { json: hook } = await call('POST', '/api/webhooks', {
      url: 'https://hooks.example.com/in',
      activity_types: ['consent.given', 'consent.withdrawn'],
    });
    await note({ said_at: '2026-01-01T09:00:00Z' }, { kind: 'withdrawn', said_at: '2026-01-02T09:00:00Z' });
    // The same word again is none more.
    await note({ said_at: '2026-01-01T09:00:00Z' });
    await call('POST', '/api/contacts/import', {
      csv: 'Name,Phone\nBen,+4917012345679',
      mode: 'import',
      consent: { channels: ['sms'], text, given_at: '2026-01-01T00:00:00Z', is_attested: true },
    });
    const [entry] = (await call('GET', '/api/suppressions')).json.data;
    await call('DELETE', `/api/suppressions/${entry.id}`);
    const { data } = (await call('GET', `/api/webhooks/${hook.id}/activities`)).json;
    const reported = data.map(({ body }: any) => JSON.parse(body));
    expect(reported.map(({ type }: any) => type).toSorted()).toEqual(['consent.given', 'consent.withdrawn']);
    expect(reported.find(({ type }: any) => type === 'consent.given').data).toEqual({
      id: expect.any(String),
      channel: 'sms',
      recipient: ann,
      covers: 'everything',
      topic_id: null,
      topic_name: null,
      method: 'member',
      text,
      said_at: '2026-01-01T09:00:00.000Z',
    });
  });
});
