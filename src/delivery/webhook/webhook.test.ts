import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Envelope, Network } from '#delivery/adapter.ts';
import { createSmtpPools } from '#delivery/email/smtp-pools.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import { sign, signingKey } from './webhook.message.ts';
import { adapter as webhook } from './http.adapter.ts';

const now = Temporal.Instant.from('2026-11-20T08:00:00.250Z');
const guard = createEgressGuard({ allow: ['127.0.0.0/8'], exact: () => [] });
const network: Network = {
  http: createOutboundHttp({ guard, checkEveryMs: 10 }),
  smtp: createSmtpPools({ guard }),
  now: () => now,
};
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});
afterAll(() => network.http.close());

const envelope: Envelope = {
  delivery_id: '019a9d3e-0000-7000-8000-000000000001',
  workspace_id: '019a9d3e-0000-7000-8000-000000000002',
  job_id: '019a9d3e-0000-7000-8000-000000000003',
  reminder_id: '019a9d3e-0000-7000-8000-000000000004',
  name: 'Rent',
  scheduled_for: '2026-11-20T08:00:00Z',
  attempt: 1,
  channel: 'webhook',
  recipient: 'ann@example.com',
  recipient_name: 'Ann',
  subject: 'Rent is due',
  message: 'Dear "Ann",\npay €900',
  is_test: false,
};

describe('the webhook request', () => {
  it('is a signed POST of the reminder as JSON', async () => {
    const { outcome, calls } = await sendTo(reply(200, 'thanks'), { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
    expect(outcome).toEqual({ outcome: 'accepted', receipt: envelope.delivery_id, answer: 'HTTP 200: thanks' });
    const [call] = calls;
    expect(JSON.parse(call?.body ?? '')).toEqual({
      type: 'reminder.due',
      id: envelope.delivery_id,
      timestamp: '2026-11-20T08:00:00.250Z',
      data: {
        reminder_id: envelope.reminder_id,
        name: 'Rent',
        subject: 'Rent is due',
        message: 'Dear "Ann",\npay €900',
        recipient: 'ann@example.com',
        recipient_name: 'Ann',
        scheduled_for: '2026-11-20T08:00:00Z',
        attempt: 1,
        is_test: false,
      },
    });
    expect(call).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    const key = signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    expect(call?.headers['webhook-id']).toBe(envelope.delivery_id);
    expect(call?.headers['webhook-timestamp']).toBe('1795161600');
    expect(call?.headers['webhook-signature']).toBe(sign(key, `${envelope.delivery_id}.1795161600.${call?.body}`));
  });

  it('is signed like the example of the Standard Webhooks libraries', () => {
    const key = signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
    const content = 'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}';
    expect(sign(key, content)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('uses a secret without the prefix as plain text and sends no signature without one', async () => {
    const { calls } = await sendTo(reply(200), { secret: 'tøp secret' });
    const signature = calls[0]?.headers['webhook-signature'];
    expect(signature).toBe(sign(signingKey('tøp secret'), `${envelope.delivery_id}.1795161600.${calls[0]?.body}`));
    const unsigned = await sendTo(reply(200), { secret: '' });
    expect(unsigned.calls[0]?.headers).not.toHaveProperty('webhook-signature');
    expect(unsigned.calls[0]?.headers).toHaveProperty('webhook-id', envelope.delivery_id);
  });

  it('fills a JSON body of its own without letting a message break it', async () => {
    const body = '{"to": "{{recipient}}", "text": "{{ content }}", "try": {{attempt}}}';
    const { calls } = await sendTo(reply(200), { body, method: 'PUT' });
    expect(calls[0]).toMatchObject({ method: 'PUT', headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(calls[0]?.body ?? '')).toEqual({ to: 'ann@example.com', text: envelope.message, try: 1 });
  });

  it('fills a body that is not JSON without escaping', async () => {
    const { calls } = await sendTo(reply(200), { body: '[{{subject}}] {{message}}' });
    expect(calls[0]).toMatchObject({
      body: `[Rent is due] ${envelope.message}`,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
  });

  it('puts a GET into the query', async () => {
    const { calls } = await sendTo(reply(204), { method: 'GET', headers: '{"X-Api-Key": "k"}' }, { path: '/hook?a=1' });
    const url = new URL(calls[0]?.path ?? '', 'http://x');
    expect(calls[0]).toMatchObject({ method: 'GET', body: '', headers: { 'x-api-key': 'k' } });
    expect(Object.fromEntries(url.searchParams)).toEqual({
      a: '1',
      message: envelope.message,
      subject: 'Rent is due',
      timestamp: '2026-11-20T08:00:00.250Z',
      recipient: 'ann@example.com',
    });
  });

  it('goes to the recipient when that is a URL', async () => {
    const there = await receiver(reply(200));
    const config = webhook.shape.parse({ url: 'http://127.0.0.1:2/never' });
    const outcome = await webhook.send({ ...envelope, recipient: `${there.url}/mine` }, { config, network });
    expect(outcome).toHaveProperty('outcome', 'accepted');
    expect(there.calls.map(({ path }) => path)).toEqual(['/mine']);
  });

  it('carries custom headers, which may name another content type', async () => {
    const headers = '{"Authorization": "Bearer t", "Content-Type": "application/vnd.api+json", "X-N": 5}';
    const { calls } = await sendTo(reply(200), { headers });
    expect(calls[0]?.headers).toMatchObject({
      authorization: 'Bearer t',
      'content-type': 'application/vnd.api+json',
      'x-n': '5',
      'user-agent': 'Cuebird',
    });
  });
});

describe('headers and signature of a webhook channel', () => {
  const secrets = { headers: '{"X-Api-Key": "k", "User-Agent": "Desk"}', secret: 'sesame of the desk' };

  /** Sends to a receiver named by the recipient, over a channel whose own URL is elsewhere. */
  async function sendAway(configuration: (url: string) => object, answer = reply(200), path = '/theirs') {
    const { url, calls } = await receiver(answer);
    const config = webhook.shape.parse({ url: 'http://127.0.0.1:1/own', ...secrets, ...configuration(url) });
    const away = { ...envelope, recipient: `${url}${path}` };
    const outcome = await webhook.send(away, { config, network });
    const shown = webhook.show?.(away, { config, now });
    return { outcome, call: calls[0], shown: shown?.kind === 'request' ? shown : null, url };
  }

  it.each(['POST', 'GET'])(
    'do not go to a recipient’s URL of another origin, which is still called: %s',
    async (method) => {
      const { outcome, call, shown } = await sendAway(() => ({ method }));
      expect(outcome).toHaveProperty('outcome', 'accepted');
      expect(call?.headers).toMatchObject({
        'user-agent': 'Cuebird',
        'webhook-id': envelope.delivery_id,
        'webhook-timestamp': '1795161600',
      });
      expect(call?.headers).not.toHaveProperty('webhook-signature');
      expect(call?.headers).not.toHaveProperty('x-api-key');
      expect(shown?.headers.every(({ value }) => value !== null)).toBe(true);
    },
  );

  it.each([
    ['/theirs', '/own'],
    ['/theirs', '/'],
    ['/theirs', '/their'],
    ['/theirs/', '/theirs'],
    ['/theirs', '/theirs/..'],
    ['/hooks/%2e%2e%2ftheirs', '/hooks/'],
    ['/hooks/../theirs', '/hooks'],
    ['/theirs', '/theirs?team=ours'],
    ['/theirs?team=theirs', '/theirs?team=ours'],
    ['/theirs?team=ours&team=theirs', '/theirs?team=ours'],
  ])('do not go to a recipient’s %s on the host of the channel’s own %s, where another may read', async (path, own) => {
    const { call } = await sendAway((url) => ({ url: `${url}${own}` }), reply(200), path);
    expect(call?.headers).not.toHaveProperty('webhook-signature');
    expect(call?.headers).not.toHaveProperty('x-api-key');
  });

  it.each([
    ['/theirs', '/theirs'],
    ['/a/../theirs', '/theirs'],
    ['/theirs?contact=7', '/theirs'],
    ['/theirs?contact=7&team=ours', '/theirs?team=ours'],
  ])('go to a recipient’s %s where the channel’s own is %s', async (path, own) => {
    const { call, shown } = await sendAway((url) => ({ url: `${url}${own}` }), reply(200), path);
    expect(call).toMatchObject({ headers: { 'x-api-key': 'k', 'user-agent': 'Desk' } });
    expect(call?.headers).toHaveProperty('webhook-signature');
    expect(shown?.headers).toContainEqual({ name: 'X-Api-Key', value: null });
  });

  it('go to a trusted origin, however it is written', async () => {
    const { call } = await sendAway((url) => ({
      trusted_origins: `https://hooks.example.com\n ${url.replace('http', 'HTTP').replace('127.0.0.1', '0x7f.1')}/ `,
    }));
    expect(call?.headers).toMatchObject({ 'x-api-key': 'k' });
    expect(call?.headers).toHaveProperty('webhook-signature');
  });

  it('go to trusted origins only when the channel has no URL', async () => {
    const { call } = await sendAway(() => ({ url: '' }));
    expect(call?.headers).not.toHaveProperty('x-api-key');
    expect(call?.headers).not.toHaveProperty('webhook-signature');
  });

  it('are named in the reason when a receiver refuses a request without them', async () => {
    const { outcome, url } = await sendAway(() => ({}), reply(401, 'who?'));
    expect(outcome).toEqual({
      outcome: 'failed',
      permanent: true,
      reason: `HTTP 401 (sent without the channel's headers and signature: this is not the channel's own address, and ${url} is not a trusted origin of it)`,
      answer: 'HTTP 401: who?',
    });
  });
});

it('is not sent to an address without a URL, of a channel without one', async () => {
  const config = webhook.shape.parse({});
  expect(await webhook.send(envelope, { config, network })).toEqual({
    outcome: 'failed',
    permanent: true,
    code: 'no_channel',
    reason: 'This webhook channel has no URL',
  });
});

describe('the answer to a webhook', () => {
  it.each([
    [201, { outcome: 'accepted', answer: 'HTTP 201: words' }],
    [301, { outcome: 'failed', permanent: true, reason: 'HTTP 301: redirects are not followed' }],
    [400, { outcome: 'failed', permanent: true, reason: 'HTTP 400', answer: 'HTTP 400: words' }],
    [401, { outcome: 'failed', permanent: true }],
    [404, { outcome: 'failed', permanent: true }],
    [410, { outcome: 'failed', permanent: true }],
    [408, { outcome: 'failed', permanent: false }],
    [409, { outcome: 'failed', permanent: false }],
    [425, { outcome: 'failed', permanent: false }],
    [429, { outcome: 'failed', permanent: false }],
    [500, { outcome: 'failed', permanent: false }],
    [503, { outcome: 'failed', permanent: false, reason: 'HTTP 503', answer: 'HTTP 503: words' }],
  ])('%i is %o', async (status, expected) => {
    const { outcome } = await sendTo(reply(status, ' words\n'));
    expect(outcome).toMatchObject(expected);
    expect(outcome).not.toHaveProperty('retryAfterMs');
  });

  it('says when to try again', async () => {
    const { outcome } = await sendTo((_request, response) => response.writeHead(429, { 'retry-after': '90' }).end());
    expect(outcome).toEqual({
      outcome: 'failed',
      permanent: false,
      reason: 'HTTP 429',
      answer: 'HTTP 429',
      retryAfterMs: 90_000,
    });
  });

  it('gives the receiver’s own id as the receipt', async () => {
    const { outcome } = await sendTo((_request, response) =>
      response.writeHead(200, { 'x-request-id': 'req-7' }).end(),
    );
    expect(outcome).toHaveProperty('receipt', 'req-7');
  });

  it('keeps the first 500 characters', async () => {
    const { outcome } = await sendTo(reply(200, 'x'.repeat(9_000)));
    expect(outcome).toHaveProperty('answer', `HTTP 200: ${'x'.repeat(500)}`);
  });

  it('is unknown when the connection breaks after the request', async () => {
    const { outcome } = await sendTo((request) => request.socket.resetAndDestroy());
    expect(outcome).toEqual({ outcome: 'unknown', reason: 'Sent, but not answered: the server closed the connection' });
  });

  it('is a temporary failure when the connection is refused and a permanent one when the egress guard refuses it', async () => {
    const config = webhook.shape.parse({ url: 'http://127.0.0.1:2/' });
    expect(await webhook.send(envelope, { config, network })).toEqual({
      outcome: 'failed',
      permanent: false,
      code: 'unreachable',
      reason: 'Not sent: the server refused the connection',
    });
    const inside = { ...envelope, recipient: 'http://169.254.169.254/latest/meta-data' };
    expect(await webhook.send(inside, { config, network })).toEqual({
      outcome: 'failed',
      permanent: true,
      code: 'unreachable',
      reason: 'Not sent: 169.254.169.254 is a link-local address, which Cuebird does not connect to.',
    });
    expect(await webhook.send(envelope, { config: webhook.shape.parse({}), network })).toHaveProperty(
      'permanent',
      true,
    );
  });
});

describe('a webhook channel’s configuration', () => {
  it('defaults to a POST within 30 seconds', () => {
    expect(webhook.shape.parse({ url: 'https://example.com/', body: '', headers: '', secret: '' })).toMatchObject({
      method: 'POST',
      timeout: 30,
      headers: [],
    });
  });

  it.each([
    [{ url: 'ftp://example.com' }, 'must be a URL that begins with http:// or https://'],
    [{ url: 'https://example.com', timeout: 0 }, 'must be 1 to 120 seconds'],
    [{ headers: 'X-Key: 1' }, 'must be a JSON object such as {"X-Api-Key": "…"}'],
    [{ headers: '["a"]' }, 'must be a JSON object such as {"X-Api-Key": "…"}'],
    [{ headers: '{"Host": "inside"}' }, 'the header “Host” is set by Cuebird'],
    [{ headers: '{"Webhook-Signature": "v1,x"}' }, 'the header “Webhook-Signature” is set by Cuebird'],
    [{ headers: '{"Transfer-Encoding": "chunked"}' }, 'the header “Transfer-Encoding” is set by Cuebird'],
    [{ headers: '{"X-A": "1\\r\\nX-B: 2"}' }, 'the value of “X-A” must be one line of Latin text'],
    [{ headers: '{"X A": "1"}' }, '“X A” is not a header name'],
    [{ headers: '{"a": "1", "A": "2"}' }, 'the header “A” is listed twice'],
    [{ secret: 'whsec_???' }, 'must be base64 after whsec_'],
    [
      { trusted_origins: 'hooks.example.com' },
      '“hooks.example.com” is not an origin such as https://hooks.example.com',
    ],
    [{ trusted_origins: 'ftp://example.com' }, 'is not an origin'],
    [{ trusted_origins: 'https://example.com/hooks' }, 'is not an origin'],
    [{ trusted_origins: 'https://example.com?' }, 'is not an origin'],
    [{ trusted_origins: 'https://user@example.com' }, 'is not an origin'],
    [{ trusted_origins: 'https://*.example.com' }, 'is not an origin'],
    [{ trusted_origins: `https://${'x'.repeat(300)}.com` }, 'is not an origin'],
    [{ trusted_origins: 'https://example.com\n'.repeat(21) }, 'must be at most 20 origins'],
    [{ trusted_origins: ' '.repeat(6_001) }, 'must be at most 6000 characters'],
    [{ trusted_origins: ['https://example.com'] }, 'must be text, one origin per line'],
    [{ body: '{"a": {{content}}' }, 'is not valid JSON'],
    [{ body: 'Pay {{amount}}' }, '{{amount}} is not known here'],
  ])('refuses %o', (configuration, sentence) => {
    const parsed = webhook.shape.safeParse(configuration);
    expect(parsed.error?.issues.map(({ message }) => message).join()).toContain(sentence);
  });
});

type Call = { method: string | undefined; path: string | undefined; headers: IncomingHttpHeaders; body: string };

async function sendTo(answer: RequestListener, configuration: Record<string, unknown> = {}, { path = '/hook' } = {}) {
  const { url, calls } = await receiver(answer);
  const config = webhook.shape.parse({ url: url + path, ...configuration });
  return { outcome: await webhook.send(envelope, { config, network }), calls };
}

async function receiver(answer: RequestListener) {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    const body = Buffer.concat(chunks).toString();
    calls.push({ method: request.method, path: request.url, headers: request.headers, body });
    answer(request, response);
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on TCP');
  return { url: `http://127.0.0.1:${address.port}`, calls };
}

function reply(status: number, body = ''): RequestListener {
  return (_request, response) => response.writeHead(status).end(body);
}
