import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('an address in another spelling', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const fieldsOf = async (path: string, body: object) => {
    const { status, json } = await call('POST', path, body);
    return [
      status,
      ...(json.error?.fields ?? []).map((one: { path: string; message: string }) => `${one.path} ${one.message}`),
    ];
  };

  it('is the same contact', async () => {
    expect((await call('POST', '/api/contacts', { name: 'Karl', email: 'Info@Bücher.example' })).json).toMatchObject({
      email: 'info@bücher.example',
    });
    for (const email of ['info@xn--bcher-kva.example', 'info@BÜCHER。example', 'info@bücher.example.'])
      expect(await fieldsOf('/api/contacts', { email })).toEqual([
        409,
        'email This is the email address of the contact Karl',
      ]);
    const csv = 'Name,Email,flat\n,info@xn--bcher-kva.example,3\nKARL,info@BÜCHER.example,4\n';
    const { json } = await call('POST', '/api/contacts/import', { csv, mode: 'import' });
    expect(json.rows).toMatchObject([
      { result: 'updated' },
      { result: 'joined', notes: [{ message: 'Joined with line 2, KARL' }] },
    ]);
    expect((await call('GET', '/api/contacts')).json.data).toMatchObject([{ name: 'KARL', variables: { flat: '3' } }]);
  });

  it('is found on the suppression list by either spelling, with the name of its contact', async () => {
    await call('POST', '/api/contacts', { name: 'Karl', email: 'info@bücher.example' });
    const add = (recipient: string) => call('POST', '/api/suppressions', { channel: 'email', recipient });
    expect((await add('Info@xn--bcher-kva.example')).json).toMatchObject({ contact_name: 'Karl' });
    expect((await add('info@bücher.example')).status).toBe(409);
    for (const search of ['info@bücher.example', 'info@xn--bcher', 'Karl'])
      expect((await call('GET', `/api/suppressions?search=${encodeURIComponent(search)}`)).json.data).toHaveLength(1);
  });

  const unseen = 'has an invisible character at position';

  it.each<[string, object, string]>([
    ['/api/contacts', { email: 'karl@ex\u00adample.com' }, `email ${unseen} 8: U+00AD (soft hyphen)`],
    ['/api/contacts', { email: 'vic\u0007tim@example.com' }, `email ${unseen} 4: U+0007 (control character)`],
    ['/api/contacts', { phone: '\u202a+4915112345678\u202c' }, `phone ${unseen} 1: U+202A (left-to-right embedding)`],
    ['/api/contacts', { name: 'An\u200bna', email: 'a@b.example' }, `name ${unseen} 3: U+200B (zero-width space)`],
    ['/api/contacts', { name: 'Anna\nSmith', email: 'a@b.example' }, `name ${unseen} 5: U+000A (line break)`],
    [
      '/api/suppressions',
      { channel: 'email', recipient: 'vic\u2060tim@example.com' },
      `recipient ${unseen} 4: U+2060 (word joiner)`,
    ],
    [
      '/api/suppressions',
      { channel: 'sms', recipient: '+49\u200b15112345678' },
      `recipient ${unseen} 4: U+200B (zero-width space)`,
    ],
    [
      '/api/workspaces',
      { name: 'Elm\u202eteertS', description: '' },
      `name ${unseen} 4: U+202E (right-to-left override)`,
    ],
    ['/api/api-keys', { name: 'CI\u200b', scopes: ['read'] }, `name ${unseen} 3: U+200B (zero-width space)`],
  ])('%s refuses %j and names the invisible character and its position', async (path, body, message) => {
    expect(await fieldsOf(path, body)).toEqual([400, message]);
  });

  it('a channel refuses invisible characters in its name, its sender and its host', async () => {
    const smtp = { smtp_host: 'mail.example.com', smtp_port: 587, username: 'ann@example.com' };
    const add = (name: string, configuration: object) =>
      fieldsOf('/api/channels', { name, type: 'email', configuration: { ...smtp, ...configuration } });
    expect(await add('Ma\u00adil', {})).toEqual([400, `name ${unseen} 3: U+00AD (soft hyphen)`]);
    expect(await add('Mail', { from_email: 'ro\u200cbot@example.com' })).toEqual([
      400,
      `configuration.from_email ${unseen} 3: U+200C (zero-width non-joiner)`,
    ]);
    expect(await add('Mail', { from_name: 'Elm\u202e' })).toEqual([
      400,
      `configuration.from_name ${unseen} 4: U+202E (right-to-left override)`,
    ]);
    expect(await add('Mail', { smtp_host: 'mail.exam\u00adple.com' })).toEqual([
      400,
      `configuration.smtp_host ${unseen} 10: U+00AD (soft hyphen)`,
    ]);
  });

  it('names keep joiners in Persian words and in emoji', async () => {
    for (const name of ['نامه‌ای', '👩‍💻 Anna ❤️', 'José Núñez', '葛󠄀城'])
      expect((await call('POST', '/api/contacts', { name })).json).toMatchObject({ name });
  });

  it('an import reports invisible characters in each cell, and joins the lines of a name', async () => {
    const csv = 'Name,Email,Phone\n"Anna\nSmith",anna@example.com,\nBo\u200b,bo@ex\u00adample.com,+49\u2060151\n';
    const { json } = await call('POST', '/api/contacts/import', { csv, mode: 'import' });
    expect(json.rows).toMatchObject([
      { result: 'created', name: 'Anna Smith' },
      {
        result: 'failed',
        problems: [
          { column: 'Email', message: `“bo@ex\u00adample.com” ${unseen} 6: U+00AD (soft hyphen)` },
          { column: 'Phone', message: `“+49\u2060151” ${unseen} 4: U+2060 (word joiner)` },
          { column: null, message: `The name ${unseen} 3: U+200B (zero-width space)` },
        ],
      },
    ]);
  });

  it('a reminder is saved with a warning of skipped recipients and probable typos', async () => {
    const warningsOf = async (recipients: string[], channels = ['email']) => {
      const body = {
        name: 'Rent',
        status: 'draft',
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'once',
          timezone: 'UTC',
          startDate: '2099-01-01T09:00:00Z',
        },
        content: { subject: 'Rent', message: 'Pay', recipients },
        metadata: { channels },
      };
      const { status, json } = await call('POST', '/api/reminders', body);
      expect([status, json.error]).toEqual([201, undefined]);
      return json.warnings;
    };
    expect(await warningsOf(['Karl <karl@ex\u00adample.com>'])).toEqual([
      `karl@ex\u00adample.com: The email address ${unseen} 8: U+00AD (soft hyphen)`,
    ]);
    expect(await warningsOf(['a@example..com'])).toEqual(['a@example..com has two dots in a row: is it mistyped?']);
    expect(await warningsOf(['.a@example.com', 'a@-example.com', 'ok@example.com'])).toEqual([
      '2 addresses look mistyped, the first: .a@example.com begins with a dot',
    ]);
    expect(await warningsOf(['a@example..com'], ['webhook'])).toEqual([]);
  });
});
