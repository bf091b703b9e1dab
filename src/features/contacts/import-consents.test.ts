import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

const text = 'Yes, text me about my rent.';
const phone = (n: number) => `+491701234567${n}`;
const csv = [
  'Name,Phone,Email,Signed',
  `Anna,${phone(1)},anna@example.com,2026-01-02`,
  `Ben,${phone(2)},,2026-01-03T09:00:00+01:00`,
  `Cleo,${phone(3)},,`,
  `Dan,${phone(4)},,soon`,
  `Eve,,eve@example.com,2026-01-04`,
].join('\n');
const columns = ['name', 'phone', 'email', 'consent_at'].map((field) => ({ field }));

describe('consents that are imported with contacts', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    owner = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const importFile = (more: object = {}, mode = 'import') =>
    call('POST', '/api/contacts/import', {
      csv,
      mode,
      columns,
      file_name: 'tenants.csv',
      consent: { channels: ['sms'], text, is_attested: true },
      ...more,
    });
  const record = async () =>
    (await call('GET', '/api/consents?kind=given')).json.data.toSorted((a: any, b: any) =>
      a.recipient < b.recipient ? -1 : 1,
    );
  const said = async () => (await record()).map(({ channel, recipient, said_at: at }: any) => [channel, recipient, at]);

  it('have the time of their line, the text, who attests it, and the file and line', async () => {
    const { status, json } = await importFile();
    expect([status, json.consents]).toEqual([200, { recorded: 2, withdrawn: 0 }]);
    expect(await said()).toEqual([
      ['sms', phone(1), '2026-01-02T00:00:00.000Z'],
      ['sms', phone(2), '2026-01-03T08:00:00.000Z'],
    ]);
    expect((await record())[0]).toMatchObject({
      text,
      method: 'import',
      covers: 'everything',
      by: { kind: 'person', name: 'Dana' },
      source: {
        file: 'tenants.csv',
        line: 2,
        attestation: 'I attest that these people agreed to this text, at the time given.',
      },
    });
    const problemOf = (line: number) =>
      json.rows.find((row: any) => row.line === line).problems.map((p: any) => p.message);
    expect(problemOf(4)).toEqual(['Does not say when they agreed: no consent to SMS is recorded']);
    expect(problemOf(5)).toEqual([
      '“soon” is not a time such as 2026-01-02 or 2026-01-02T09:00:00Z',
      'Does not say when they agreed: no consent to SMS is recorded',
    ]);
    expect(problemOf(6)).toEqual([]);
    expect(json.counts.created).toBe(5);
  });

  it('have one time for all whose line says none, and are for each channel that is chosen', async () => {
    const consent = { channels: ['email', 'whatsapp'], text, given_at: '2025-12-01T00:00:00Z', is_attested: true };
    expect((await importFile({ consent })).json.consents).toEqual({ recorded: 6, withdrawn: 0 });
    expect((await said()).toSorted()).toEqual([
      ['email', 'anna@example.com', '2026-01-02T00:00:00.000Z'],
      ['email', 'eve@example.com', '2026-01-04T00:00:00.000Z'],
      ['whatsapp', phone(1), '2026-01-02T00:00:00.000Z'],
      ['whatsapp', phone(2), '2026-01-03T08:00:00.000Z'],
      ['whatsapp', phone(3), '2025-12-01T00:00:00.000Z'],
      ['whatsapp', phone(4), '2025-12-01T00:00:00.000Z'],
    ]);
  });

  it('are recorded once, however often the file is imported', async () => {
    await importFile();
    await importFile();
    expect((await record()).length).toBe(2);
  });

  it('leave out and list who has withdrawn or is on the suppression list, whatever time the file claims', async () => {
    await call('POST', '/api/consents', {
      consents: [
        { channel: 'sms', recipient: phone(1), kind: 'withdrawn', how: 'phone', said_at: '2020-01-01T00:00:00Z' },
      ],
    });
    const [entry] = (await call('GET', '/api/suppressions')).json.data;
    await call('DELETE', `/api/suppressions/${entry.id}`);
    // An entry from before there was a record of consents.
    await owner.query(
      "insert into suppressions (workspace_id, channel, recipient, reason) values ($1, 'sms', $2, 'stopped')",
      [workspace, phone(2)],
    );
    const preview = (await importFile({}, 'preview')).json;
    expect(preview.consents).toEqual({ recorded: 0, withdrawn: 2 });
    const { json } = await importFile();
    expect(json.consents).toEqual({ recorded: 0, withdrawn: 2 });
    const left = json.rows.filter(({ problems }: any) => problems.some(({ code }: any) => code === 'withdrawn'));
    expect(left.map(({ line, result }: any) => [line, result])).toEqual([
      [2, 'created'],
      [3, 'created'],
    ]);
    expect(json.problem_lines).toContain('Has withdrawn, or is on the suppression list: no consent to SMS is recorded');
    expect(await record()).toEqual([]);
  });

  it('never beat a withdrawal that comes later', async () => {
    await importFile();
    await call('PATCH', `/api/workspaces/${workspace}`, { settings: { consentFor: ['sms'] } });
    const [anna] = (await call('GET', '/api/contacts?search=Anna')).json.data;
    const state = async () => (await call('GET', `/api/contacts/${anna.id}`)).json.consents[0].state;
    expect(await state()).toBe('given');
    await call('POST', '/api/consents', {
      consents: [
        { channel: 'sms', recipient: phone(1), kind: 'withdrawn', how: 'phone', said_at: '2020-01-01T00:00:00Z' },
      ],
    });
    expect(await state()).toBe('lacking');
  });

  it('stand in the audit log once for a file, and a preview writes none', async () => {
    await importFile({}, 'preview');
    expect(await record()).toEqual([]);
    await importFile();
    const { rows } = await owner.query(
      "select actor_name, details from audit_log where workspace_id = $1 and action = 'consent.given'",
      [workspace],
    );
    expect(rows).toEqual([{ actor_name: 'Dana', details: { channel: 'sms', recipient: phone(1), others: 1 } }]);
  });

  it('stay when the import of the contacts is undone', async () => {
    const { json } = await importFile();
    await call('POST', `/api/contacts/import/${json.import_id}/undo`);
    expect((await record()).length).toBe(2);
  });

  it.each([
    ['that nobody attests', { consent: { channels: ['sms'], text } }, 'consent.is_attested'],
    ['without a text', { consent: { channels: ['sms'], text: ' ', is_attested: true } }, 'consent.text'],
    ['for no channel', { consent: { channels: [], text, is_attested: true } }, 'consent.channels'],
    [
      'without a time',
      { columns: undefined, consent: { channels: ['sms'], text, is_attested: true } },
      'consent.given_at',
    ],
    [
      'from the future',
      { consent: { channels: ['sms'], text, given_at: '2099-01-01T00:00:00Z', is_attested: true } },
      'consent.given_at',
    ],
    [
      'for a topic of another workspace',
      {
        consent: {
          channels: ['sms'],
          text,
          covers: 'topic',
          topic_id: '00000000-0000-4000-8000-000000000000',
          is_attested: true,
        },
      },
      'consent.topic_id',
    ],
    ['whose column says when, and nothing to what', { consent: undefined }, 'consent'],
  ])('%s are refused with the field', async (_, more, path) => {
    const { status, json } = await importFile(more);
    expect([status, json.error.fields[0].path]).toEqual([400, path]);
  });
});
