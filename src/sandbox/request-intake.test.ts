import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '#contract/simulated-failures.ts';
import { form, json, startTestSandbox, type TestSandbox } from '#testing/sandbox.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.stop());

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** A valid request for each provider with plain credentials. */
const requests: Record<string, () => [path: string, init: RequestInit]> = {
  webhook: () => [new URL(sandbox.webhookUrlFor(sandbox.workspaceId)).pathname, json({})],
  twilio: () => {
    const { accountSid, authToken, number } = sandbox.accounts.twilio;
    const fields = { To: '+14155552671', From: number, Body: 'Due', StatusCallback: sandbox.callbackUrl };
    return [
      `/2010-04-01/Accounts/${accountSid}/Messages.json`,
      form(fields, { authorization: basic(accountSid, authToken) }),
    ];
  },
  messagebird: () => {
    const authorization = `AccessKey ${sandbox.accounts.messageBird.accessKey}`;
    return ['/messages', json({ originator: 'Cuebird', recipients: ['14155552671'], body: 'Due' }, { authorization })];
  },
  nexmo: () => {
    const { apiKey, apiSecret } = sandbox.accounts.vonage;
    return [
      '/sms/json',
      form({ api_key: apiKey, api_secret: apiSecret, from: 'Cuebird', to: '14155552671', text: 'Due' }),
    ];
  },
  waha: () => [
    '/api/sendText',
    json({ chatId: '14155552671@c.us', text: 'Due' }, { 'x-api-key': sandbox.accounts.waha.apiKey }),
  ],
  whatsapp_business: () => {
    const { accessToken, phoneNumberId } = sandbox.accounts.whatsAppBusiness;
    const body = { messaging_product: 'whatsapp', to: '14155552671', text: { body: 'Due' } };
    return [`/v23.0/${phoneNumberId}/messages`, json(body, { authorization: `Bearer ${accessToken}` })];
  },
  slack: () => [new URL(sandbox.accounts.slack.webhookUrl).pathname, json({ text: 'Due' })],
};

async function send(provider: string) {
  const [path, init] = requests[provider]?.() ?? ['/', {}];
  const answer = await fetch(`${sandbox.http.url}${path}`, init);
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.text() };
}

const limited = (form: 'seconds' | 'date' | null): Failure => ({
  kind: 'rate_limited',
  retry_after: form && { form, seconds: 90 },
});

describe('a simulated failure', () => {
  it.each([
    ['webhook', 429, '{"error":"Too many requests"}'],
    [
      'twilio',
      429,
      '{"code":20429,"message":"Too Many Requests","more_info":"https://www.twilio.com/docs/errors/20429","status":429}',
    ],
    ['messagebird', 429, '{"errors":[{"code":24,"description":"Too many requests","parameter":null}]}'],
    [
      'nexmo',
      200,
      '{"message-count":"1","messages":[{"status":"1","error-text":"Throughput Rate Exceeded - please wait [ 250 ] and retry"}]}',
    ],
    ['waha', 429, '{"statusCode":429,"message":"ThrottlerException: Too Many Requests"}'],
    [
      'whatsapp_business',
      429,
      '{"error":{"message":"(#130429) Rate limit hit","type":"OAuthException","code":130429,"error_data":{"messaging_product":"whatsapp","details":"Message failed to send because there were too many messages sent from this phone number in a short period of time"},"fbtrace_id":"ACuebirdSandbox"}}',
    ],
    ['slack', 429, '{"ok":false,"error":"ratelimited"}'],
  ])('makes %s answer too many requests', async (provider, status, body) => {
    sandbox.simulateFailure(limited('seconds'));
    expect(await send(provider)).toEqual({ status, retryAfter: '90', body });
    expect(sandbox.stored).toEqual([]);
  });

  it('gives Retry-After as seconds, as a date, or not at all', async () => {
    const said = [];
    for (const form of ['seconds', 'date', null] as const) {
      sandbox.simulateFailure(limited(form));
      said.push((await send('webhook')).retryAfter);
    }
    expect(said).toEqual(['90', 'Fri, 20 Nov 2026 08:01:30 GMT', null]);
  });

  it.each(Object.keys(requests))('makes %s answer an outage', async (provider) => {
    sandbox.simulateFailure({ kind: 'unavailable', status: 503 });
    const { status, body } = await send(provider);
    expect([status, body]).toEqual([503, expect.not.stringMatching(/ok|sent|queued/)]);
    expect(sandbox.stored).toEqual([]);
  });

  it('accepts a message and breaks the connection', async () => {
    sandbox.simulateFailure({ kind: 'reset' });
    await expect(send('twilio')).rejects.toThrow('fetch failed');
    expect(sandbox.stored).toHaveLength(1);
    // The provider continues with the message that it has accepted.
    expect(await sandbox.reported(sandbox.stored[0]?.id ?? '')).toMatchObject({ status: 'delivered' });
  });

  it('neither accepts a message nor answers, until the sandbox stops', async () => {
    sandbox.simulateFailure({ kind: 'hang' });
    const answer = send('twilio');
    const state = await Promise.race([answer, until(() => sandbox.http.port)]);
    expect(state).toBe('asked again');
    await Promise.all([expect(answer).rejects.toThrow('fetch failed'), sandbox.stop()]);
    expect(sandbox.stored).toEqual([]);
  });

  /** Waits until another request is answered. */
  async function until(port: () => number): Promise<string> {
    await fetch(`http://127.0.0.1:${port()}/nothing`);
    return 'asked again';
  }

  it('accepts a message and answers late', async () => {
    sandbox.simulateFailure({ kind: 'slow', seconds: 1 });
    const before = performance.now();
    expect((await send('twilio')).status).toBe(201);
    expect(performance.now() - before).toBeGreaterThan(990);
    expect(sandbox.stored).toHaveLength(1);
  });

  it('comes after the rules: an invalid request is refused as invalid', async () => {
    sandbox.simulateFailure({ kind: 'unavailable', status: 503 });
    const answer = await fetch(`${sandbox.http.url}/messages`, json({}, { authorization: 'AccessKey guessed' }));
    expect(answer.status).toBe(401);
  });

  it('refuses below /status at the address of a workspace’s webhooks', async () => {
    const url = sandbox.webhookUrlFor(sandbox.workspaceId);
    const busy = await fetch(`${url}/status/429`, { method: 'POST' });
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await fetch(`${url}/status/503`, { method: 'POST' })).status).toBe(503);
    expect((await fetch(`${url}/status/200`, { method: 'POST' })).status).toBe(200);
    expect(sandbox.stored).toMatchObject([{ subject: 'POST status/200' }]);
  });

  it('applies to magic recipients: one breaks the connection, one never answers', async () => {
    const { accessKey } = sandbox.accounts.messageBird;
    const sms = (recipient: string) =>
      fetch(
        `${sandbox.http.url}/messages`,
        json(
          { originator: 'Cuebird', recipients: [recipient], body: 'Due' },
          { authorization: `AccessKey ${accessKey}` },
        ),
      );
    expect([(await sms('15005550014')).status, (await sms('15005550014')).headers.get('retry-after')]).toEqual([
      429,
      '5',
    ]);
    expect((await sms('15005550015')).status).toBe(503);
    await expect(sms('15005550016')).rejects.toThrow('fetch failed');
    expect(sandbox.stored).toMatchObject([{ recipient: '+15005550016' }]);
  });
});

describe('a simulated failure of mail', () => {
  async function mail(recipient = 'ann@example.com') {
    const {
      smtp_host: host,
      smtp_port: port,
      username: user,
      password: pass,
    } = sandbox.smtpConfigFor(sandbox.workspaceId);
    const transport = createTransport({ host, port, auth: { user, pass } });
    try {
      return (await transport.sendMail({ from: 'a@b.test', to: recipient, subject: 'Rent', text: 'Due' })).response;
    } catch (error) {
      return error instanceof Error ? error.message : '';
    } finally {
      transport.close();
    }
  }

  it.each<[Failure, RegExp, number]>([
    [limited(null), /450 4\.7\.1 Too many messages/, 0],
    [{ kind: 'unavailable', status: 503 }, /421 4\.3\.2 Service not available/, 0],
    [{ kind: 'reset' }, /closed|ECONNRESET/i, 1],
    [{ kind: 'slow', seconds: 1 }, /250 OK: queued as S1/, 1],
  ])('%o is answered by an SMTP reply', async (failure, words, stored) => {
    sandbox.simulateFailure(failure);
    expect(await mail()).toMatch(words);
    expect(sandbox.stored).toHaveLength(stored);
  });

  it('a server that hangs defers the mail when it stops', async () => {
    sandbox.simulateFailure({ kind: 'hang' });
    const answer = mail();
    const socket = connect(sandbox.smtp.port, sandbox.smtp.host);
    // A later connection is greeted: the mail before it was handed over and still waits.
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    const [said] = await Promise.all([answer, sandbox.stop()]);
    expect(said).toMatch(/421|closed/i);
    expect(sandbox.stored).toEqual([]);
  });

  it.each([
    ['no-such-user@cuebird.test', /550 5\.1\.1/],
    ['Mailbox-Full@cuebird.test', /452 4\.2\.2/],
    ['greylisted@cuebird.test', /451 4\.7\.1/],
    ['blocked@cuebird.test', /554 5\.7\.1/],
  ])('applies to the magic address %s', async (recipient, words) => {
    expect(await mail(recipient)).toMatch(words);
    expect(sandbox.stored).toEqual([]);
  });
});
