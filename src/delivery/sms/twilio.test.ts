import { afterAll, describe, expect, it } from 'vitest';
import { callbackBase, envelope, now, openProviderFixture, reply } from '#delivery/provider.fixture.ts';
import { twilioSignature } from '#delivery/twilio/twilio.callback.ts';
import { adapter } from './twilio.adapter.ts';

const fixture = openProviderFixture();
afterAll(() => fixture.close());

const account = { api_key: 'AC0123', api_secret: 't0ken', from_number: '+1 (500) 555-0006' };
const created = {
  sid: 'SM90c6fc909d8504d45ecdb3a3d5b3556e',
  status: 'queued',
  num_segments: '1',
  error_code: null,
  error_message: null,
};

async function send(answer = reply(201, created), { message = envelope.message, ...changes } = {}, recipient?: string) {
  const { url, seen } = await fixture.serve(answer);
  const config = adapter.shape.parse({ ...account, base_url: url, ...changes });
  const to = { ...envelope, message, ...(recipient && { recipient }) };
  return { outcome: await adapter.send(to, { config, network: fixture.network }), seen };
}

describe('an SMS through Twilio', () => {
  it('is a form of the Messages resource, and its SID the receipt', async () => {
    const { outcome, seen } = await send();
    expect(outcome).toEqual({ outcome: 'accepted', receipt: created.sid, answer: 'HTTP 201: queued (segments: 1)' });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/2010-04-01/Accounts/AC0123/Messages.json',
      form: { To: '+4917012345678', From: '+15005550006', Body: envelope.message },
      headers: {
        authorization: `Basic ${Buffer.from('AC0123:t0ken').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'Cuebird',
      },
    });
    expect(Object.keys(seen[0]!.form).sort()).toEqual(['Body', 'From', 'To']);
  });

  it('asks for reports at the channel’s address, with the delivery’s own id', async () => {
    const { seen } = await send(reply(201, created), { callback_token: 'tok' } as object);
    expect(seen[0]?.form.StatusCallback).toBe(`${callbackBase}/twilio/tok?delivery=${envelope.delivery_id}`);
  });

  it('leaves a sender to a Messaging Service', async () => {
    const from_number = `MG${'0123456789abcdef'.repeat(2)}`;
    const { seen } = await send(reply(201, created), { from_number } as object);
    expect(seen[0]?.form).toMatchObject({ MessagingServiceSid: from_number });
    expect(seen[0]?.form).not.toHaveProperty('From');
  });

  it('reads a national number as one of the sender’s country, or of the configured one', async () => {
    const { seen } = await send(undefined, { from_number: '+14155550100' } as object, '(415) 555-2671');
    expect(seen[0]?.form.To).toBe('+14155552671');
    const german = await send(undefined, { default_country: 'de' } as object, '0170 1234567');
    expect(german.seen[0]?.form.To).toBe('+491701234567');
  });

  it.each([
    [400, 21211, "The 'To' number +123 is not a valid phone number.", true],
    [400, 21610, 'Attempt to send to unsubscribed recipient', true],
    [401, 20003, 'Authenticate', true],
    [404, 20404, 'The requested resource was not found', true],
    [429, 20429, 'Too Many Requests', false],
    [400, 21611, "This 'From' number has exceeded the maximum number of queued messages", false],
    [503, 20503, 'Service unavailable', false],
  ])('%i with code %i is explained', async (status, code, message, permanent) => {
    const body = { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status };
    expect((await send(reply(status, body))).outcome).toEqual({
      outcome: 'failed',
      permanent,
      reason: `Twilio ${code}: ${message}`,
    });
  });

  it('has failed when Twilio says so at once', async () => {
    const body = { ...created, status: 'failed', error_code: 30005, error_message: 'Unknown destination handset' };
    expect((await send(reply(201, body))).outcome).toEqual({
      outcome: 'failed',
      permanent: true,
      reason: 'Twilio 30005: Unknown destination handset',
    });
  });

  it('is not sent without token or sender, nor when it is too long', async () => {
    for (const [changes, code, reason] of [
      [{ api_secret: '' }, 'no_channel', "Configuration incomplete: Twilio needs the account's auth token"],
      [{ from_number: '' }, 'no_channel', 'Configuration incomplete: Twilio needs a number to send from'],
      [{ message: 'x'.repeat(1_601) }, 'too_large', 'The message has 1601 characters; Twilio takes 1600'],
    ] as const) {
      const { outcome, seen } = await send(undefined, changes as object);
      expect(outcome).toEqual({ outcome: 'failed', permanent: true, code, reason });
      expect(seen).toEqual([]);
    }
  });

  it('is verified by its account', async () => {
    const verify = async (status: number, body: object) => {
      const { url, seen } = await fixture.serve(reply(status, body));
      const verification = await adapter.verify?.(adapter.shape.parse({ ...account, base_url: url }), fixture.network);
      expect(seen[0]).toMatchObject({ method: 'GET', path: '/2010-04-01/Accounts/AC0123.json' });
      return verification;
    };
    expect(await verify(200, { friendly_name: 'Elm', status: 'active' })).toEqual({
      success: true,
      message: 'Connected to the Twilio account “Elm”',
    });
    expect(await verify(200, { friendly_name: 'Elm', status: 'suspended' })).toHaveProperty('success', false);
    expect(await verify(401, { code: 20003, message: 'Authenticate' })).toEqual({
      success: false,
      message: 'Twilio 20003: Authenticate',
    });
  });
});

describe('a call of Twilio', () => {
  const url = new URL(`${callbackBase}/twilio/tok?delivery=${envelope.delivery_id}`);
  const config = adapter.shape.parse(account);

  function call(
    form: Record<string, string>,
    { signedAs = url.href, token = 't0ken', at = url, method = 'POST' } = {},
  ) {
    const parameters = new URLSearchParams(method === 'POST' ? form : {});
    const signature = twilioSignature(token, { url: signedAs, parameters });
    const headers = new Headers({
      'x-twilio-signature': signature,
      'content-type': 'application/x-www-form-urlencoded',
    });
    const body = Buffer.from(new URLSearchParams(form).toString());
    return adapter.parseCallback!({ method: method as 'POST', url: at, headers, body }, { config, now });
  }

  it('is signed like the example of the documentation', () => {
    const parameters = new URLSearchParams({
      CallSid: 'CA1234567890ABCDE',
      Caller: '+14158675309',
      Digits: '1234',
      From: '+14158675309',
      To: '+18005551212',
    });
    const example = { url: 'https://mycompany.com/myapp.php?foo=1&bar=2', parameters };
    expect(twilioSignature('12345', example)).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=');
  });

  it.each([
    ['delivered', { kind: 'delivered' }],
    ['read', { kind: 'delivered' }],
    ['undelivered', { kind: 'failed', reason: 'Twilio 30003: the handset is unreachable' }],
    ['failed', { kind: 'failed', reason: 'Twilio 30003: the handset is unreachable' }],
  ])('reports a message as %s', (status, report) => {
    expect(call({ MessageSid: 'SM1', MessageStatus: status, ErrorCode: '30003', To: '+49170' })).toEqual({
      kind: 'reports',
      reports: [{ id: 'SM1', deliveryId: envelope.delivery_id, ...report }],
      reply: '<Response/>',
    });
  });

  it.each(['queued', 'sending', 'sent'])('reports nothing for %s', (status) => {
    expect(call({ MessageSid: 'SM1', MessageStatus: status })).toMatchObject({ kind: 'reports', reports: [] });
  });

  it('reports opt-outs and opt-ins', () => {
    const sid = `SM${'0a'.repeat(16)}`;
    const said = (Body: string, more = {}) =>
      call({ MessageSid: sid, SmsStatus: 'received', From: '+4917012345678', Body, ...more });
    const of = { sender: '+4917012345678', messageId: sid, sentAt: null };
    expect(said(' stop ')).toMatchObject({ reports: [{ kind: 'stopped', ...of }] });
    // The text after the id could be part of it under the same signature.
    expect(said('START', { MessageSid: `${sid}NumMedia0` })).toMatchObject({ reports: [{ messageId: null }] });
    expect(said('START')).toMatchObject({ reports: [{ kind: 'resumed', sender: '+4917012345678' }] });
    expect(said('Please stop by on Friday')).toMatchObject({ reports: [] });
    expect(said('halt', { OptOutType: 'STOP' })).toMatchObject({ reports: [{ kind: 'stopped' }] });
    expect(said('stop', { From: 'whatsapp:+4917012345678' })).toMatchObject({
      reports: [{ sender: '+4917012345678' }],
    });
  });

  it('may be signed with the port of https, and come as GET', () => {
    const signedAs = url.href.replace('cuebird.example.com', 'cuebird.example.com:443');
    expect(call({ MessageSid: 'SM1', MessageStatus: 'delivered' }, { signedAs })).toHaveProperty('kind', 'reports');
    const at = new URL(`${url.href}&MessageSid=SM1&MessageStatus=delivered`);
    expect(call({}, { at, signedAs: at.href, method: 'GET' })).toMatchObject({ reports: [{ id: 'SM1' }] });
  });

  it('is refused with another token, address, body, or none', () => {
    const refused = { kind: 'refused', reason: 'X-Twilio-Signature does not match this request' };
    const form = { MessageSid: 'SM1', MessageStatus: 'delivered' };
    expect(call(form, { token: 'another' })).toEqual(refused);
    expect(call(form, { signedAs: url.href.replace('tok', 'kot') })).toEqual(refused);
    const signature = twilioSignature('t0ken', { url: url.href, parameters: new URLSearchParams(form) });
    const tampered = Buffer.from('MessageSid=SM2&MessageStatus=delivered');
    for (const headers of [new Headers({ 'x-twilio-signature': signature }), new Headers()])
      expect(adapter.parseCallback!({ method: 'POST', url, headers, body: tampered }, { config, now })).toEqual(
        refused,
      );
    const bare = adapter.shape.parse({ api_key: 'AC0123' });
    const nobody = { method: 'POST' as const, url, headers: new Headers(), body: Buffer.alloc(0) };
    expect(adapter.parseCallback!(nobody, { config: bare, now })).toHaveProperty('kind', 'refused');
  });
});
