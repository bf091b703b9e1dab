import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eraseAsked } from '#features/erasures/eraser.service.ts';
import { systemClock } from '#platform/clock.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { sampleReminder, sampleTemplate } from '#testing/samples.ts';

describe('a person is erased', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  let database: Database;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
    database = openDatabase(cuebird.databaseUrl, { encryptionKey: TEST_ENCRYPTION_KEY });
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(async () => {
    await database.close();
    await cuebird.stop();
  });

  const call = async (method: string, path: string, body?: object) => {
    const answer = await dana.call(method, path, { workspace, ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
    return answer.json;
  };
  const pass = () =>
    eraseAsked(
      {
        pool: database.engine,
        ownerUrl: cuebird.databaseUrl,
        clock: systemClock,
        log: console as never,
        secrets: createSecretBox(TEST_ENCRYPTION_KEY),
      },
      new AbortController().signal,
    );
  /** Every table of the database, as text, without what is about accounts and the audit log. */
  async function everything(except: readonly string[] = ['audit_log', 'profiles']): Promise<Map<string, string>> {
    const { rows } = await cuebird.owner.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition",
    );
    const texts = new Map<string, string>();
    for (const { name } of rows.filter((row) => !except.includes(row.name))) {
      const { rows: found } = await cuebird.owner.query<{ text: string }>(
        `select coalesce(string_agg(t::text, e'\\n'), '') as text from "${name}" t`,
      );
      texts.set(name, (found[0]?.text ?? '').toLowerCase());
    }
    return texts;
  }
  const tablesWith = async (text: string) =>
    [...(await everything())].filter(([, all]) => all.includes(text.toLowerCase())).map(([table]) => table);

  it('from every table: address, number, name and values', async () => {
    await call('POST', '/api/contacts', {
      name: 'Anna Abendrot',
      email: 'Anna.Abendrot@example.com',
      phone: '+4915112345678',
      variables: { iban: 'DE0012341234' },
      tags: ['tenant'],
    });
    await call('POST', '/api/contacts', { name: 'Bert', email: 'bert@example.com' });
    const reminder = await call('POST', '/api/reminders', {
      ...sampleReminder,
      name: 'Rent',
      status: 'draft',
      content: {
        subject: 'Rent of Anna Abendrot',
        message: 'Hello',
        recipients: ['Anna <anna.abendrot@example.com>', '0151 123 456 78', 'bert@example.com'],
      },
    });
    const template = await call('POST', '/api/templates', sampleTemplate);
    for (const [recipient, amount] of [
      ['Anna <anna.abendrot@example.com>', 'DE0012341234'],
      ['bert@example.com', '950'],
    ])
      await call('POST', '/api/notifications/send', { template_id: template.id, recipient, variables: { amount } });
    await expect
      .poll(async () => (await cuebird.owner.query("select from jobs where status in ('pending', 'running')")).rowCount)
      .toBe(0);
    await call('POST', '/api/suppressions', { channel: 'sms', recipient: '+4915112345678' });

    const exported = await call('POST', '/api/erasures/export', {
      addresses: ['anna.abendrot@example.com', '+4915112345678'],
    });
    expect(exported.contacts).toMatchObject([{ name: 'Anna Abendrot', variables: { iban: 'DE0012341234' } }]);
    expect(Object.keys(exported).toSorted()).toEqual(
      expect.arrayContaining(['contacts', 'deliveries', 'jobs', 'reminders', 'suppressions']),
    );
    expect(JSON.stringify(exported)).not.toContain('bert');

    const erasure = await call('POST', '/api/erasures', {
      addresses: ['ANNA.abendrot@example.com', '+49 151 12345678'],
      asked_how: 'By letter of 1 March',
    });
    expect(erasure).toMatchObject({ asked_how: 'By letter of 1 March', first_pass_at: null, done_at: null });
    await pass();
    expect((await call('GET', '/api/erasures')).data[0]).toMatchObject({ first_pass_at: expect.any(String) });
    await pass();
    const done = (await call('GET', '/api/erasures')).data[0];
    expect(done.named_in).toEqual([{ kind: 'reminder', id: reminder.id }]);
    expect(done.counts).toMatchObject({ contacts: 1, suppressions: 1 });
    for (const text of ['anna.abendrot', '15112345678', '0151 123 456 78', 'Anna <'])
      expect(await tablesWith(text), text).toEqual([]);
    expect(await tablesWith('Abendrot')).toEqual(['reminders']);
    expect(await tablesWith('DE0012341234')).toEqual([]);
  });
});
