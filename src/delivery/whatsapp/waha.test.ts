import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { callbackBase, envelope, now, openProviderFixture, reply } from '#delivery/provider.fixture.ts';
import { adapter } from './waha.adapter.ts';

const fixture = openProviderFixture();
afterAll(() => fixture.close());

const key = 'true_4917012345678@c.us_3EB0C767D097B7C7';

async function send(answer = reply(201, { id: key }), changes: object = {}, message = envelope.message) {
  const { url, seen } = await fixture.serve(answer);
  const config = adapter.shape.parse({ session_name: 'default', api_key: 'k3y', base_url: `${url}/`, ...changes });
  return { outcome: await adapter.send({ ...envelope, message }, { config, network: fixture.network }), seen };
}

describe('a WhatsApp message through WAHA', () => {
  it('is a sendText to the number’s chat, with the key', async () => {
    const { outcome, seen } = await send();
    expect(outcome).toEqual({ outcome: 'accepted', receipt: '3EB0C767D097B7C7', answer: `HTTP 201: sent as ${key}` });
    expect(seen[0]).toMatchObject({ method: 'POST', path: '/api/sendText', headers: { 'x-api-key': 'k3y' } });
    expect(seen[0]?.json).toEqual({ chatId: '4917012345678@c.us', text: envelope.message, session: 'default' });
  });

  it('needs no key when the server asks for none', async () => {
    expect((await send(undefined, { api_key: '' })).seen[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it.each([
    [
      'WEBJS',
      { id: { fromMe: true, remote: '4917012345678@c.us', id: '3EB0', _serialized: 'true_4917012345678@c.us_3EB0' } },
    ],
    ['NOWEB', { key: { remoteJid: '4917012345678@s.whatsapp.net', fromMe: true, id: '3EB0' } }],
    ['GOWS', { id: 'true_4917012345678@c.us_3EB0', _data: {} }],
  ])('has the id that the engine %s gives', async (_, body) => {
    expect((await send(reply(201, body))).outcome).toMatchObject({ outcome: 'accepted', receipt: '3EB0' });
  });

  it('has its id even when a long response is read only in part', async () => {
    const message = 'x'.repeat(20_000);
    const body = { _data: { id: { _serialized: key }, body: message }, id: { _serialized: key } };
    expect((await send(reply(201, body), {}, message)).outcome).toHaveProperty('receipt', '3EB0C767D097B7C7');
  });

  it.each([
    [401, '{"message":"Unauthorized","statusCode":401}', true],
    [404, 'not found', true],
    [422, '{"error":"Session status is not as expected","status":"SCAN_QR_CODE"}', false],
    [500, 'phone is offline', false],
  ])('%i is explained in the words of the spec', async (status, body, permanent) => {
    expect((await send(reply(status, body))).outcome).toEqual({
      outcome: 'failed',
      permanent,
      reason: `WAHA API error: ${status} - ${body}`,
    });
  });

  it('is verified by the status of its session', async () => {
    const verify = async (status: number, body: object) => {
      const { url, seen } = await fixture.serve(reply(status, body));
      const config = adapter.shape.parse({ session_name: 'front desk', base_url: url });
      const verification = await adapter.verify?.(config, fixture.network);
      expect(seen[0]).toMatchObject({ method: 'GET', path: '/api/sessions/front%20desk' });
      return verification;
    };
    expect(await verify(200, { name: 'front desk', status: 'WORKING' })).toEqual({
      success: true,
      message: 'The WAHA session “front desk” is connected to WhatsApp',
    });
    expect(await verify(200, { name: 'front desk', status: 'SCAN_QR_CODE' })).toEqual({
      success: false,
      message: 'The WAHA session “front desk” is not connected: SCAN_QR_CODE',
    });
    expect(await verify(404, { message: 'Session not found' })).toHaveProperty('success', false);
  });
});

describe('an event of WAHA', () => {
  const config = adapter.shape.parse({ session_name: 'default', base_url: 'http://waha', hmac_key: 'my-secret-key' });
  const parse = (body: string, headers: Record<string, string>, known = config) =>
    adapter.parseCallback!(
      {
        method: 'POST',
        url: new URL(`${callbackBase}/waha/tok`),
        headers: new Headers(headers),
        body: Buffer.from(body),
      },
      { config: known, now },
    );
  const signed = (event: object) => {
    const body = JSON.stringify(event);
    const hmac = createHmac('sha512', 'my-secret-key').update(body).digest('hex');
    return parse(body, { 'x-webhook-hmac': hmac, 'x-webhook-hmac-algorithm': 'sha512' });
  };

  it('is signed like the example of the documentation', () => {
    const body = '{"event":"message","session":"default","engine":"WEBJS"}';
    const hmac =
      '208f8a55dde9e05519e898b10b89bf0d0b3b0fdf11fdbf09b6b90476301b98d8097c462b2b17a6ce93b6b47a136cf2e78a33a63f6752c2c1631777076153fa89';
    const headers = { 'x-webhook-hmac': hmac, 'x-webhook-hmac-algorithm': 'sha512' };
    expect(parse(body, headers)).toEqual({ kind: 'reports', reports: [] });
    expect(parse(`${body} `, headers)).toHaveProperty('kind', 'refused');
    expect(parse(body, { ...headers, 'x-webhook-hmac-algorithm': 'sha256' })).toHaveProperty('kind', 'refused');
    expect(parse(body, {})).toHaveProperty('kind', 'refused');
    const unsigned = adapter.shape.parse({ session_name: 'default', base_url: 'http://waha' });
    expect(parse(body, headers, unsigned)).toHaveProperty('kind', 'refused');
  });

  it.each([
    [-1, [{ kind: 'failed', id: '3EB0', reason: 'WAHA: WhatsApp could not send the message' }]],
    [0, []],
    [1, []],
    [2, [{ kind: 'delivered', id: '3EB0' }]],
    [3, [{ kind: 'delivered', id: '3EB0' }]],
    [4, [{ kind: 'delivered', id: '3EB0' }]],
  ])('acknowledges a message with %i', (ack, reports) => {
    for (const id of ['true_4917012345678@c.us_3EB0', 'true_123456789@lid_3EB0'])
      expect(signed({ event: 'message.ack', session: 'default', payload: { id, ack, fromMe: true } })).toEqual({
        kind: 'reports',
        reports,
      });
  });

  it('reports opt-outs', () => {
    const said = (payload: object) =>
      signed({ event: 'message', payload: { id: 'false_1@c.us_A', fromMe: false, body: 'stop', ...payload } });
    const sentAt = Temporal.Instant.from('2026-11-20T08:00:00Z');
    expect(said({ from: '4917012345678@c.us', timestamp: 1_795_161_600 })).toMatchObject({
      reports: [{ kind: 'stopped', sender: '+4917012345678', messageId: 'A', sentAt }],
    });
    const hidden = { from: '123456@lid', _data: { key: { remoteJidAlt: '4917012345678@s.whatsapp.net' } } };
    expect(said(hidden)).toMatchObject({ reports: [{ sender: '+4917012345678' }] });
    const gows = { from: '123456@lid', _data: { Info: { SenderAlt: '4917012345678:7@s.whatsapp.net' } } };
    expect(said(gows)).toMatchObject({ reports: [{ sender: '+4917012345678' }] });
    for (const other of [{ from: '123456@lid' }, { from: '1@c.us', fromMe: true }, { from: '1@g.us' }])
      expect(said(other)).toMatchObject({ reports: [] });
  });
});
