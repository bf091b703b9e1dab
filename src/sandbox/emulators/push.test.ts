import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestSandbox, testNow, type TestSandbox } from '#testing/sandbox.ts';
import { openPushMessage } from './push-message.ts';
import type { SandboxBrowser } from './push.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');
const coded = (text: string | Buffer) => Buffer.from(text).toString('base64url');

describe('a push message', () => {
  // RFC 8291, section 5 and appendix A.
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'));
  const keys = { pair, publicKey: pair.getPublicKey(), auth: bytes('BTBZMqHH6r4Tts7J_aSIgg') };
  const body = bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );

  it('is decrypted by its own browser', () => {
    expect(openPushMessage(body, keys)).toEqual({ text: 'When I grow up, I want to be a watermelon' });
  });

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['a header alone', body.subarray(0, 86)],
    ['one that was changed', Buffer.from(body.map((byte, at) => (at === 100 ? byte ^ 1 : byte)))],
    ['one cut short', body.subarray(0, -1)],
  ])('is not decrypted when it is %s', (_, broken) => {
    expect(openPushMessage(broken, keys)).toHaveProperty('problem');
  });
});

describe('the push service', () => {
  const server = createECDH('prime256v1');
  const applicationServerKey = coded(server.generateKeys());
  const publicPoint = server.getPublicKey();
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: coded(publicPoint.subarray(1, 33)),
    y: coded(publicPoint.subarray(33)),
    d: coded(server.getPrivateKey()),
  };
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });

  let sandbox: TestSandbox;
  let device: SandboxBrowser;
  beforeEach(async () => {
    sandbox = await startTestSandbox();
    device = sandbox.pushBrowserFor({ workspaceId: sandbox.workspaceId, applicationServerKey });
  });
  afterEach(() => sandbox.stop());

  function vapid(changes: object = {}, key = applicationServerKey): string {
    const claims = {
      aud: sandbox.http.url,
      exp: testNow.epochMilliseconds / 1000 + 3_600,
      sub: 'mailto:a@b.test',
      ...changes,
    };
    const content = `${coded('{"typ":"JWT","alg":"ES256"}')}.${coded(JSON.stringify(claims))}`;
    const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `vapid t=${content}.${coded(signature)}, k=${key}`;
  }

  function encrypted(text: string, { p256dh, auth } = device.keys): Buffer<ArrayBuffer> {
    const [own, salt, browser] = [createECDH('prime256v1'), randomBytes(16), bytes(p256dh)];
    const sender = own.generateKeys();
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser, sender]);
    const secret = Buffer.from(hkdfSync('sha256', own.computeSecret(browser), bytes(auth), info, 32));
    const derive = (name: string, size: number) =>
      Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, size));
    const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
    const record = Buffer.concat([
      cipher.update(text),
      cipher.update(Buffer.from([2])),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return Buffer.concat([salt, Buffer.from([0, 0, 16, 0, sender.length]), sender, record]);
  }

  async function post(
    changes: Record<string, string | undefined> = {},
    body: Uint8Array<ArrayBuffer> = encrypted('{"title":"Rent","body":"It is due"}'),
  ) {
    const given = {
      authorization: vapid(),
      ttl: '60',
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ...changes,
    };
    const headers = Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] satisfies [string, string]],
    );
    const answer = await fetch(device.endpoint, { method: 'POST', headers, body });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, json: text === '' ? null : JSON.parse(text) };
  }

  it('accepts a notification, and the browser decrypts it', async () => {
    const { status, headers, json } = await post();
    expect([status, json, headers.get('ttl')]).toEqual([201, null, '60']);
    expect(headers.get('location')).toBe(`${sandbox.http.url}/m/${sandbox.stored[0]?.id}`);
    expect(sandbox.stored).toMatchObject([
      {
        channel: 'push',
        provider: 'push',
        recipient: 'browser',
        subject: 'Rent',
        text: 'It is due',
        raw: '{"title":"Rent","body":"It is due"}',
      },
    ]);
  });

  it('accepts the two parts of its authorization in any order', async () => {
    const [, t, k] = /^vapid (t=.+), (k=.+)$/.exec(vapid()) ?? [];
    expect((await post({ authorization: `vapid ${k},${t}` })).status).toBe(201);
  });

  it.each<[string, () => Record<string, string | undefined>, number, number, string]>([
    ['no authorization', () => ({ authorization: undefined }), 401, 109, 'Missing VAPID authorization'],
    [
      'the older scheme',
      () => ({ authorization: vapid().replace('vapid t=', 'WebPush ') }),
      401,
      109,
      'Missing VAPID authorization',
    ],
    [
      'another application’s key',
      () => ({ authorization: vapid({}, coded(createECDH('prime256v1').generateKeys())) }),
      401,
      109,
      'VAPID public key mismatch',
    ],
    [
      'a broken signature',
      () => ({ authorization: vapid().replace(/[^.]+(?=, k=)/, coded(randomBytes(64))) }),
      401,
      109,
      'Invalid VAPID signature',
    ],
    [
      'another audience',
      () => ({ authorization: vapid({ aud: 'https://push.example' }) }),
      401,
      109,
      'Invalid VAPID audience: https://push.example is not ',
    ],
    [
      'an expired token',
      () => ({ authorization: vapid({ exp: testNow.epochMilliseconds / 1000 }) }),
      401,
      109,
      'Expired VAPID token',
    ],
    [
      'a token for more than a day',
      () => ({ authorization: vapid({ exp: testNow.epochMilliseconds / 1000 + 90_000 }) }),
      401,
      109,
      'VAPID token expires more than 24 hours from now',
    ],
    ['an invalid contact', () => ({ authorization: vapid({ sub: 'Dana' }) }), 401, 109, 'Invalid VAPID sub claim'],
    ['no TTL', () => ({ ttl: undefined }), 400, 111, 'Missing TTL header'],
    ['a TTL that is no number', () => ({ ttl: 'soon' }), 400, 112, 'Invalid TTL header value'],
    ['a topic of 33 letters', () => ({ topic: 'x'.repeat(33) }), 400, 113, 'Invalid Topic header value'],
    ['another encoding', () => ({ 'content-encoding': 'aesgcm' }), 400, 110, 'Unknown Content-Encoding'],
  ])('refuses %s', async (_, changes, status, errno, message) => {
    const { status: got, json } = await post(changes());
    expect([got, json.code, json.errno, json.message]).toEqual([
      status,
      status,
      errno,
      expect.stringContaining(message),
    ]);
    expect(sandbox.stored).toEqual([]);
  });

  it('refuses more than 4096 bytes', async () => {
    expect(await post({}, encrypted('x'.repeat(4_000)))).toMatchObject({ status: 413, json: { errno: 104 } });
  });

  it('refuses a message that its browser cannot decrypt', async () => {
    const other = sandbox.pushBrowserFor({
      workspaceId: sandbox.workspaceId,
      applicationServerKey,
      name: 'phone',
    });
    expect(await post({}, encrypted('secret', other.keys))).toMatchObject({ status: 400, json: { errno: 110 } });
  });

  it('answers 410 for a browser that has unsubscribed, and 404 for unknown addresses', async () => {
    const { endpoint } = device;
    device = sandbox.pushBrowserFor({
      workspaceId: sandbox.workspaceId,
      applicationServerKey,
      name: 'gone',
    });
    expect(await post()).toMatchObject({ status: 410, json: { errno: 106 } });
    device = { ...device, endpoint: endpoint.replace(/.$/, (last) => (last === '0' ? '1' : '0')) };
    expect(await post()).toMatchObject({ status: 404, json: { errno: 102 } });
  });

  it('has keys of its own for every browser', () => {
    const keysOf = (name: string) =>
      sandbox.pushBrowserFor({ workspaceId: sandbox.workspaceId, applicationServerKey, name }).keys;
    expect(keysOf('phone')).toEqual(keysOf('phone'));
    expect(
      new Set([keysOf('phone').p256dh, keysOf('laptop').p256dh, keysOf('phone').auth, keysOf('laptop').auth]).size,
    ).toBe(4);
  });
});
