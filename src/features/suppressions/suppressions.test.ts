import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { untilFound } from '#testing/changes.ts';
import { addMember } from '#testing/owner.ts';

describe('the suppression list', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let mo: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
    mo = await cuebird.signUp('Mo');
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
    await addMember(database, { workspace, userId: mo.userId, role: 'member' });
  });

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const add = (channel: string, recipient: string, more: object = {}) =>
    call('POST', '/api/suppressions', { channel, recipient, ...more });
  const list = async (query = '') =>
    (await call('GET', `/api/suppressions${query}`)).json.data.map(
      ({ channel, recipient }: { channel: string; recipient: string }) => `${channel} ${recipient}`,
    );
  const acts = async () =>
    (
      await database.query(
        "select actor_id, action, details from audit_log where workspace_id = $1 and action like 'suppression%' order by created_at, id",
        [workspace],
      )
    ).rows;

  it('stores a recipient by the engine’s key, with the contact’s name and the author', async () => {
    await call('POST', '/api/contacts', { name: 'Anna Smith', email: 'anna@example.com' });
    const added = await mo.call('POST', '/api/suppressions', {
      workspace,
      body: { channel: 'email', recipient: 'Anna <ANNA@Example.com>' },
    });
    expect(added.status).toBe(201);
    expect(added.json).toMatchObject({
      channel: 'email',
      recipient: 'anna@example.com',
      reason: 'manual',
      contact_name: 'Anna Smith',
      created_by: mo.userId,
      created_by_name: 'Mo',
    });
    expect((await add('webhook', 'https://EXAMPLE.com/Hook')).json.recipient).toBe('https://example.com/Hook');
    expect((await add('sms', '+49 151 1234 5678')).json.recipient).toBe('+4915112345678');
    expect((await add('whatsapp', '0151 1234 5678', { default_country: 'DE' })).json.recipient).toBe('+4915112345678');
    const again = await add('email', 'anna@example.com');
    expect([again.status, again.json.error.fields]).toEqual([
      409,
      [{ path: 'recipient', message: 'is on the list already' }],
    ]);
  });

  it.each([
    ['email', '+4915112345678', 'is not an email address, such as anna@example.com'],
    ['email', '  ', 'Enter an address or a number'],
    [
      'sms',
      'anna@example.com',
      '“anna@example.com” is not a phone number with its country code, such as +491701234567',
    ],
    ['sms', '0151 123456', '“0151 123456” is not a phone number with its country code, such as +491701234567'],
    ['webhook', 'Anna', 'is neither a URL, an email address nor a phone number'],
  ])('refuses what nobody is written to at: %s %s', async (channel, recipient, message) => {
    const refused = await add(channel, recipient);
    expect([refused.status, refused.json.error.fields]).toEqual([400, [{ path: 'recipient', message }]]);
  });

  it('is listed newest first, by channel, reason, recipient and contact, in pages', async () => {
    await call('POST', '/api/contacts', { name: 'Zoë Müller', email: 'zm@example.com' });
    for (const name of ['a', 'zm', 'c']) await add('email', `${name}@example.com`);
    await add('sms', '+4915112345678');
    await database.query(
      "update suppressions set reason = 'bounced' where workspace_id = $1 and recipient = 'a@example.com'",
      [workspace],
    );
    expect(await list()).toEqual([
      'sms +4915112345678',
      'email c@example.com',
      'email zm@example.com',
      'email a@example.com',
    ]);
    expect(await list('?channel=sms')).toEqual(['sms +4915112345678']);
    expect(await list('?reason=bounced')).toEqual(['email a@example.com']);
    expect(await list('?search=muller')).toEqual(['email zm@example.com']);
    expect(await list('?search=C@EX')).toEqual(['email c@example.com']);
    expect(await list('?search=0151%20123')).toEqual(['sms +4915112345678']);
    const first = await call('GET', '/api/suppressions?limit=3');
    const second = await call('GET', `/api/suppressions?limit=3&cursor=${first.json.next_cursor}`);
    expect([first.json.data.length, second.json.data.length, second.json.next_cursor]).toEqual([3, 1, null]);
  });

  it('stops messages until an admin removes the recipient, and each change is audited', async () => {
    const anna = (await add('email', 'anna@example.com')).json;
    expect(await send('ANNA@example.com')).toEqual(['skipped', 'The recipient is on the suppression list']);
    const path = `/api/suppressions/${anna.id}`;
    expect((await mo.call('DELETE', path, { workspace })).status).toBe(403);
    expect(await list()).toEqual(['email anna@example.com']);
    expect((await call('DELETE', path)).status).toBe(200);
    expect((await call('DELETE', path)).status).toBe(404);
    expect(await send('ANNA@example.com')).toEqual(['accepted', null]);
    const details = { channel: 'email', recipient: 'a…@example.com' };
    expect(await acts()).toEqual([
      { actor_id: dana.userId, action: 'suppression.added', details },
      { actor_id: dana.userId, action: 'suppression.removed', details: { ...details, reason: 'manual' } },
    ]);
  });

  it('covers a number in every spelling, and has it once', async () => {
    const { json } = await call('GET', '/api/inbox/addresses');
    const twilio = json.providers.find(({ provider }: { provider: string }) => provider === 'twilio');
    const configuration = { provider: 'twilio', ...twilio.configuration, default_country: 'DE' };
    const channel = await call('POST', '/api/channels', { name: 'Phone', type: 'sms', configuration });
    expect(channel.status).toBe(201);
    expect((await send('0151 1234 5678', 'sms'))[0]).toMatch(/accepted|delivered/);
    const added = (await add('sms', '+49 151 12345678')).json;
    expect(await list()).toEqual(['sms +4915112345678']);
    for (const spelling of ['(0151) 1234-5678', '+49 (0)151 12345678', '+490151 12345678', '0049 151 12345678'])
      expect((await send(spelling, 'sms'))[0]).toBe('skipped');
    expect((await call('DELETE', `/api/suppressions/${added.id}`)).status).toBe(200);
    expect(await list()).toEqual([]);
  });

  it('is visible only in its own workspace', async () => {
    const anna = (await add('email', 'anna@example.com')).json;
    const eve = await cuebird.signUp('Eve');
    const elsewhere = await eve.createWorkspace('Next door');
    expect((await eve.call('DELETE', `/api/suppressions/${anna.id}`, { workspace: elsewhere })).status).toBe(404);
    expect((await eve.call('GET', '/api/suppressions', { workspace })).status).toBe(404);
    expect((await eve.call('GET', '/api/suppressions', { workspace: elsewhere })).json.data).toEqual([]);
  });

  /** Sends a test message and returns its status and reason. */
  async function send(recipient: string, channel = 'email'): Promise<[string, string | null]> {
    const reminder = await call('POST', '/api/reminders', {
      name: 'Rent',
      status: 'draft',
      schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate: '2099-01-01T09:00:00' },
      content: { subject: 'Rent', message: 'Due', recipients: [recipient] },
      metadata: { channels: [channel] },
    });
    const body = { recipients: [recipient], subject: 'Rent', message: 'Due' };
    const test = await call('POST', `/api/reminders/${reminder.json.id}/test`, body);
    expect(test.status).toBe(201);
    const [delivery] = await untilFound(cuebird.databaseUrl, async () => {
      const { data } = (await call('GET', `/api/jobs/${test.json.job_id}/deliveries`)).json;
      const ended = data.filter((one: { completed_at: string | null }) => one.completed_at !== null);
      return ended.length > 0 ? ended : null;
    });
    return [delivery.status, delivery.reason];
  }
});
