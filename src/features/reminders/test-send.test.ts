import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChannelType, isAddressed } from '#contract/channel-types.ts';
import { untilFound } from '#testing/changes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

type Line = { channel: string; recipient: string; status: string };

describe('a test of a reminder', () => {
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

  const words = { subject: 'Try it', message: 'Hello' };

  async function reminder(channels: ChannelType[]): Promise<string> {
    const { content } = sampleReminder;
    const own = { ...content, recipients: channels.some(isAddressed) ? content.recipients : [] };
    const body = { ...sampleReminder, content: own, metadata: { channels } };
    return (await dana.call('POST', '/api/reminders', { workspace, body })).json.id;
  }

  const test = async (channels: ChannelType[], body: object) =>
    dana.call('POST', `/api/reminders/${await reminder(channels)}/test`, { workspace, body: { ...words, ...body } });

  /** The recipients that it reached, once it has ended. */
  async function reached(channels: ChannelType[], body: object): Promise<string[]> {
    const { json } = await test(channels, body);
    await untilFound(cuebird.databaseUrl, async () => {
      const job = await dana.call('GET', `/api/jobs/${json.job_id}`, { workspace });
      return job.json.status === 'completed' ? job.json : undefined;
    });
    const { json: ledger } = await dana.call('GET', `/api/jobs/${json.job_id}/deliveries`, { workspace });
    return ledger.data.map(({ channel, recipient }: Line) => `${channel} ${recipient}`).toSorted();
  }

  const all: ChannelType[] = ['email', 'slack', 'push'];
  const recipients = ['tess@example.com'];

  it('goes to the recipients in the request, and not to Slack or a browser', async () => {
    expect(await reached(all, { recipients })).toEqual(['email tess@example.com']);
    const { json } = await dana.call('GET', '/api/inbox', { workspace });
    expect(json.data.map(({ channel }: { channel: string }) => channel)).toEqual(['email']);
  });

  it('goes to Slack and to the sender’s own browsers on request', async () => {
    expect(await reached(all, { recipients, slack: true })).toEqual(['email tess@example.com', 'slack slack']);
    expect(await reached(all, { push: true, slack: true })).toEqual(['push push', 'slack slack']);
  });

  it.each([
    [['email'], { recipients, slack: true }, 'slack', 'This reminder does not use the slack channel'],
    [['email'], { recipients, push: true }, 'push', 'This reminder does not use the push channel'],
    [['slack'], { recipients, slack: true }, 'recipients', 'This reminder has no channel that takes recipients'],
  ] as [ChannelType[], object, string, string][])(
    'of a reminder over %j is refused with %j',
    async (channels, body, path, message) => {
      const { status, json } = await test(channels, body);
      expect([status, json.error.fields]).toEqual([422, [{ path, message }]]);
    },
  );

  it('says what it would say to a contact, but for the reminder’s own values', async () => {
    const contact = { name: 'Erika Mustermann', email: 'erika@example.com', variables: { Amount: '950', unit: '4b' } };
    const { json: erika } = await dana.call('POST', '/api/contacts', { workspace, body: contact });
    const content = { ...sampleReminder.content, values: { unit: '7' } };
    const body = { ...sampleReminder, content, metadata: { channels: ['email'] } };
    const { json: written } = await dana.call('POST', '/api/reminders', { workspace, body });
    const test = {
      recipients,
      subject: 'Rent',
      message: '{{recipient_name}} {{amount}} {{unit}}',
      values_of: erika.id,
    };
    const sent = await dana.call('POST', `/api/reminders/${written.id}/test`, { workspace, body: test });
    expect(sent.status).toBe(201);
    const mail = await untilFound(cuebird.databaseUrl, async () => {
      const { json } = await dana.call('GET', '/api/inbox', { workspace });
      return json.data[0];
    });
    const { json: shown } = await dana.call('GET', `/api/inbox/${mail.id}`, { workspace });
    expect([mail.recipient, shown.text.trim()]).toEqual([
      'tess@example.com',
      expect.stringContaining('Erika Mustermann 950 7'),
    ]);
    const nobody = await dana.call('POST', `/api/reminders/${written.id}/test`, {
      workspace,
      body: { ...test, values_of: written.id },
    });
    expect([nobody.status, nobody.json.error.fields]).toEqual([
      422,
      [{ path: 'values_of', message: 'There is no such contact' }],
    ]);
  });

  it('of an event reminder says what it would say for an event, with the data of the last one at hand', async () => {
    const waiting = {
      ...sampleReminder,
      status: 'active',
      schedule_config: {
        type: 'event-based',
        eventTrigger: 'payment_failed',
        timezone: 'UTC',
        delayAmount: 1,
        delayUnit: 'days',
      },
      metadata: { channels: ['email'] },
    };
    const { json: written } = await dana.call('POST', '/api/reminders', { workspace, body: waiting });
    const last = () => dana.call('GET', `/api/reminders/${written.id}/last-event`, { workspace });
    expect((await last()).json).toEqual({ event: null });
    for (const [event, data] of [
      ['payment_failed', { customer: { name: 'Ann' } }],
      ['payment_failed', { customer: { name: 'Ben' }, items: [{ price: 5 }] }],
      ['payment_failed_again', { customer: { name: 'Cleo' } }],
    ])
      await dana.call('POST', '/api/events', { workspace, body: { event, data } });
    const { event } = (await last()).json;
    expect(event).toEqual({
      occurred_at: expect.any(String),
      data: { 'customer.name': 'Ben', 'items.0.price': '5' },
    });
    const body = {
      recipients,
      subject: 'Hello {{customer.name}}',
      message: '{{ items[0].price }} € {{seats}}',
    };
    const test = (data?: object) =>
      dana.call('POST', `/api/reminders/${written.id}/test`, { workspace, body: { ...body, ...(data && { data }) } });
    expect((await test({ ...event.data, seats: '4' })).status).toBe(201);
    const mail = await untilFound(cuebird.databaseUrl, async () => {
      const { json } = await dana.call('GET', '/api/inbox', { workspace });
      return json.data[0];
    });
    const { json: shown } = await dana.call('GET', `/api/inbox/${mail.id}`, { workspace });
    expect([mail.recipient, mail.subject, shown.text]).toEqual([
      'tess@example.com',
      'Hello Ben',
      expect.stringContaining('5 € 4'),
    ]);
    expect((await test({ 'a\0': 'x' })).json.error.fields[0].path).toContain('data');
    expect(
      (await dana.call('GET', `/api/reminders/${await reminder(['email'])}/last-event`, { workspace })).status,
    ).toBe(422);
    const scheduled = await dana.call('POST', `/api/reminders/${await reminder(['email'])}/test`, {
      workspace,
      body: { ...body, data: {} },
    });
    expect([scheduled.status, scheduled.json.error.fields]).toEqual([
      422,
      [{ path: 'data', message: 'This reminder does not wait for an event' }],
    ]);
  });

  it('knows the last event of its own hook, not that of another reminder or workspace', async () => {
    const waiting = (name: string) => ({
      ...sampleReminder,
      name,
      status: 'active',
      schedule_config: {
        type: 'event-based',
        eventTrigger: 'custom_webhook',
        timezone: 'UTC',
        delayAmount: 1,
        delayUnit: 'days',
      },
      metadata: { channels: ['email'] },
    });
    const write = async (of: string, name: string) =>
      (await dana.call('POST', '/api/reminders', { workspace: of, body: waiting(name) })).json.id;
    const [own, other] = [await write(workspace, 'Own'), await write(workspace, 'Other')];
    const elsewhere = await dana.createWorkspace('Oak Street');
    const foreign = await write(elsewhere, 'Elsewhere');
    const report = async (of: string, id: string, data: object) => {
      const { json } = await dana.call('GET', `/api/reminders/${id}/hook`, { workspace: of });
      const { status } = await fetch(json.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(data),
      });
      expect(status).toBe(201);
    };
    await report(workspace, own, { seats: 1 });
    await report(workspace, other, { seats: 2 });
    await report(elsewhere, foreign, { seats: 3 });
    const last = async (of: string, id: string) =>
      (await dana.call('GET', `/api/reminders/${id}/last-event`, { workspace: of })).json.event?.data;
    expect([await last(workspace, own), await last(workspace, other), await last(elsewhere, foreign)]).toEqual([
      { seats: '1' },
      { seats: '2' },
      { seats: '3' },
    ]);
    expect((await dana.call('GET', `/api/reminders/${foreign}/last-event`, { workspace })).status).toBe(404);
  });

  it('of a message that is not saved goes to whoever asks, with the values of the preview', async () => {
    const { status } = await dana.call('POST', '/api/previews/send', {
      workspace,
      body: {
        channel: 'email',
        subject: 'Rent of {{amount}}',
        message: 'Pay **{{amount}}**, {{recipient_name}}',
        format: 'markdown',
        values: { amount: '*950*', recipient_name: 'Erika' },
      },
    });
    expect(status).toBe(201);
    const mail = await untilFound(cuebird.databaseUrl, async () => {
      const { json } = await dana.call('GET', '/api/inbox', { workspace });
      return json.data[0];
    });
    const { json: shown } = await dana.call('GET', `/api/inbox/${mail.id}`, { workspace });
    expect([mail.recipient, mail.subject, shown.text]).toEqual([
      dana.email,
      'Rent of *950*',
      expect.stringMatching(/^Pay \*950\*, Erika\s/),
    ]);
    const { json: html } = await dana.call('GET', `/api/inbox/${mail.id}/html?workspace=${workspace}`);
    expect(html).toContain('Pay <strong>*950*</strong>, Erika');
  });

  it('is refused with push for an API key, which has no browser', async () => {
    const id = await reminder(['push']);
    const { json: key } = await dana.call('POST', '/api/api-keys', {
      workspace,
      body: { name: 'CRM', scopes: ['send', 'read', 'manage'] },
    });
    const answer = await fetch(`${cuebird.url}/api/reminders/${id}/test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...words, push: true }),
    });
    expect(answer.status).toBe(422);
    expect((await answer.json()).error.fields).toEqual([
      { path: 'push', message: 'An API key has no browser to push a test to' },
    ]);
  });
});
