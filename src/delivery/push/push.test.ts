import { generateKeyPairSync, randomBytes } from 'node:crypto';
import webPush from 'web-push';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope, Network } from '#delivery/adapter.ts';
import { createSmtpPools } from '#delivery/email/smtp-pools.ts';
import { envelope, now, openProviderFixture, reply } from '#delivery/provider.fixture.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import type { SandboxMessage } from '#sandbox/intake.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import type { Device } from './devices.ts';
import { adapter } from './web_push.adapter.ts';

const fixture = openProviderFixture();
afterAll(() => fixture.close());

const keys = webPush.generateVAPIDKeys();
const sender = { public_key: keys.publicKey, private_key: keys.privateKey, subject: 'mailto:push@example.com' };
const workspaceId = envelope.workspace_id;

function deviceAt(endpoint: string): Device {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return {
    endpoint,
    keys: { p256dh: point.toString('base64url'), auth: randomBytes(16).toString('base64url') },
  };
}

async function push(
  devices: readonly Device[],
  { network = fixture.network, changes = {} }: { network?: Network; changes?: Partial<Envelope> } = {},
) {
  const forgotten: string[] = [];
  const used: string[] = [];
  const book = {
    of: async (asked: string, member?: string) => (asked === workspaceId && member !== 'nobody' ? devices : []),
    forget: async (_: string, endpoints: readonly string[]) => void forgotten.push(...endpoints),
    markUsed: async (_: string, endpoints: readonly string[]) => void used.push(...endpoints),
  };
  const config = adapter.shape.parse({ ...sender, devices: book });
  const outcome = await adapter.send(
    { ...envelope, channel: 'push', recipient: 'push', ...changes },
    { config, network },
  );
  return { outcome, forgotten, used };
}

describe('a push message', () => {
  it('is encrypted for the browser and signed for its push service', async () => {
    const { url, seen } = await fixture.serve(reply(201, '', { location: 'https://push.example.com/m/1' }));
    const { outcome } = await push([deviceAt(`${url}/wpush/1`)]);
    expect(outcome).toEqual({
      outcome: 'accepted',
      receipt: 'https://push.example.com/m/1',
      answer: 'accepted for 1 of 1 browsers',
    });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/wpush/1',
      headers: {
        ttl: '86400',
        urgency: 'high',
        topic: envelope.delivery_id.replaceAll('-', ''),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        authorization: expect.stringMatching(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=[\w-]{87}$/),
      },
    });
    expect(seen[0]?.body).not.toContain('Ann');
  });

  it('goes to eight browsers at once, and to all of them', async () => {
    let open = 0;
    let most = 0;
    const request: Network['http']['request'] = async (of) => {
      open += 1;
      most = Math.max(most, open);
      const answer = await fixture.network.http.request(of);
      open -= 1;
      return answer;
    };
    const { url, seen } = await fixture.serve(reply(201));
    const devices = Array.from({ length: 30 }, (_, at) => deviceAt(`${url}/wpush/${at}`));
    const { outcome, used } = await push(devices, {
      network: { ...fixture.network, http: { ...fixture.network.http, request } },
    });
    expect(outcome).toMatchObject({ outcome: 'accepted', answer: 'accepted for 30 of 30 browsers' });
    expect(used).toEqual(devices.map(({ endpoint }) => endpoint));
    expect([seen.length, most]).toEqual([30, 8]);
  });

  it('goes to every browser, and forgets those that are gone', async () => {
    const here = await fixture.serve(reply(201));
    const gone = await fixture.serve(reply(410));
    const lost = await fixture.serve(reply(404));
    const full = await fixture.serve(reply(413, 'too large'));
    const broken = { endpoint: 'http://127.0.0.1:2/', keys: { p256dh: 'AAAA', auth: 'AAAA' } };
    const { outcome, forgotten, used } = await push([
      ...[gone, here, lost, full].map(({ url }) => deviceAt(`${url}/1`)),
      broken,
    ]);
    expect(outcome).toEqual({
      outcome: 'accepted',
      receipt: envelope.delivery_id,
      answer: 'accepted for 1 of 5 browsers; 3 unsubscribed; Push service: HTTP 413: too large',
    });
    expect(forgotten).toEqual([`${gone.url}/1`, `${lost.url}/1`, 'http://127.0.0.1:2/']);
    expect(used).toEqual([`${here.url}/1`]);
  });

  it.each([
    [429, { outcome: 'failed', permanent: false, retryAfterMs: 120_000 }],
    [503, { outcome: 'failed', permanent: false, retryAfterMs: 120_000 }],
    [400, { outcome: 'failed', permanent: true, reason: 'Push service: HTTP 400: words' }],
    [403, { outcome: 'failed', permanent: true }],
    [413, { outcome: 'failed', permanent: true }],
  ])('that a push service answers with %i is %o', async (status, expected) => {
    const { url } = await fixture.serve(reply(status, 'words', { 'retry-after': '120' }));
    expect((await push([deviceAt(url)])).outcome).toMatchObject(expected);
  });

  it('is tried again when one of the push services may accept it later', async () => {
    const [never, later] = [await fixture.serve(reply(400)), await fixture.serve(reply(503))];
    expect((await push([deviceAt(never.url), deviceAt(later.url)])).outcome).toMatchObject({ permanent: false });
  });

  it('is unknown when the only response was lost', async () => {
    const { url } = await fixture.serve((request) => request.socket.resetAndDestroy());
    const { url: other } = await fixture.serve(reply(500));
    expect((await push([deviceAt(other), deviceAt(url)])).outcome).toHaveProperty('outcome', 'unknown');
  });

  it('is not sent to addresses that the egress guard refuses', async () => {
    const { outcome } = await push([deviceAt('http://169.254.169.254/latest')]);
    expect(outcome).toMatchObject({ outcome: 'failed', permanent: true, reason: expect.stringContaining('Not sent') });
  });

  it('is skipped when nobody has subscribed, or nobody is left', async () => {
    expect((await push([])).outcome).toEqual({
      outcome: 'skipped',
      code: 'no_device',
      reason: 'Nobody in this workspace has turned on push notifications',
    });
    expect((await push([deviceAt('http://127.0.0.1:9/')], { changes: { push_to: 'nobody' } })).outcome).toEqual({
      outcome: 'skipped',
      code: 'no_device',
      reason: 'The sender of this test has not turned on push notifications in any browser',
    });
    const { url } = await fixture.serve(reply(410));
    const { outcome, forgotten } = await push([deviceAt(url)]);
    expect(outcome).toEqual({
      outcome: 'skipped',
      code: 'no_device',
      reason: 'Every browser of this workspace has turned push notifications off',
    });
    expect(forgotten).toEqual([url]);
  });
});

describe('a push service that checks everything', () => {
  let sandbox: Sandbox;
  let network: Network;
  const kept: SandboxMessage[] = [];

  beforeAll(async () => {
    // Tokens are signed for the real time.
    sandbox = await startSandbox({ secret: 's', store: async (messages) => void kept.push(...messages) });
    const guard = createEgressGuard({ allow: [], exact: () => [sandbox.http] });
    network = { http: createOutboundHttp({ guard }), smtp: createSmtpPools({ guard }), now: () => now };
  });
  afterAll(async () => {
    await network.http.close();
    await sandbox.stop();
  });

  const subscribe = (name: string, applicationServerKey = sender.public_key) =>
    sandbox.pushBrowserFor({ workspaceId, applicationServerKey, name });

  it('accepts the message, and its browser can decrypt it', async () => {
    const { outcome } = await push([subscribe('laptop')], { network });
    expect(outcome).toMatchObject({ outcome: 'accepted', receipt: expect.stringContaining('/m/') });
    expect(kept.at(-1)).toMatchObject({ channel: 'push', subject: 'Rent is due', text: envelope.message });
    expect(JSON.parse(kept.at(-1)?.raw ?? '')).toMatchObject({ tag: envelope.delivery_id, job_id: envelope.job_id });
  });

  it('accepts the longest message, cut to the limit of push services', async () => {
    const message = '😀'.repeat(20_000);
    const { outcome } = await push([subscribe('laptop')], { network, changes: { message } });
    expect(outcome).toHaveProperty('outcome', 'accepted');
    expect(kept.at(-1)?.text).toMatch(/^(😀){700,}…$/u);
  });

  it('reports which browsers are gone', async () => {
    const gone = subscribe('gone');
    const { outcome, forgotten } = await push([gone, subscribe('laptop')], { network });
    expect(outcome).toMatchObject({ answer: 'accepted for 1 of 2 browsers; 1 unsubscribed' });
    expect(forgotten).toEqual([gone.endpoint]);
  });

  it('refuses a key that the browser did not subscribe to', async () => {
    const { outcome } = await push([subscribe('laptop', webPush.generateVAPIDKeys().publicKey)], { network });
    expect(outcome).toMatchObject({ outcome: 'failed', permanent: true, reason: expect.stringContaining('mismatch') });
  });
});
