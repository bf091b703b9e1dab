import { afterAll, describe, expect, it } from 'vitest';
import { callbackBase, envelope, now, openProviderFixture, reply } from '#delivery/provider.fixture.ts';
import { adapter } from './nexmo.adapter.ts';
import { type SignatureMethod, vonageSignature } from './nexmo.callback.ts';

const fixture = openProviderFixture();
afterAll(() => fixture.close());

const account = { api_key: 'abcd1234', api_secret: 's3cret', from_number: '+447700900000' };
const message = { to: '4917012345678', 'message-id': 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab', status: '0' };
const sent = { 'message-count': '1', messages: [message] };

async function send(answer = reply(200, sent), changes: object = {}, text = envelope.message) {
  const { url, seen } = await fixture.serve(answer);
  const config = adapter.shape.parse({ ...account, base_url: url, ...changes });
  return { outcome: await adapter.send({ ...envelope, message: text }, { config, network: fixture.network }), seen };
}

describe('an SMS through Vonage', () => {
  it('is a form of the SMS API, numbers without the plus', async () => {
    const { outcome, seen } = await send();
    expect(outcome).toEqual({
      outcome: 'accepted',
      receipt: message['message-id'],
      answer: 'HTTP 200: submitted (1 segment, GSM-7)',
    });
    expect(seen[0]).toMatchObject({ method: 'POST', path: '/sms/json' });
    expect(seen[0]?.form).toEqual({
      api_key: 'abcd1234',
      api_secret: 's3cret',
      to: '4917012345678',
      from: '447700900000',
      text: envelope.message,
      type: 'text',
      'client-ref': envelope.delivery_id,
    });
  });

  it('names the type when the text needs another alphabet', async () => {
    expect((await send(undefined, {}, 'Жду до пятницы')).seen[0]?.form).toMatchObject({ type: 'unicode' });
  });

  it('asks for receipts only when they can be verified', async () => {
    const unsigned = await send(undefined, { callback_token: 'tok' });
    expect(unsigned.seen[0]?.form).not.toHaveProperty('callback');
    const signed = await send(undefined, { callback_token: 'tok', signature_secret: 'sig' });
    expect(signed.seen[0]?.form.callback).toBe(`${callbackBase}/nexmo/tok`);
  });

  it.each([
    ['1', 'Throughput Rate Exceeded - please wait [ 250 ] and retry', false],
    ['5', 'Internal Error', false],
    ['4', 'Bad Credentials', true],
    ['6', 'Unroutable message - rejected', true],
    ['9', 'Quota Exceeded - rejected', true],
    ['15', 'Invalid sender address', true],
    ['29', 'Non White-listed Destination - rejected', true],
  ])('status %s within a 200 is explained', async (status, words, permanent) => {
    const body = { 'message-count': '1', messages: [{ status, 'error-text': words }] };
    expect((await send(reply(200, body))).outcome).toEqual({
      outcome: 'failed',
      permanent,
      reason: `Vonage ${status}: ${words}`,
    });
  });

  it('counts as sent once its first segment is, with a note about the others', async () => {
    const messages = [message, { status: '5', 'error-text': 'Internal Error' }];
    const { outcome } = await send(reply(200, { 'message-count': '2', messages }), {}, 'x'.repeat(200));
    expect(outcome).toEqual({
      outcome: 'accepted',
      receipt: message['message-id'],
      answer: 'HTTP 200: submitted (2 segments, GSM-7), 1 of them refused',
    });
  });

  it('is not sent without secret or sender, nor when it is too long', async () => {
    for (const changes of [{ api_secret: '' }, { from_number: '' }])
      expect((await send(undefined, changes)).outcome).toMatchObject({
        code: 'no_channel',
        reason: 'Configuration incomplete: Vonage needs an API secret and a sender',
      });
    expect((await send(undefined, {}, 'x'.repeat(3_201))).outcome).toMatchObject({
      permanent: true,
      code: 'too_large',
    });
  });

  it('is verified by the account’s balance', async () => {
    const verify = async (status: number, body: object) => {
      const { url, seen } = await fixture.serve(reply(status, body));
      const verification = await adapter.verify?.(adapter.shape.parse({ ...account, base_url: url }), fixture.network);
      expect(seen[0]).toMatchObject({
        path: '/account/get-balance',
        query: { api_key: 'abcd1234', api_secret: 's3cret' },
      });
      return verification;
    };
    expect(await verify(200, { value: 10.28, autoReload: false })).toEqual({
      success: true,
      message: 'Connected to Vonage; the balance is 10.28 EUR',
    });
    expect(await verify(401, { 'error-code': '401' })).toHaveProperty('success', false);
  });
});

describe('a call of Vonage', () => {
  const url = new URL(`${callbackBase}/nexmo/tok`);
  const secret = 'my_secret_key_for_testing';

  /** From the tests of Vonage's own library for PHP. */
  const published = new URLSearchParams({
    'message-timestamp': '2013-11-21 15:27:30',
    messageId: '020000001B0FE827',
    msisdn: '14843472194',
    text: 'Test again',
    timestamp: '1385047698',
    to: '13239877404',
    type: 'text',
  });

  it.each<[SignatureMethod, string]>([
    ['md5hash', 'd2e7b1dc968737c5998ad624e02f90b7'],
    ['md5', 'DDEBD46008C2D4E93CCE578A332A52D5'],
    ['sha1', '27D0D05C2876C7CB1720DBCDBA4D492E1E55C09A'],
    ['sha256', 'DDB8397C2B90AAC7F3882D306475C9A5058C92322EEF43C92B298B6E0FC0D330'],
    [
      'sha512',
      'E0D3C650F8C9D1A5C174D10DDDBFB003E561F59B265616208B0487C5D819481CD3C311D59CF6165ECD1139622D5BA3A256C0D763AC4A9AD9144B5A426B94FE82',
    ],
  ])('is signed by %s like the published example', (method, signature) => {
    expect(vonageSignature(published, { secret, method })).toBe(signature.toLowerCase());
    const config = adapter.shape.parse({ ...account, signature_secret: secret, signature_method: method });
    const body = Buffer.from(new URLSearchParams([...published, ['sig', signature]]).toString());
    const call = { method: 'POST' as const, url, headers: new Headers(), body };
    expect(adapter.parseCallback!(call, { config, now })).toEqual({ kind: 'reports', reports: [] });
  });

  it('is signed over a text with & and = like the published example', () => {
    const parameters = new URLSearchParams({
      keyword: 'TEST',
      'message-timestamp': '2017-04-04 22:57:47',
      messageId: '0B00000042AC53BD',
      msisdn: '14843472194',
      nonce: '929d6744-bd28-42c8-b6cf-31d5b4f43732',
      text: 'Test with & and =',
      timestamp: '1491346667',
      to: '12192259404',
      type: 'text',
    });
    expect(vonageSignature(parameters, { secret, method: 'md5hash' })).toBe('e06d9763e3fd0b9c31beb5fc2fcb011c');
  });

  const config = adapter.shape.parse({ ...account, signature_secret: secret, signature_method: 'sha256' });

  function call(parameters: Record<string, string>, as: 'GET' | 'form' | 'json') {
    const signature = vonageSignature(new URLSearchParams(parameters), { secret, method: 'sha256' });
    const signed = { ...parameters, sig: signature.toUpperCase() };
    const query = new URLSearchParams(signed).toString();
    const json = as === 'json';
    return adapter.parseCallback!(
      {
        method: as === 'GET' ? 'GET' : 'POST',
        url: as === 'GET' ? new URL(`${url.href}?${query}`) : url,
        headers: new Headers({ 'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded' }),
        body: Buffer.from(as === 'GET' ? '' : json ? JSON.stringify(signed) : query),
      },
      { config, now },
    );
  }

  it.each(['GET', 'form', 'json'] as const)('reports a delivery by %s', (as) => {
    const receipt = { messageId: 'm1', 'client-ref': envelope.delivery_id, timestamp: '1' };
    expect(call({ ...receipt, status: 'delivered', 'err-code': '0' }, as)).toEqual({
      kind: 'reports',
      reports: [{ kind: 'delivered', id: 'm1', deliveryId: envelope.delivery_id }],
    });
    expect(call({ ...receipt, status: 'rejected', 'err-code': '6' }, as)).toMatchObject({
      reports: [{ kind: 'failed', id: 'm1', reason: 'Vonage 6: rejected as spam' }],
    });
    expect(call({ ...receipt, status: 'buffered', 'err-code': '0' }, as)).toMatchObject({ reports: [] });
    const reply = { msisdn: '4917012345678', text: 'STOP', 'message-timestamp': '2026-11-20 08:00:00' };
    const stopped = {
      kind: 'stopped',
      sender: '+4917012345678',
      sentAt: Temporal.Instant.from('2026-11-20T08:00:00Z'),
    };
    expect(call({ ...reply, messageId: 'm2' }, as)).toMatchObject({ reports: [{ ...stopped, messageId: 'm2' }] });
    // Three ids with the same signature count as one.
    for (const messageId of ['m_2', 'm&2', 'm=2'])
      expect(call({ ...reply, messageId }, as)).toMatchObject({ reports: [{ messageId: 'm_2' }] });
    expect(call({ 'keyword=STOP&message-timestamp': '2026-11-20 08:00:00', ...reply }, as)).toHaveProperty(
      'kind',
      'refused',
    );
  });

  it('is refused unsigned, altered, or when the channel has no secret', () => {
    const altered = new URLSearchParams([...published, ['sig', 'd2e7b1dc968737c5998ad624e02f90b7']]);
    altered.set('text', 'STOP');
    const parse = (body: string, known = config) =>
      adapter.parseCallback!(
        { method: 'POST', url, headers: new Headers(), body: Buffer.from(body) },
        { config: known, now },
      );
    for (const body of [altered.toString(), published.toString(), ''])
      expect(parse(body)).toEqual({ kind: 'refused', reason: 'The parameter sig does not match this request' });
    expect(parse('', adapter.shape.parse(account))).toHaveProperty('kind', 'refused');
  });
});
