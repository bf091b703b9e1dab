import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InboxMessage, SandboxProvider } from '#contract/inbox.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { untilFound } from '#testing/changes.ts';
import { form } from '#testing/sandbox.ts';
import { startSink } from '#testing/sink.ts';

describe('the recipient of a message in the Inbox', () => {
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

  const list = async (of = workspace): Promise<InboxMessage[]> =>
    (await dana.call('GET', '/api/inbox', { workspace: of })).json.data;

  const reply = (id: string, text: string) =>
    dana.call('POST', `/api/inbox/${id}/replies`, { workspace, body: { text } });

  /** Sends an SMS through the channel that the sandbox proposes; returns Twilio's error code for a refusal. */
  async function sms(changes: Record<string, string> = {}, of = workspace): Promise<number | null> {
    const { json } = await dana.call('GET', '/api/inbox/addresses', { workspace: of });
    const twilio = json.providers.find(({ provider }: SandboxProvider) => provider === 'twilio').configuration;
    const login = Buffer.from(`${twilio.api_key}:${twilio.api_secret}`).toString('base64');
    const fields = { To: '+14155552671', From: twilio.from_number, Body: 'The rent is due.', ...changes };
    const url = `${twilio.base_url}/2010-04-01/Accounts/${twilio.api_key}/Messages.json`;
    const answer = await fetch(url, form(fields, { authorization: `Basic ${login}` }));
    return (await answer.json()).code ?? null;
  }

  it('replies, and the reply is shown with the message', async () => {
    expect(await sms()).toBeNull();
    const [sent] = await list();
    expect(sent).toMatchObject({ channel: 'sms', provider: 'twilio', segments: 1, can_reply: true, reply_to: null });
    const { status, json } = await reply(sent?.id ?? '', 'Paid, thanks');
    expect(status).toBe(201);
    expect(json).toMatchObject({
      sender: '+14155552671',
      recipient: '+15005550006',
      text: 'Paid, thanks',
      reply_to: sent?.id,
      can_reply: false,
      // Reported to the account's URL for replies.
      report: { status: 'delivered', answer: 'HTTP 200' },
    });
    expect((await list()).map(({ id }) => id)).toEqual([json.id, sent?.id]);
  });

  it('opts out of messages from that sender until it opts in again', async () => {
    await sms();
    const other = await dana.createWorkspace('Oak Street');
    const [sent] = await list();
    await reply(sent?.id ?? '', ' stop ');
    expect([await sms(), await sms({}, other)]).toEqual([21610, null]);
    await reply(sent?.id ?? '', 'Thanks');
    expect(await sms()).toBe(21610);
    await reply(sent?.id ?? '', 'START');
    expect(await sms()).toBeNull();
  });

  it('sends its reply to the report URL of the message', async () => {
    const sink = await startSink();
    await sms({ StatusCallback: sink.urlFor('reports') });
    await sink.received(2);
    const reported = await untilFound(cuebird.databaseUrl, async () => {
      const [message] = await list();
      return message?.report?.status === 'delivered' ? message : null;
    });
    expect(reported.report).toEqual({ status: 'delivered', answer: 'HTTP 200' });
    const { json } = await reply(reported.id, 'STOP');
    expect(json.report).toEqual({ status: 'delivered', answer: 'HTTP 200' });
    const said = sink.calls.map(({ body }) => new URLSearchParams(body));
    expect(said.map((fields) => fields.get('SmsStatus'))).toEqual(['sent', 'delivered', 'received']);
    expect(said[2]?.get('OptOutType')).toBe('STOP');
    await sink.close();
  });

  it('cannot reply to a mail, a reply, or a message of another workspace', async () => {
    const { rows } = await database.query<{ id: string }>(
      `insert into sandbox_messages (workspace_id, channel, sender, recipient, subject, body_text, raw_size)
       values ($1, 'email', 's', 'r', 'Mail', 't', 1) returning id`,
      [workspace],
    );
    expect(await reply(rows[0]?.id ?? '', 'STOP')).toMatchObject({ status: 422 });
    await sms();
    const [sent] = await list();
    const { json: answer } = await reply(sent?.id ?? '', 'STOP');
    expect((await reply(answer.id, 'STOP')).status).toBe(422);
    const other = await dana.createWorkspace('Oak Street');
    await sms({}, other);
    const [theirs] = await list(other);
    expect((await reply(theirs?.id ?? '', 'STOP')).status).toBe(404);
  });

  it('has its replies deleted with the message', async () => {
    await sms();
    const [sent] = await list();
    await reply(sent?.id ?? '', 'Thanks');
    await database.query('delete from sandbox_messages where id = $1', [sent?.id]);
    expect(await list()).toEqual([]);
  });

  /** Sends a test of a reminder and resolves once its only delivery has this status. */
  async function remind(of: { channel: string; recipient: string }, status: string) {
    const body = {
      name: 'Rent',
      status: 'draft',
      schedule_config: { type: 'scheduled', scheduleType: 'daily', timezone: 'UTC' },
      content: {
        subject: 'Rent is due',
        message: 'Pay, please',
        recipients: of.channel === 'slack' ? [] : [of.recipient],
      },
      metadata: { channels: [of.channel] },
    };
    const { json: reminder } = await dana.call('POST', '/api/reminders', { workspace, body });
    const to = of.channel === 'slack' ? { slack: true } : { recipients: [of.recipient] };
    const test = { ...to, subject: 'Rent is due', message: 'Pay, please' };
    await dana.call('POST', `/api/reminders/${reminder.id}/test`, { workspace, body: test });
    return untilFound(cuebird.databaseUrl, async () => {
      const { json: jobs } = await dana.call('GET', `/api/jobs?reminder_id=${reminder.id}`, { workspace });
      const [job] = jobs.data;
      if (job === undefined) return null;
      const { json } = await dana.call('GET', `/api/jobs/${job.id}/deliveries`, { workspace });
      return json.data.find((delivery: { status: string }) => delivery.status === status) ?? null;
    });
  }

  it.each([
    ['sms', '+14155552671', 'delivered'],
    ['whatsapp', '+14155552671', 'delivered'],
    ['slack', 'dana@example.com', 'accepted'],
  ])('of a reminder by %s gets it without any channel having been configured', async (channel, recipient, status) => {
    await remind({ channel, recipient }, status);
    expect(await list()).toMatchObject([{ channel, text: expect.stringContaining('Pay, please') }]);
  });

  it.each(['sms', 'whatsapp'])('gets no further attempt by %s after STOP', async (channel) => {
    const dave = { channel, recipient: '+14155552672' };
    await remind(dave, 'delivered');
    const [sent] = await list();
    const { json } = await reply(sent?.id ?? '', 'STOP');
    expect(json.report).toMatchObject({ status: 'delivered', answer: 'HTTP 200' });
    const skipped = await remind(dave, 'skipped');
    expect(skipped.reason).toBe('The recipient is on the suppression list');
    expect(await list()).toHaveLength(2);
  });

  it('fails after acceptance when the number cannot be reached', async () => {
    const failed = await remind({ channel: 'sms', recipient: '+15005550011' }, 'failed');
    expect(failed.reason).toBe('Twilio 30005: unknown handset');
  });
});
