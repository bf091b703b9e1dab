import { createHash, createHmac } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { messageBirdSignatureProblem } from '#delivery/messagebird/messagebird.signature.ts';
import { callbackBase, envelope, now, openProviderFixture, reply } from '#delivery/provider.fixture.ts';
import { adapter } from './messagebird.adapter.ts';

const fixture = openProviderFixture();
afterAll(() => fixture.close());

const account = { api_key: 'live_gshuPaZoeEG6ovbc8M79w0QyM', from_number: '+31612345678' };
const created = {
  id: 'e8077d803532c0b5937c639b60216938',
  recipients: { totalCount: 1, items: [{ recipient: 4917012345678, status: 'sent' }] },
};

async function send(answer = reply(201, created), changes: object = {}, message = envelope.message) {
  const { url, seen } = await fixture.serve(answer);
  const config = adapter.shape.parse({ ...account, base_url: url, ...changes });
  return { outcome: await adapter.send({ ...envelope, message }, { config, network: fixture.network }), seen };
}

describe('an SMS through MessageBird', () => {
  it('is a JSON message, numbers without the plus', async () => {
    const { outcome, seen } = await send();
    expect(outcome).toEqual({
      outcome: 'accepted',
      receipt: created.id,
      answer: 'HTTP 201: sent (1 segment, GSM-7)',
    });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/messages',
      headers: { authorization: `AccessKey ${account.api_key}`, 'content-type': 'application/json' },
    });
    expect(seen[0]?.json).toEqual({
      originator: '31612345678',
      recipients: ['4917012345678'],
      body: envelope.message,
      datacoding: 'plain',
      reference: envelope.delivery_id,
    });
  });

  it('may come from a name, in another alphabet, and asks for reports when they can be verified', async () => {
    const changes = { from_number: 'Cuebird', callback_token: 'tok', signing_key: 'k' };
    const { seen } = await send(undefined, changes, 'Жду');
    expect(seen[0]?.json).toMatchObject({
      originator: 'Cuebird',
      datacoding: 'unicode',
      reportUrl: `${callbackBase}/messagebird/tok`,
    });
    const unsigned = await send(undefined, { callback_token: 'tok' });
    expect(unsigned.seen[0]?.json).not.toHaveProperty('reportUrl');
  });

  it.each([
    [401, 2, 'Request not allowed (incorrect access_key)', 'access_key', true],
    [422, 9, 'no (correct) recipients found', 'recipients', true],
    [422, 10, 'originator is invalid', 'originator', true],
    [402, 25, 'Not enough balance', null, true],
    [500, 99, 'Internal error', null, false],
  ])('%i with code %i is explained', async (status, code, description, parameter, permanent) => {
    const body = { errors: [{ code, description, parameter }] };
    expect((await send(reply(status, body))).outcome).toEqual({
      outcome: 'failed',
      permanent,
      reason: `MessageBird ${code}: ${description}${parameter === null ? '' : ` (${parameter})`}`,
    });
  });

  it('is not sent without a sender, nor in more than nine segments', async () => {
    expect((await send(undefined, { from_number: '' })).outcome).toMatchObject({
      code: 'no_channel',
      reason: 'Configuration incomplete: MessageBird needs a sender (From Number)',
    });
    expect((await send(undefined, {}, 'x'.repeat(1_377))).outcome).toHaveProperty('outcome', 'accepted');
    expect((await send(undefined, {}, 'x'.repeat(1_378))).outcome).toEqual({
      outcome: 'failed',
      permanent: true,
      code: 'too_large',
      reason: 'The message takes 10 segments; MessageBird sends 9',
    });
  });

  it('is verified by the account’s balance', async () => {
    const verify = async (status: number, body: object) => {
      const { url } = await fixture.serve(reply(status, body));
      return adapter.verify?.(adapter.shape.parse({ ...account, base_url: url }), fixture.network);
    };
    expect(await verify(200, { payment: 'prepaid', type: 'euros', amount: 103 })).toEqual({
      success: true,
      message: 'Connected to MessageBird; the balance is 103 euros',
    });
    expect(await verify(401, { errors: [{ code: 2, description: 'Request not allowed' }] })).toEqual({
      success: false,
      message: 'MessageBird 2: Request not allowed',
    });
  });
});

/** The reference tokens of MessageBird's own libraries. */
const reference = {
  signingKey: '36efdd1aace2e26cd490f0d951138253bef2f7c6d34d18981da781555cc4cebb',
  now: Temporal.Instant.from('2021-07-05T12:00:00+02:00'),
};
const withUrl =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJNZXNzYWdlQmlyZCIsIm5iZiI6MTYyNTQ3OTIwMCwiZXhwIjoxNjI1NDc5MjYwLCJqdGkiOiJjOTQ2YWY3Ny1lMTgyLTRlYWEtYjJmZi0xYTU0NWI1ZTk5MWEiLCJ1cmxfaGFzaCI6IjQxZjA1ZjBkZGQwYTIyYWIyMDlhYzQ2ZjQ3YzQ1NzJkOWNlZmEyNTdlZDc0YjI0MDA0YmFlNzUzZWNlNmMyNjAifQ.huo2ou6JDoDc7sV25d75UMWeYhBeavQlLsqIibSZuac';
const withBody =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJNZXNzYWdlQmlyZCIsIm5iZiI6MTYyNTQ3OTIwMCwiZXhwIjoxNjI1NDc5MjYwLCJqdGkiOiI5M2U1NTAwNi1hMGU4LTQ1MjYtYTE5MC1mYTVmZjAwZWExMTYiLCJ1cmxfaGFzaCI6IjQxZjA1ZjBkZGQwYTIyYWIyMDlhYzQ2ZjQ3YzQ1NzJkOWNlZmEyNTdlZDc0YjI0MDA0YmFlNzUzZWNlNmMyNjAiLCJwYXlsb2FkX2hhc2giOiJkZmZkNjAyMWJiMmJkNWIwYWY2NzYyOTA4MDllYzNhNTMxOTFkZDgxYzdmNzBhNGIyODY4OGEzNjIxODI5ODZmIn0._H--TOuYFLpeEH39-rg5E3IHVkjHozBcaKVWPRC5m9I';

describe('the signature of MessageBird', () => {
  const problem = (
    token: string,
    { url = 'https://example.com/path?bar=1&foo=2', body = '', at = reference.now, key = reference.signingKey } = {},
  ) =>
    messageBirdSignatureProblem(
      { url: new URL(url), headers: new Headers({ 'messagebird-signature-jwt': token }), body: Buffer.from(body) },
      { signingKey: key, now: at },
    );

  it('is valid for the reference tokens', () => {
    expect(problem(withUrl)).toBeNull();
    expect(problem(withBody, { body: 'Hello, World!' })).toBeNull();
  });

  it('is valid for one address, body, key and time only', () => {
    expect(problem(withUrl, { url: 'https://example.com/path?foo=2&bar=1' })).toMatch('another address');
    expect(problem(withUrl, { body: 'Hello, World!' })).toMatch('another body');
    expect(problem(withBody, { body: 'Hello, World' })).toMatch('another body');
    expect(problem(withUrl, { at: reference.now.add({ hours: 1 }) })).toMatch('expired or not yet valid');
    expect(problem(withUrl, { at: reference.now.subtract({ hours: 1 }) })).toMatch('expired or not yet valid');
    expect(problem(withUrl, { key: 'another' })).toMatch('not signed');
  });

  it('is not replaced by a token without one', () => {
    const [, payload] = withUrl.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const token of ['', 'x', `${none}.${payload}.`])
      expect(problem(token)).toMatch('missing or has an unknown algorithm');
    expect(problem(`${withUrl}x`)).toMatch('not signed');
  });
});

describe('a call of MessageBird', () => {
  const config = adapter.shape.parse({ ...account, signing_key: 'k' });

  function report(query: Record<string, string>) {
    const url = new URL(`${callbackBase}/messagebird/tok?${new URLSearchParams(query)}`);
    const seconds = Math.floor(now.epochMilliseconds / 1000);
    const hash = createHash('sha256').update(url.href).digest('hex');
    const claims = { iss: 'MessageBird', nbf: seconds, exp: seconds + 60, jti: '1', url_hash: hash };
    const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const token = `${parts.join('.')}.${createHmac('sha256', 'k').update(parts.join('.')).digest('base64url')}`;
    const headers = new Headers({ 'messagebird-signature-jwt': token });
    return adapter.parseCallback!({ method: 'GET', url, headers, body: Buffer.alloc(0) }, { config, now });
  }

  it('reports deliveries, failures and replies', () => {
    const about = { id: 'm1', reference: envelope.delivery_id, recipient: '4917012345678' };
    expect(report({ ...about, status: 'delivered' })).toEqual({
      kind: 'reports',
      reports: [{ kind: 'delivered', id: 'm1', deliveryId: envelope.delivery_id }],
    });
    expect(
      report({ ...about, status: 'delivery_failed', statusErrorCode: '104', statusReason: 'unknown subscriber' }),
    ).toMatchObject({
      reports: [{ kind: 'failed', reason: 'MessageBird 104: the message could not be delivered (unknown subscriber)' }],
    });
    expect(report({ ...about, status: 'expired' })).toMatchObject({
      reports: [{ kind: 'failed', reason: 'MessageBird: the message expired' }],
    });
    expect(report({ ...about, status: 'sent' })).toMatchObject({ reports: [] });
    const createdDatetime = '2026-11-20T09:00:00+01:00';
    expect(report({ id: 'm2', originator: '4917012345678', body: 'Stop', createdDatetime })).toMatchObject({
      reports: [
        {
          kind: 'stopped',
          sender: '+4917012345678',
          messageId: 'm2',
          sentAt: Temporal.Instant.from('2026-11-20T08:00:00Z'),
        },
      ],
    });
  });

  it('is refused unsigned and when the channel has no signing key', () => {
    const call = { method: 'GET' as const, url: new URL(callbackBase), headers: new Headers(), body: Buffer.alloc(0) };
    expect(adapter.parseCallback!(call, { config, now })).toHaveProperty('kind', 'refused');
    expect(adapter.parseCallback!(call, { config: adapter.shape.parse(account), now })).toHaveProperty(
      'kind',
      'refused',
    );
  });
});
