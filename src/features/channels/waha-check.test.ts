import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CheckFixture, openCheckFixture, serve } from '#testing/check-fixture.ts';
import { closeServers } from '#testing/tcp-server.ts';

describe('a channel over WAHA', () => {
  let fixture: CheckFixture;
  let sink: CheckFixture['sink'];
  let dana: CheckFixture['dana'];
  let workspace: string;
  let create: CheckFixture['create'];
  let test: CheckFixture['test'];
  let read: CheckFixture['read'];
  beforeAll(async () => {
    fixture = await openCheckFixture();
    ({ sink, dana, create, test, read } = fixture);
  });
  beforeEach(async () => {
    ({ workspace } = await fixture.renew());
  });
  afterEach(closeServers);
  afterAll(() => fixture.close());

  const verify = (id: string) => dana.call('POST', `/api/channels/${id}/verify-waha`, { workspace });

  const waha = (url: string) => ({ provider: 'waha', base_url: url, session_name: 'front desk', api_key: 'secret' });

  it('is verified by asking the server for its session, with the key', async () => {
    const { url, requests } = await serve(200, '{"name": "front desk", "status": "WORKING"}');
    const id = await create('whatsapp', waha(url));
    const answer = await verify(id);
    expect(answer).toMatchObject({
      status: 200,
      json: { success: true, message: 'The WAHA session “front desk” is connected to WhatsApp' },
    });
    expect(requests.map(({ method, url: path, headers }) => [method, path, headers['x-api-key']])).toEqual([
      ['GET', '/api/sessions/front%20desk', 'secret'],
    ]);
    expect((await read(id)).is_verified).toBe(true);
  });

  it.each([
    [200, '{"name": "front desk", "status": "SCAN_QR_CODE"}', /is not connected: SCAN_QR_CODE$/],
    [404, 'Session not found', /^WAHA API error: 404 - Session not found$/],
  ])('stays unverified where the server answers %i %s', async (status, body, message) => {
    const { url } = await serve(status, body);
    const id = await create('whatsapp', waha(url));
    expect((await verify(id)).json).toEqual({ success: false, message: expect.stringMatching(message) });
    expect((await read(id)).is_verified).toBe(false);
  });

  it('reports that the server does not answer', async () => {
    const id = await create('whatsapp', waha('http://127.0.0.1:2'));
    expect((await verify(id)).json).toEqual({ success: false, message: expect.stringMatching(/refused/i) });
  });

  it('reports a refused test in the words of the specification', async () => {
    const { url, requests } = await serve(500, 'phone is offline');
    const id = await create('whatsapp', waha(url));
    const { json } = await test(id, { recipient: '+49 170 1234567' });
    expect(json).toEqual({ success: false, message: 'WAHA API error: 500 - phone is offline' });
    expect(requests.map(({ method, url: path }) => [method, path])).toEqual([['POST', '/api/sendText']]);
  });

  it('is one of several types that can be verified', async () => {
    const { url, requests } = await serve(200, '{"friendly_name": "Elm", "status": "active"}');
    const twilio = { provider: 'twilio', api_key: 'AC1', api_secret: 't0ken', base_url: url };
    const ask = (id: string) => dana.call('POST', `/api/channels/${id}/verify`, { workspace });
    const id = await create('sms', twilio);
    expect((await ask(id)).json).toEqual({ success: true, message: 'Connected to the Twilio account “Elm”' });
    expect(requests.map(({ method, url: path }) => [method, path])).toEqual([['GET', '/2010-04-01/Accounts/AC1.json']]);
    expect((await read(id)).is_verified).toBe(true);
    const refused = await ask(await create('webhook', { url: sink.urlFor('desk') }));
    expect(refused.status).toBe(422);
    expect(refused.json.error.message).toBe(
      'HTTP request cannot be asked about a configuration: send a test message instead',
    );
  });

  it('is the only type that is verified this way', async () => {
    const id = await create('webhook', { url: sink.urlFor('desk') });
    const refused = await verify(id);
    expect(refused.status).toBe(422);
    expect(refused.json.error.message).toBe('Only a WhatsApp channel over WAHA can be verified this way');
  });
});
