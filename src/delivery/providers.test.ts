import { afterAll, describe, expect, it } from 'vitest';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { adapters, splitSecrets } from '#delivery/registry.ts';
import { envelope, openProviderFixture, reply } from './provider.fixture.ts';

const fixture = openProviderFixture();
afterAll(() => fixture.close());

/** A complete configuration of each provider with an API, with one address for all of its traffic. */
const configurations: Record<string, (url: string) => Record<string, unknown>> = {
  'sms/twilio': (base_url) => ({ api_key: 'AC1', api_secret: 't0ken', from_number: '+15005550006', base_url }),
  'sms/aws_sns': (base_url) => ({ api_key: 'AKIDEXAMPLE', api_secret: 's', base_url }),
  'sms/messagebird': (base_url) => ({ api_key: 'live_1', from_number: 'Cuebird', base_url }),
  'sms/nexmo': (base_url) => ({ api_key: 'k', api_secret: 's', from_number: 'Cuebird', base_url }),
  'whatsapp/waha': (base_url) => ({ session_name: 'default', base_url }),
  'whatsapp/twilio': (base_url) => ({ api_key: 'AC1:t0ken', phone_number_id: '+14155238886', base_url }),
  'whatsapp/whatsapp_business': (base_url) => ({ api_key: 'EAA', phone_number_id: '106', base_url }),
  'whatsapp/messagebird': (base_url) => ({ api_key: 'live_1', phone_number_id: 'c1', base_url }),
  'slack/webhook': (webhook_url) => ({ webhook_url }),
  'slack/bot': (base_url) => ({ bot_token: 'xoxb-1', channel: '#general', base_url }),
};

const named = Object.fromEntries(adapters.map((adapter) => [`${adapter.type}/${adapter.provider}`, adapter]));

it('every provider with an API is tested here', () => {
  const others = ['email/smtp', 'webhook/http', 'push/web_push'];
  expect(Object.keys(configurations).sort()).toEqual(
    Object.keys(named)
      .filter((name) => !others.includes(name))
      .sort(),
  );
});

describe.each(Object.entries(configurations))('%s', (name, configurationAt) => {
  const adapter = named[name]!;
  const configAt = (url: string) => adapter.shape.parse(configurationAt(url));
  const sendTo = (url: string) => adapter.send(envelope, { config: configAt(url), network: fixture.network });

  it('is tried again after a 503', async () => {
    const { url } = await fixture.serve(reply(503, 'down for maintenance'));
    expect(await sendTo(url)).toEqual({
      outcome: 'failed',
      permanent: false,
      reason: expect.stringContaining('down for maintenance'),
    });
  });

  it('is tried again after the delay of a 429', async () => {
    const { url } = await fixture.serve(reply(429, '{}', { 'retry-after': '90' }));
    expect(await sendTo(url)).toMatchObject({ outcome: 'failed', permanent: false, retryAfterMs: 90_000 });
  });

  it('has failed permanently after a 401 and a redirect', async () => {
    for (const status of [401, 302]) {
      const { url } = await fixture.serve(reply(status, 'no', { location: 'http://127.0.0.1:2/' }));
      expect(await sendTo(url)).toMatchObject({ outcome: 'failed', permanent: true });
    }
  });

  it('is unknown when the connection breaks after the request', async () => {
    const { url } = await fixture.serve((request) => request.socket.resetAndDestroy());
    expect(await sendTo(url)).toEqual({
      outcome: 'unknown',
      reason: 'Sent, but not answered: the server closed the connection',
    });
  });

  it('is unsent when the connection is refused, and permanently when the egress guard refuses it', async () => {
    expect(await sendTo('http://127.0.0.1:2')).toEqual({
      outcome: 'failed',
      permanent: false,
      code: 'unreachable',
      reason: 'Not sent: the server refused the connection',
    });
    expect(await sendTo('http://10.0.0.5')).toMatchObject({
      outcome: 'failed',
      permanent: true,
      reason: expect.stringContaining('which Cuebird does not connect to'),
    });
    expect(await sendTo('http://127.0.0.1:6379')).toEqual({
      outcome: 'failed',
      permanent: true,
      code: 'unreachable',
      reason: 'Not sent: Port 6379 belongs to another protocol: no web address may name it',
    });
  });

  it('includes everything that its form asks for, and encrypts secrets', () => {
    const names = adapter.fields.map((field) => field.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining([...adapter.secretFields]));
    const passwords = adapter.fields.filter(({ kind }) => kind === 'password').map((field) => field.name);
    expect([...adapter.secretFields].sort()).toEqual(passwords.sort());
    const configuration = configurationAt('http://127.0.0.1:2');
    expect(names).toEqual(expect.arrayContaining(Object.keys(configuration)));
    expect(Object.keys(splitSecrets(adapter, configuration).shown)).not.toEqual(
      expect.arrayContaining([...adapter.secretFields]),
    );
  });

  it('names each field without which the configuration is incomplete', () => {
    const required = adapter.fields.filter((field) => field.required).map((field) => field.name);
    expect(required).not.toEqual([]);
    for (const values of [{}, Object.fromEntries(required.map((field) => [field, '']))]) {
      const issues = adapter.shape.safeParse(values).error?.issues ?? [];
      expect(issues.map(({ path, message }) => [path.join('.'), message])).toEqual(
        required.map((field) => [field, 'Configuration incomplete']),
      );
    }
  });
});

describe.each(Object.keys(configurations).filter((name) => !name.startsWith('slack/')))('%s', (name) => {
  const adapter = named[name]!;

  it('is unknown when a success has no content', async () => {
    const { url } = await fixture.serve(reply(200, '<html>ok</html>'));
    expect(await send(adapter, { url })).toMatchObject({
      outcome: 'unknown',
      reason: 'Sent, but the answer is not understood: HTTP 200: <html>ok</html>',
    });
  });

  it('makes no request for a recipient that is no phone number', async () => {
    const { url, seen } = await fixture.serve(reply(500));
    for (const recipient of ['ann@example.com', '12', '0170 1234567']) {
      expect(await send(adapter, { url, recipient })).toEqual({
        outcome: 'failed',
        permanent: true,
        code: 'unfit_address',
        reason: `“${recipient}” is not a phone number with its country code, such as +491701234567`,
      });
    }
    expect(seen).toEqual([]);
  });

  const send = (to: AnyAdapter, { url, recipient = envelope.recipient }: { url: string; recipient?: string }) =>
    to.send(
      { ...envelope, recipient },
      { config: to.shape.parse({ ...configurations[name]!(url), from_number: 'Cuebird' }), network: fixture.network },
    );
});
