import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { sampleReminder } from '#testing/samples.ts';

const at = '2026-03-02T09:00:00Z';

describe('a search of jobs by a person', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  async function made(path: string, body: object): Promise<string> {
    const { status, json } = await call('POST', path, body);
    expect([status, json.error]).toEqual([201, undefined]);
    return json.id;
  }
  const addContact = (contact: object) => made('/api/contacts', contact);

  type Sent = { recipient: string; channel?: string; contact?: string; in?: string; on?: string };

  /** A job that has ended, with a run and one delivery. */
  async function insertSent(name: string, { recipient, channel = 'email', contact, on = at, ...of }: Sent) {
    const to = of.in ?? workspace;
    const { rows } = await database.query<{ id: string }>(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at)
       values ($1, $2, 'api_notification', 'completed', $3, $3, $3) returning id`,
      [to, name, on],
    );
    await database.query(
      `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, contact_id, status, attempts, first_attempt_at,
         last_attempt_at, completed_at)
       values ($1, $2, $3, $4, $5, $6, 'accepted', 1, $3, $3, $3)`,
      [to, rows[0]?.id, on, channel, recipient, contact ?? null],
    );
    await database.query(
      `insert into job_executions (workspace_id, job_id, status, started_at, completed_at, logs) values ($1, $2, 'completed', $3, $3, '{}')`,
      [to, rows[0]?.id, on],
    );
  }

  const query = (text: string, more: Record<string, string> = {}) => new URLSearchParams({ search: text, ...more });
  async function namesOf(path: string, text: string, more?: Record<string, string>): Promise<string[]> {
    const { status, json } = await call('GET', `${path}?${query(text, more)}`);
    expect([status, json.error]).toEqual([200, undefined]);
    return json.data.map((one: { name?: string; job?: { name: string } }) => one.name ?? one.job?.name);
  }
  const jobs = (text: string, more?: Record<string, string>) => namesOf('/api/jobs', text, more);
  const runs = (text: string, more?: Record<string, string>) => namesOf('/api/job-executions', text, more);

  it('finds what went to an address in any spelling, in the list, its summary, the runs and both files', async () => {
    await insertSent('Mill Road', { recipient: 'Anna@BÜCHER.example' });
    await insertSent('Elm Street', { recipient: 'bert@example.com' });
    for (const typed of ['anna@bücher.example', ' ANNA@xn--bcher-kva.example ', 'Anna Smith <ａnna@bücher.example>']) {
      expect(await jobs(typed)).toEqual(['Mill Road']);
      expect(await jobs(typed, { view: 'summary' })).toEqual(['Mill Road']);
      expect(await runs(typed)).toEqual(['Mill Road']);
    }
    for (const path of ['/api/jobs/export', '/api/job-executions/export']) {
      const url = `${cuebird.url}${path}?${query('anna@bücher.example', { workspace })}`;
      const text = await (await fetch(url, { headers: { cookie: dana.cookie } })).text();
      expect([text.includes('Mill Road'), text.includes('Elm Street')]).toEqual([true, false]);
    }
  });

  it('finds a number as the phone channel calls it, and as it is written in the ledger', async () => {
    await insertSent('by SMS', { recipient: '+4915123456789', channel: 'sms' });
    await insertSent('unknown country', { recipient: '015199999999', channel: 'whatsapp' });
    expect(await jobs('0151 23456789')).toEqual([]);
    expect(await jobs('+49 (0)151 / 23456789')).toEqual(['by SMS']);
    expect(await jobs('0151 99999999')).toEqual(['unknown country']);
    await made('/api/channels', {
      name: 'Texts',
      type: 'sms',
      configuration: {
        provider: 'twilio',
        account_sid: `AC${'0'.repeat(32)}`,
        api_key: 't',
        from_number: '+15005550006',
        default_country: 'DE',
      },
    });
    expect(await jobs('0151 23456789')).toEqual(['by SMS']);
    expect(await runs('0151 23456789')).toEqual(['by SMS']);
  });

  it('finds a contact by name: what it got at its address, at its number and at earlier ones, and not what another got there', async () => {
    const anna = await addContact({ name: 'Änna Smith', email: 'flat3@example.com', phone: '+4915123456789' });
    const bert = await addContact({ name: 'Bert', email: 'bert@example.com' });
    await insertSent('by email', { recipient: 'Flat3@example.com' });
    await insertSent('by SMS', { recipient: '+4915123456789', channel: 'sms' });
    await insertSent('at an earlier address', { recipient: 'old@example.com', contact: anna });
    await insertSent('when it was Bert’s', { recipient: 'flat3@example.com', contact: bert });
    await insertSent('by webhook', { recipient: 'https://example.com/anna', channel: 'webhook' });
    expect(await jobs('anna sm')).toEqual(['at an earlier address', 'by SMS', 'by email']);
    expect(await runs('anna sm')).toHaveLength(3);
    // An address itself finds all that went there.
    expect(await jobs('flat3@example.com')).toContain('when it was Bert’s');
  });

  it('finds names as before, and both at once', async () => {
    await addContact({ name: 'Anna Rent', email: 'anna@example.com' });
    await insertSent('To the tenants', { recipient: 'anna@example.com' });
    await insertSent('Rent 100%', { recipient: 'bert@example.com' });
    expect(await jobs('rent')).toEqual(['Rent 100%', 'To the tenants']);
    expect(await runs('rent')).toHaveLength(2);
    expect(await jobs('100%')).toEqual(['Rent 100%']);
    expect(await jobs('_')).toEqual([]);
    expect(await runs('nothing like it')).toEqual([]);
  });

  it('finds jobs that have not ended by whom they will go to: listed, of an audience, of an event and of a send', async () => {
    const anna = await addContact({
      name: 'Anna',
      email: 'anna@example.com',
      phone: '+4915123456789',
      tags: ['tenant'],
    });
    const group = await made('/api/contact-groups', {
      name: 'Tenants',
      rule: { match: 'all', conditions: [{ test: 'has_tag', tag: 'tenant' }] },
    });
    const daily = {
      ...sampleReminder,
      status: 'active',
      schedule_config: { type: 'scheduled', scheduleType: 'daily', timezone: 'UTC', startDate: '2099-01-01T09:00:00' },
    };
    const write = (name: string, recipients: string[], audience?: object) =>
      made('/api/reminders', {
        ...daily,
        name,
        content: { ...sampleReminder.content, recipients },
        metadata: { ...sampleReminder.metadata, channels: ['email', 'sms'], audience },
      });
    await write('listed', ['Anna <ANNA@example.com>']);
    await write('by number', ['+49 151 23456789']);
    await write('to the group', [], { groups: [group] });
    await write('picked', [], { contacts: [anna] });
    await write('to Bert', ['bert@example.com']);
    await made('/api/reminders', {
      ...daily,
      name: 'paused',
      status: 'paused',
      content: { ...sampleReminder.content, recipients: ['anna@example.com'] },
    });
    const pending = ['listed', 'by number', 'to the group', 'picked'];
    expect((await jobs('anna@example.com', { status: 'pending' })).toSorted()).toEqual(pending.toSorted());
    expect((await jobs('Anna', { status: 'pending' })).toSorted()).toEqual(pending.toSorted());
    // A job can be paused, too.
    const { json } = await call('GET', '/api/jobs?search=picked');
    await call('POST', `/api/jobs/${json.data[0].id}/pause`, {});
    expect(await jobs('Anna', { status: 'paused' })).toEqual(['picked']);
    expect(await jobs('bert@example.com')).toEqual(['to Bert']);
  });

  it('keeps to the other filters, and goes on page by page', async () => {
    await addContact({ name: 'Anna', email: 'anna@example.com' });
    for (let day = 1; day <= 5; day += 1)
      await insertSent(`day ${day}`, { recipient: 'anna@example.com', on: `2026-03-0${day}T09:00:00Z` });
    const range = { from: '2026-03-02T00:00:00Z', to: '2026-03-04T00:00:00Z' };
    expect(await jobs('Anna', range)).toEqual(['day 3', 'day 2']);
    expect(await runs('Anna', range)).toEqual(['day 3', 'day 2']);
    expect(await runs('Anna', { status: 'failed' })).toEqual([]);
    expect(await jobs('Anna', { status: 'failed' })).toEqual([]);
    for (const path of ['/api/jobs', '/api/job-executions']) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const more: Record<string, string> = { limit: '2', ...(cursor !== '' && { cursor }) };
        const { json } = await call('GET', `${path}?${query('Anna', more)}`);
        seen.push(...json.data.map((one: { id: string }) => one.id));
        cursor = json.next_cursor;
      }
      expect([seen.length, new Set(seen).size]).toEqual([5, 5]);
    }
  });

  it('never finds a neighbour’s people, and is refused to strangers', async () => {
    const eve = await cuebird.signUp('Eve');
    const theirs = await eve.createWorkspace('Theirs');
    const { json: contact } = await eve.call('POST', '/api/contacts', {
      workspace: theirs,
      body: { name: 'Anna', email: 'anna@example.com' },
    });
    await insertSent('Theirs', { recipient: 'anna@example.com', contact: contact.id, in: theirs });
    expect([await jobs('anna@example.com'), await runs('Anna'), await jobs('Anna')]).toEqual([[], [], []]);
    expect((await eve.call('GET', '/api/jobs?search=anna', { workspace })).status).toBe(404);
    expect((await eve.call('GET', '/api/job-executions?search=anna', { workspace })).status).toBe(404);
    await addMember(database, { workspace: theirs, userId: dana.userId, role: 'member' });
    const { json } = await dana.call('GET', '/api/jobs?search=anna', { workspace: theirs });
    expect(json.data).toHaveLength(1);
  });

  it('refuses a longer text, and takes any other', async () => {
    await insertSent('Rent', { recipient: 'anna@example.com' });
    for (const path of ['/api/jobs', '/api/job-executions']) {
      expect((await call('GET', `${path}?${query('x'.repeat(201))}`)).status).toBe(400);
      expect((await call('GET', `${path}?search=a%00b`)).status).toBe(400);
      const texts = [
        `${'a'.repeat(98)}@${'b'.repeat(98)}.de`,
        '+'.repeat(200),
        '0'.repeat(200),
        '<'.repeat(200),
        '\u00AD@\u200B',
        '€',
        ' ',
      ];
      for (const text of texts) expect((await call('GET', `${path}?${query(text)}`)).status).toBe(200);
    }
    expect(await jobs('anna\u00AD@example.com')).toEqual(['Rent']);
  });
});
