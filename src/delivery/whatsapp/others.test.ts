import { createHash, createHmac } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { callbackBase, envelope, now, openProviderFixture, reply } from '#delivery/provider.fixture.ts';
import { adapter as messageBird } from './messagebird.adapter.ts';
import { adapter as twilio } from './twilio.adapter.ts';

const fixture = openProviderFixture();
afterAll(() => fixture.close());

describe('a WhatsApp message through Twilio', () => {
  const account = { api_key: 'AC0123:t0ken', phone_number_id: '+1 415 523 8886' };

  async function send(changes: object = {}) {
    const { url, seen } = await fixture.serve(reply(201, { sid: 'SM1', status: 'queued', num_segments: '0' }));
    const config = twilio.shape.parse({ ...account, base_url: url, ...changes });
    return { outcome: await twilio.send(envelope, { config, network: fixture.network }), seen };
  }

  it('is a message between WhatsApp addresses, under the token within the key', async () => {
    const { outcome, seen } = await send();
    expect(outcome).toEqual({ outcome: 'accepted', receipt: 'SM1', answer: 'HTTP 201: queued' });
    expect(seen[0]).toMatchObject({
      path: '/2010-04-01/Accounts/AC0123/Messages.json',
      headers: { authorization: `Basic ${Buffer.from('AC0123:t0ken').toString('base64')}` },
    });
    expect(seen[0]?.form).toEqual({
      To: 'whatsapp:+4917012345678',
      From: 'whatsapp:+14155238886',
      Body: envelope.message,
    });
  });

  it('may have its token in a field of its own, and a template', async () => {
    const content_sid = `HX${'0123456789abcdef'.repeat(2)}`;
    const { seen } = await send({ api_key: 'AC9', api_secret: 'other', content_sid, callback_token: 'tok' });
    expect(seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('AC9:other').toString('base64')}`);
    expect(seen[0]?.form).toEqual({
      To: 'whatsapp:+4917012345678',
      From: 'whatsapp:+14155238886',
      ContentSid: content_sid,
      ContentVariables: JSON.stringify({ 1: envelope.message }),
      StatusCallback: `${callbackBase}/twilio/tok?delivery=${envelope.delivery_id}`,
    });
  });

  it('is not sent without token or sender', async () => {
    expect((await send({ api_key: 'AC0123' })).outcome).toHaveProperty('permanent', true);
    expect((await send({ phone_number_id: '' })).outcome).toMatchObject({
      code: 'no_channel',
      reason: 'Configuration incomplete: Twilio needs a WhatsApp sender (Phone Number ID)',
    });
  });
});

describe('a WhatsApp message through MessageBird', () => {
  const account = { api_key: 'live_1', phone_number_id: '619747f69cf940a98fb443140ce9aed2', signing_key: 'k' };
  const id = '3bd59a54-8e1b-4f5e-9c3d-1f3d9e1a2b3c';

  async function send(answer = reply(202, { id, status: 'accepted' }), changes: object = {}) {
    const { url, seen } = await fixture.serve(answer);
    const config = messageBird.shape.parse({ ...account, base_url: url, ...changes });
    return { outcome: await messageBird.send(envelope, { config, network: fixture.network }), seen };
  }

  it('is a text of the Conversations API from the channel', async () => {
    const { outcome, seen } = await send(undefined, { callback_token: 'tok' });
    expect(outcome).toEqual({ outcome: 'accepted', receipt: id, answer: 'HTTP 202: accepted' });
    expect(seen[0]).toMatchObject({ path: '/v1/send', headers: { authorization: 'AccessKey live_1' } });
    expect(seen[0]?.json).toEqual({
      to: '+4917012345678',
      from: account.phone_number_id,
      type: 'text',
      content: { text: envelope.message },
      reportUrl: `${callbackBase}/messagebird/tok?delivery=${envelope.delivery_id}`,
    });
  });

  it('has its id in either form of the answer, and may be rejected at once', async () => {
    expect((await send(reply(202, { message: { id, status: 'accepted' } }))).outcome).toHaveProperty('receipt', id);
    expect((await send(reply(202, { id, status: 'rejected' }))).outcome).toHaveProperty('permanent', true);
    const errors = [{ code: 21, description: 'Bad request: unknown channel', parameter: null }];
    expect((await send(reply(422, { errors }))).outcome).toEqual({
      outcome: 'failed',
      permanent: true,
      reason: 'MessageBird 21: Bad request: unknown channel',
    });
  });

  it('is verified by the access key', async () => {
    const verify = async (status: number, body: object) => {
      const { url } = await fixture.serve(reply(status, body));
      return messageBird.verify?.(messageBird.shape.parse({ ...account, base_url: url }), fixture.network);
    };
    expect(await verify(200, { items: [] })).toEqual({ success: true, message: 'Connected to MessageBird' });
    expect(await verify(401, { errors: [{ code: 2, description: 'Request not allowed' }] })).toEqual({
      success: false,
      message: 'MessageBird 2: Request not allowed',
    });
  });

  it('is reported on, and answered, in signed calls', () => {
    const config = messageBird.shape.parse(account);
    const url = new URL(`${callbackBase}/messagebird/tok?delivery=${envelope.delivery_id}`);
    const call = (message: object, key = 'k') => {
      const body = Buffer.from(JSON.stringify({ type: 'message.updated', message }));
      const seconds = Math.floor(now.epochMilliseconds / 1000);
      const [urlHash, bodyHash] = [url.href, body].map((part) => createHash('sha256').update(part).digest('hex'));
      const claims = {
        iss: 'MessageBird',
        nbf: seconds,
        exp: seconds + 60,
        jti: '1',
        url_hash: urlHash,
        payload_hash: bodyHash,
      };
      const text = [{ alg: 'HS256' }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      const token = `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
      const headers = new Headers({ 'messagebird-signature-jwt': token });
      return messageBird.parseCallback!({ method: 'POST', url, headers, body }, { config, now });
    };
    const deliveryId = envelope.delivery_id;
    for (const status of ['delivered', 'read'])
      expect(call({ id, status, direction: 'sent' })).toEqual({
        kind: 'reports',
        reports: [{ kind: 'delivered', id, deliveryId }],
      });
    expect(
      call({ id, status: 'failed', direction: 'sent', error: { code: 301, description: 'No WhatsApp' } }),
    ).toMatchObject({
      reports: [{ kind: 'failed', id, deliveryId, reason: 'MessageBird 301: No WhatsApp' }],
    });
    expect(call({ id, status: 'transmitted', direction: 'sent' })).toMatchObject({ reports: [] });
    const received = {
      id,
      direction: 'received',
      status: 'received',
      from: '4917012345678',
      content: { text: 'stop' },
      createdDatetime: '2026-11-20T08:00:00Z',
    };
    const sentAt = Temporal.Instant.from('2026-11-20T08:00:00Z');
    expect(call(received)).toMatchObject({
      reports: [{ kind: 'stopped', sender: '+4917012345678', messageId: id, sentAt }],
    });
    expect(call(received, 'another')).toHaveProperty('kind', 'refused');
  });
});
