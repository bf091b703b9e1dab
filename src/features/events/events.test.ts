import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { untilFound } from '#testing/changes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('POST /api/events', () => {
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

  const write = async ({ schedule = {}, content = {}, ...changes }: Changes = {}): Promise<string> => {
    const { status, json } = await dana.call('POST', '/api/reminders', {
      workspace,
      body: {
        name: 'Payment failed',
        schedule_config: { type: 'event-based', eventTrigger: 'payment_failed', timezone: 'UTC', ...schedule },
        content: { subject: 'Your card', message: 'Hello', recipients: ['erin@example.com'], ...content },
        metadata: { channels: ['email'] },
        ...changes,
      },
    });
    expect(status).toBe(201);
    return json.id;
  };
  type Changes = { schedule?: object; content?: object; [field: string]: unknown };

  const inAnHour = { delayAmount: 1, delayUnit: 'hours' };

  const send = (body: object, headers: Record<string, string> = {}) =>
    dana.call('POST', '/api/events', { workspace, body: { event: 'payment_failed', ...body }, headers });

  const jobs = async () => (await dana.call('GET', '/api/jobs', { workspace })).json.data;

  const apiKey = async (): Promise<string> =>
    (await dana.call('POST', '/api/api-keys', { workspace, body: { name: 'CRM', scopes: ['send', 'read', 'manage'] } }))
      .json.key;

  it('creates a job for every active reminder of the trigger, after its own delay', async () => {
    const first = await write({ name: 'Ask kindly', schedule: inAnHour });
    const second = await write({ name: 'Ask again', schedule: { delayAmount: 3, delayUnit: 'days' } });
    await write({ name: 'Paused', status: 'paused' });
    await write({ name: 'Draft', status: 'draft' });
    await write({ name: 'Another trigger', schedule: { eventTrigger: 'user_signup' } });
    await write({ name: 'No trigger', status: 'draft', schedule: { eventTrigger: undefined } });
    await write({ name: 'Scheduled', schedule: { type: 'scheduled', scheduleType: 'daily' } });

    const occurredAt = new Date(Date.now() + 60_000).toISOString();
    const sent = await send({ occurred_at: occurredAt, data: { amount: 12 }, key: 'invoice 7' });
    expect(sent.status).toBe(201);
    const later = (hours: number) => new Date(Date.parse(occurredAt) + hours * 3_600_000).toISOString();
    expect(sent.json).toEqual({
      id: expect.any(String),
      event: 'payment_failed',
      key: 'invoice 7',
      cancelled_at: null,
      jobs: [
        { job_id: expect.any(String), reminder_id: first, scheduled_for: later(1) },
        { job_id: expect.any(String), reminder_id: second, scheduled_for: later(72) },
      ],
    });
    const made = (await jobs()).filter(({ type }: { type: string }) => type === 'event_reminder');
    expect(made).toHaveLength(2);
    expect(made.find(({ reminder_id }: { reminder_id: string }) => reminder_id === first)).toMatchObject({
      id: sent.json.jobs[0].job_id,
      name: 'Ask kindly',
      status: 'pending',
      scheduled_for: later(1),
      run_at: later(1),
      payload: { data: { amount: '12' } },
    });
  });

  it('counts the delay from now by default, and calendar days in the reminder’s zone', async () => {
    await write({ schedule: { delayAmount: 1, delayUnit: 'days', timezone: 'Europe/Berlin' } });
    const before = Date.now();
    const [soon] = (await send({})).json.jobs;
    expect(Date.parse(soon.scheduled_for) - before).toBeGreaterThanOrEqual(23 * 3_600_000);
    expect(Date.parse(soon.scheduled_for) - Date.now()).toBeLessThanOrEqual(25 * 3_600_000);
    // The clocks go forward on 28 March 2027: the day has 23 hours.
    const [long] = (await send({ occurred_at: '2027-03-27T09:00:00+01:00' })).json.jobs;
    expect(long.scheduled_for).toBe('2027-03-28T07:00:00.000Z');
  });

  it('sends the message with the data of the event to the recipients of the event', async () => {
    const message = 'Dear {{recipient_name}}, {{amount}} for {{invoice.title}}; {{ tags }}';
    await write({ content: { subject: 'Card of {{ invoice.title }}', message } });
    const sent = await send({
      data: { amount: 12.5, invoice: { title: 'May & June', paid: null }, tags: ['late', 'second'] },
      recipients: ['Finn <finn@example.com>', 'gus@example.com'],
    });
    expect(sent.status).toBe(201);
    const mails = await untilFound(cuebird.databaseUrl, async () => {
      const { data } = (await dana.call('GET', '/api/inbox', { workspace })).json;
      return data.length === 2 ? data : null;
    });
    const byRecipient = mails.toSorted((a: any, b: any) => a.recipient.localeCompare(b.recipient));
    expect(byRecipient).toMatchObject([
      { recipient: 'finn@example.com', subject: 'Card of May & June' },
      { recipient: 'gus@example.com', subject: 'Card of May & June' },
    ]);
    expect(byRecipient[0].text).toContain('Dear Finn, 12.5 for May & June; late, second');
    const done = await untilFound(cuebird.databaseUrl, async () =>
      (await jobs()).find(({ status }: { status: string }) => status === 'completed'),
    );
    expect(done).toMatchObject({ type: 'event_reminder', name: 'Payment failed', error_message: null });
  });

  it('does not send a message without a value, and reports it', async () => {
    await write({ content: { subject: 'Card', message: '{{amount}}', recipients: ['erin@example.com'] } });
    await send({ data: { amount: null } });
    const failed = await untilFound(cuebird.databaseUrl, async () =>
      (await jobs()).find(({ status }: { status: string }) => status === 'failed'),
    );
    expect(failed.error_message).toBe('1 of 1 failed: no value for {{amount}}');
  });

  it('accepts an API key, which determines the workspace', async () => {
    const reminder = await write({ schedule: inAnHour });
    const response = await fetch(`${cuebird.url}/api/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await apiKey()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ event: 'payment_failed' }),
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ jobs: [{ reminder_id: reminder }] });
  });

  it('does not trigger the reminders of another workspace', async () => {
    await write({ schedule: inAnHour });
    const elsewhere = await dana.createWorkspace('Oak Street');
    const sent = await dana.call('POST', '/api/events', { workspace: elsewhere, body: { event: 'payment_failed' } });
    expect(sent.json.jobs).toEqual([]);
    expect(await jobs()).toEqual([]);
  });

  describe('once per key', () => {
    beforeEach(() => write({ schedule: inAnHour }));

    it.each<[string, object, Record<string, string>]>([
      ['in the body', { key: 'k-1' }, {}],
      ['in the header', {}, { 'idempotency-key': 'k-1' }],
      ['in both', { key: 'k-1' }, { 'idempotency-key': 'k-1' }],
    ])('%s: a repeat returns the first answer, with 200', async (_, body, headers) => {
      const first = await send({ ...body, data: { a: 1, b: 2 } }, headers);
      const again = await send({ ...body, data: { b: 2, a: 1 } }, headers);
      expect([first.status, again.status]).toEqual([201, 200]);
      expect(again.json).toEqual(first.json);
      expect(first.json.key).toBe('k-1');
      expect(await jobs()).toHaveLength(1);
    });

    it('for different callers: a person, then a program', async () => {
      const first = await send({ key: 'k-1' });
      const response = await fetch(`${cuebird.url}/api/events`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await apiKey()}`,
          'content-type': 'application/json',
          'idempotency-key': 'k-1',
        },
        body: JSON.stringify({ event: 'payment_failed' }),
      });
      expect([response.status, await response.json()]).toEqual([200, first.json]);
    });

    it('also for newer reminders', async () => {
      const first = await send({ key: 'k-1' });
      await write({ name: 'Written later', schedule: inAnHour });
      expect((await send({ key: 'k-1' })).json).toEqual(first.json);
    });

    it.each<[string, object]>([
      ['another event', { event: 'user_signup' }],
      ['other data', { data: { amount: 2 } }],
      ['other recipients', { recipients: ['finn@example.com'] }],
      ['another time', { occurred_at: '2027-01-01T00:00:00Z' }],
    ])('and not for %s', async (_, other) => {
      await send({ key: 'k-1', data: { amount: 1 } });
      const refused = await send({ key: 'k-1', data: { amount: 1 }, ...other });
      expect([refused.status, refused.json.error.message]).toEqual([422, 'This key was used with another event']);
      expect(await jobs()).toHaveLength(1);
    });

    it('for concurrent requests', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => send({ key: 'k-1' })));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
      expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
      expect(await jobs()).toHaveLength(1);
    });

    it('in each workspace', async () => {
      const first = await send({ key: 'k-1' });
      const elsewhere = await dana.createWorkspace('Oak Street');
      const body = { event: 'payment_failed', key: 'k-1' };
      const other = await dana.call('POST', '/api/events', { workspace: elsewhere, body });
      expect(other.status).toBe(201);
      expect(other.json.id).not.toBe(first.json.id);
    });

    it('and each request without a key is a separate event', async () => {
      const [one, other] = [await send({}), await send({})];
      expect(one.json.key).not.toBe(other.json.key);
      expect(await jobs()).toHaveLength(2);
    });
  });

  describe('when nothing is sent', () => {
    it.each<[string, object, string]>([
      ['no reminder waits for it', {}, 'No active reminder of this workspace waits for payment_failed'],
      [
        'there is no such trigger',
        { event: 'Payment failed' },
        'No reminder can wait for "Payment failed": the triggers are user_signup, subscription_due, payment_failed, trial_ending, custom_webhook',
      ],
    ])('because %s, the answer contains the reason', async (_, body, hint) => {
      const sent = await send(body);
      expect(sent.status).toBe(201);
      expect(sent.json).toMatchObject({ jobs: [], hint });
    });

    it('because its time is more than a day in the past, the answer contains the reason', async () => {
      await write({ name: 'At once' });
      const late = await write({ name: 'After two days', schedule: { delayAmount: 2, delayUnit: 'days' } });
      const occurredAt = new Date(Date.now() - 25 * 3_600_000).toISOString();
      const sent = await send({ occurred_at: occurredAt });
      expect(sent.json.jobs).toMatchObject([{ reminder_id: late }]);
      expect(sent.json.hint).toBe('1 of 2 reminders are not sent: their time was more than 24 hours ago');
    });
  });

  it.each<[string, string, object]>([
    ['event', 'Name the event', { event: '' }],
    ['event', 'Name the event', { event: undefined }],
    ['event', 'must be at most 100 characters', { event: 'x'.repeat(101) }],
    ['key', 'must not be blank', { key: ' ' }],
    ['key', 'must be at most 200 characters', { key: 'x'.repeat(201) }],
    ['data', 'must be an object', { data: [] }],
    ['data.a.b', 'must be at most 10000 characters', { data: { a: { b: 'x'.repeat(10_001) } } }],
    ['data.a.b', 'is given twice', { data: { a: { b: 1 }, 'a.b': 2 } }],
    [
      'data',
      'must be at most 65536 characters in all',
      { data: Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`v${n}`, 'x'.repeat(9_999)])) },
    ],
    ['data.a', 'must not contain the NUL character', { data: { a: 'x\0' } }],
    ['recipients', 'must name at least one, or be left out', { recipients: [] }],
    ['recipients.1', 'must not be blank', { recipients: ['a@example.com', ' '] }],
    ['recipients', 'must be at most 10000 entries', { recipients: Array(10_001).fill('a@example.com') }],
    [
      'occurred_at',
      'must be a date and time with its offset, such as 2026-12-01T09:00:00Z',
      { occurred_at: '2026-12-01' },
    ],
    ['occurred_at', 'must be at most ten years ahead', { occurred_at: '2099-01-01T00:00:00Z' }],
    ['colour', 'is not a known field', { colour: 'red' }],
  ])('is refused at %s: %s', async (path, message, body) => {
    const refused = await send(body);
    expect(refused.status).toBe(400);
    expect(refused.json.error.fields).toEqual([{ path, message }]);
  });

  it.each<[string, object, Record<string, string>, string]>([
    ['an endless key in the header', {}, { 'idempotency-key': 'x'.repeat(201) }, 'Idempotency-Key'],
    ['two keys that differ', { key: 'a' }, { 'idempotency-key': 'b' }, 'key'],
  ])('is refused with %s', async (_, body, headers, path) => {
    const refused = await send(body, headers);
    expect([refused.status, refused.json.error.fields[0].path]).toEqual([400, path]);
  });

  it('stores the time of an event in the distant past or future unchanged', async () => {
    await write({ schedule: { delayAmount: 100_000, delayUnit: 'weeks' } });
    expect((await send({ occurred_at: '0001-01-01T00:00:00Z' })).json.jobs).toEqual([]);
    const far = await send({ occurred_at: '2034-01-01T00:00:00Z' });
    expect(far.json.jobs).toMatchObject([{ scheduled_for: '3950-07-16T00:00:00.000Z' }]);
    const { rows } = await database.query(
      'select occurred_at::text as at from events where workspace_id = $1 order by 1',
      [workspace],
    );
    expect(rows).toEqual([{ at: '0001-01-01 00:00:00+00' }, { at: '2034-01-01 00:00:00+00' }]);
  });
});
