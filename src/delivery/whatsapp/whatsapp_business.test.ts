import { afterAll, describe, expect, it } from 'vitest';
import { callbackBase, envelope, now, openProviderFixture, reply } from '#delivery/provider.fixture.ts';
import { adapter } from './whatsapp_business.adapter.ts';
import { hubSignature } from './whatsapp_business.callback.ts';

const fixture = openProviderFixture();
afterAll(() => fixture.close());

const account = { api_key: 'EAAJB', phone_number_id: '106540352242922' };
const wamid = 'wamid.HBgLMTY0NjcwNDM1OTUVAgARGBI1RjQyNUE3NEYxMzAzMzQ5MkEA';
const sent = {
  messaging_product: 'whatsapp',
  contacts: [{ input: '+4917012345678', wa_id: '4917012345678' }],
  messages: [{ id: wamid, message_status: 'accepted' }],
};

async function send(answer = reply(200, sent), changes: object = {}, message = envelope.message, at = '') {
  const { url, seen } = await fixture.serve(answer);
  const config = adapter.shape.parse({ ...account, base_url: url + at, ...changes });
  return { outcome: await adapter.send({ ...envelope, message }, { config, network: fixture.network }), seen };
}

describe('a WhatsApp message through the Cloud API', () => {
  it('is a text of the number’s messages, with the delivery’s own id', async () => {
    const { outcome, seen } = await send();
    expect(outcome).toEqual({ outcome: 'accepted', receipt: wamid, answer: 'HTTP 200: accepted' });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/v25.0/106540352242922/messages',
      headers: { authorization: 'Bearer EAAJB', 'content-type': 'application/json' },
    });
    expect(seen[0]?.json).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+4917012345678',
      biz_opaque_callback_data: envelope.delivery_id,
      type: 'text',
      text: { preview_url: false, body: envelope.message },
    });
  });

  it('may name its version in the base URL', async () => {
    expect((await send(undefined, {}, undefined, '/v21.0/')).seen[0]?.path).toBe('/v21.0/106540352242922/messages');
  });

  it('is the one variable of a template, on one line, when the channel names one', async () => {
    const template = { template_name: 'reminder', template_language: 'de' };
    const { seen } = await send(undefined, template, 'Liebe Ann,\n\tbitte     zahlen');
    expect(seen[0]?.json).toMatchObject({
      type: 'template',
      template: {
        name: 'reminder',
        language: { code: 'de' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Liebe Ann, bitte zahlen' }] }],
      },
    });
    expect(seen[0]?.json).not.toHaveProperty('text');
  });

  it.each([
    [401, 190, 'Error validating access token: Session has expired', undefined, true],
    [
      400,
      131030,
      '(#131030) Recipient phone number not in allowed list',
      'Recipient phone number not in allowed list',
      true,
    ],
    [
      400,
      131047,
      '(#131047) Re-engagement message',
      'More than 24 hours have passed since the recipient last replied',
      true,
    ],
    [400, 130429, '(#130429) Rate limit hit', 'Message failed to send because there were too many messages', false],
    [400, 80007, '(#80007) Rate limit issues', undefined, false],
    [400, 131056, '(#131056) Pair rate limit hit', undefined, false],
    [500, 131000, '(#131000) Something went wrong', undefined, false],
    [503, 131016, '(#131016) Service overloaded', undefined, false],
  ])('%i with code %i is explained', async (status, code, message, details, permanent) => {
    const error = { message, type: 'OAuthException', code, error_data: { messaging_product: 'whatsapp', details } };
    const words = message.replace(/^\(#\d+\) /, '');
    expect((await send(reply(status, { error }))).outcome).toEqual({
      outcome: 'failed',
      permanent,
      reason: `WhatsApp ${code}: ${words}${details && details !== words ? ` (${details})` : ''}`,
    });
  });

  it('is not sent without a sending number, nor when it is too long', async () => {
    expect((await send(undefined, { phone_number_id: '' })).outcome).toMatchObject({
      code: 'no_channel',
      reason: 'Configuration incomplete: the Cloud API needs a Phone Number ID',
    });
    expect((await send(undefined, {}, 'x'.repeat(4_097))).outcome).toMatchObject({
      code: 'too_large',
      reason: 'The message has 4097 characters; WhatsApp takes 4096',
    });
  });

  it('is verified by its sending number', async () => {
    const verify = async (status: number, body: object) => {
      const { url, seen } = await fixture.serve(reply(status, body));
      const verification = await adapter.verify?.(adapter.shape.parse({ ...account, base_url: url }), fixture.network);
      expect(seen[0]).toMatchObject({
        path: '/v25.0/106540352242922',
        query: { fields: 'verified_name,display_phone_number' },
      });
      return verification;
    };
    expect(await verify(200, { verified_name: 'Elm', display_phone_number: '+1 631-555-5555', id: '1' })).toEqual({
      success: true,
      message: 'Connected to +1 631-555-5555 (Elm)',
    });
    expect(await verify(401, { error: { code: 190, message: 'Invalid OAuth access token' } })).toEqual({
      success: false,
      message: 'WhatsApp 190: Invalid OAuth access token',
    });
  });
});

describe('a call of Meta', () => {
  const config = adapter.shape.parse({ ...account, app_secret: 'app-s3cret', verify_token: 'meatyhamhock' });
  const url = new URL(`${callbackBase}/whatsapp_business/tok`);

  const parse = (body: string, signature?: string, known = config) =>
    adapter.parseCallback!(
      {
        method: 'POST',
        url,
        headers: new Headers(signature === undefined ? {} : { 'x-hub-signature-256': signature }),
        body: Buffer.from(body),
      },
      { config: known, now },
    );
  const signed = (value: object) => {
    const change = { value: { messaging_product: 'whatsapp', ...value }, field: 'messages' };
    const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes: [change] }] });
    return parse(body, hubSignature('app-s3cret', Buffer.from(body)));
  };

  it('is signed by HMAC-SHA-256 of its bytes', () => {
    // The example in GitHub's documentation of the same header.
    expect(hubSignature("It's a Secret to Everybody", Buffer.from('Hello, World!'))).toBe(
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    );
    const body = '{"entry":[]}';
    const good = hubSignature('app-s3cret', Buffer.from(body));
    expect(parse(body, good)).toEqual({ kind: 'reports', reports: [] });
    expect(parse(`${body}\n`, good)).toHaveProperty('kind', 'refused');
    expect(parse(body, good.replace('sha256=', 'sha1='))).toHaveProperty('kind', 'refused');
    expect(parse(body)).toHaveProperty('kind', 'refused');
    expect(parse(body, good, adapter.shape.parse(account))).toHaveProperty('kind', 'refused');
  });

  it('verifies the address, and gets its challenge back', () => {
    const ask = (query: Record<string, string>, known = config) =>
      adapter.parseCallback!(
        {
          method: 'GET',
          url: new URL(`${url.href}?${new URLSearchParams(query)}`),
          headers: new Headers(),
          body: Buffer.alloc(0),
        },
        { config: known, now },
      );
    const question = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': 'meatyhamhock' };
    expect(ask(question)).toEqual({ kind: 'challenge', answer: '1158201444' });
    expect(ask({ ...question, 'hub.verify_token': 'another' })).toHaveProperty('kind', 'refused');
    expect(ask({ ...question, 'hub.mode': 'unsubscribe' })).toHaveProperty('kind', 'refused');
    expect(ask(question, adapter.shape.parse(account))).toHaveProperty('kind', 'refused');
  });

  it('reports statuses, several at once', () => {
    const status = (id: string, name: string, more = {}) => ({
      id,
      status: name,
      timestamp: '1',
      recipient_id: '4917012345678',
      biz_opaque_callback_data: envelope.delivery_id,
      ...more,
    });
    const error = {
      code: 131026,
      title: 'Message undeliverable',
      error_data: { details: 'The recipient has no WhatsApp.' },
    };
    const statuses = [
      status('a', 'sent'),
      status('b', 'delivered'),
      status('c', 'read'),
      status('d', 'failed', { errors: [error] }),
      status('e', 'failed'),
    ];
    const deliveryId = envelope.delivery_id;
    expect(signed({ statuses })).toEqual({
      kind: 'reports',
      reports: [
        { kind: 'delivered', id: 'b', deliveryId },
        { kind: 'delivered', id: 'c', deliveryId },
        { kind: 'failed', id: 'd', deliveryId, reason: 'WhatsApp 131026: The recipient has no WhatsApp.' },
        { kind: 'failed', id: 'e', deliveryId, reason: 'WhatsApp: the message could not be delivered' },
      ],
    });
  });

  it('reports opt-outs, by text or by button', () => {
    const from = '4917012345678';
    const messages = [
      { from, id: '1', timestamp: '1795161600', type: 'text', text: { body: 'Stop' } },
      { from, id: '2', type: 'button', button: { text: 'STOP', payload: 'x' } },
      { from, id: '3', type: 'text', text: { body: 'Thanks' } },
      { from, id: '4', type: 'image', image: { id: '5' } },
    ];
    const stopped = { kind: 'stopped', sender: '+4917012345678' };
    const sentAt = Temporal.Instant.from('2026-11-20T08:00:00Z');
    expect(signed({ messages })).toEqual({
      kind: 'reports',
      reports: [
        { ...stopped, messageId: '1', sentAt },
        { ...stopped, messageId: '2', sentAt: null },
      ],
    });
  });

  it('ignores other fields of the app', () => {
    for (const body of ['[]', '{"entry":[{"changes":[{"field":"account_update","value":{"event":"X"}}]}]}', 'x'])
      expect(parse(body, hubSignature('app-s3cret', Buffer.from(body)))).toEqual({ kind: 'reports', reports: [] });
  });
});
