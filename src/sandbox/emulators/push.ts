import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { type Answer, type Call, jsonAnswer, parseJson } from '#sandbox/call.ts';
import { answered, type Emulator, type EmulatorContext, type Received } from '#sandbox/emulator.ts';
import { openPushMessage, pushKeysOf } from './push-message.ts';

/** A subscribed browser, as `PushSubscription.toJSON()` gives it. */
export type SandboxBrowser = { endpoint: string; expirationTime: null; keys: { p256dh: string; auth: string } };

/**
 * A web push service and the browser behind it: RFC 8030 (the protocol), RFC 8291 (the encryption) and RFC 8292 (VAPID), with
 * the error answers of Mozilla's autopush (mozilla-services.github.io/autopush-rs/errors.html).
 */
export const push: Emulator = {
  provider: 'push',
  owns: ({ path }) => path.startsWith('/wpush/v2/'),
  receive: async (call, context) => receive(call, context),
  throttled: () => refusal(429, 201, 'Too Many Requests'),
  unavailable: (status) =>
    status === 503 ? refusal(503, 201, 'Service Unavailable') : refusal(status, 999, 'Unknown error'),
};

/**
 * @param options.applicationServerKey the VAPID public key that the browser subscribed to, in base64url
 * @param options.name distinguishes several browsers of a workspace; the one named `gone` has unsubscribed
 */
export function browserOf(
  { accounts, url }: Pick<EmulatorContext, 'accounts' | 'url'>,
  { workspaceId, applicationServerKey, name }: { workspaceId: string; applicationServerKey: string; name: string },
): SandboxBrowser {
  const { publicKey, auth } = pushKeysOf({ accounts, workspaceId, name });
  const token = accounts.tokenOf(`push ${name} ${applicationServerKey}`, workspaceId);
  return {
    endpoint: `${url}/wpush/v2/${encodeURIComponent(name)}/${applicationServerKey}/${token}`,
    expirationTime: null,
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
  };
}

function receive(call: Call, context: EmulatorContext): Received {
  const [, , , name = '', key = '', token = ''] = call.path.split('/').map(decodeURIComponent);
  const workspaceId = context.accounts.openToken(`push ${name} ${key}`, token);
  if (workspaceId === null) return answered(refusal(404, 102, 'Invalid URL endpoint'));
  if (call.method !== 'POST') return answered(refusal(405, 0, 'Method Not Allowed'));
  const problem = vapidProblem(call, { key, origin: new URL(context.url).origin });
  if (problem) return answered(refusal(401, 109, problem));
  const { ttl, topic } = call.headers;
  if (ttl === undefined) return answered(refusal(400, 111, 'Missing TTL header'));
  if (!/^\d{1,10}$/.test(ttl)) return answered(refusal(400, 112, 'Invalid TTL header value'));
  if (topic !== undefined && !/^[A-Za-z0-9_-]{1,32}$/.test(topic))
    return answered(refusal(400, 113, 'Invalid Topic header value'));
  if (call.size > 4_096) return answered(refusal(413, 104, 'Data payload too large'));
  if (name === 'gone') return answered(refusal(410, 106, 'Invalid subscription'));
  if (call.headers['content-encoding'] !== 'aes128gcm') return answered(refusal(400, 110, 'Unknown Content-Encoding'));
  const opened = openPushMessage(call.body, pushKeysOf({ accounts: context.accounts, workspaceId, name }));
  if ('problem' in opened) return answered(refusal(400, 110, opened.problem));
  const { title, body } = notificationIn(opened.text);
  const message = { workspaceId, channel: 'push' as const, sender: new URL(context.url).host, recipient: name };
  return {
    kind: 'taken',
    fate: null,
    message: { ...message, subject: title, text: body, raw: opened.text, segments: null, callbackUrl: null },
    answer: (id) => ({
      status: 201,
      headers: { location: `${context.url}/m/${id}`, ttl: String(Math.min(Number(ttl), 5_184_000)) },
      body: '',
    }),
  };
}

const Claims = z.looseObject({ aud: z.string(), exp: z.number(), sub: z.string().optional() });

/** The problem of `Authorization: vapid t=<JWT>, k=<public key>`; null when it is valid. */
function vapidProblem(call: Call, { key, origin }: { key: string; origin: string }): string | null {
  const [, parameters = ''] = /^vapid\s+(\S.*)$/i.exec(call.headers.authorization ?? '') ?? [];
  const t = /(?:^|,)\s*t=([\w.=-]+)/.exec(parameters)?.[1] ?? '';
  const k = /(?:^|,)\s*k=([\w.=-]+)/.exec(parameters)?.[1] ?? '';
  if (!t || !k) return 'Missing VAPID authorization';
  const [header = '', payload = '', signature = ''] = t.split('.');
  if (k !== key) return 'VAPID public key mismatch';
  const algorithm = z
    .looseObject({ alg: z.literal('ES256') })
    .safeParse(parseJson(Buffer.from(header, 'base64url').toString()));
  const claims = Claims.safeParse(parseJson(Buffer.from(payload, 'base64url').toString()));
  if (!algorithm.success || !claims.success) return 'Invalid VAPID token';
  if (!isSignedBy(k, { content: `${header}.${payload}`, signature })) return 'Invalid VAPID signature';
  const { aud, exp, sub } = claims.data;
  const seconds = call.now.epochMilliseconds / 1000;
  if (aud !== origin) return `Invalid VAPID audience: ${aud} is not ${origin}`;
  if (exp <= seconds) return 'Expired VAPID token';
  if (exp > seconds + 86_400 + 60) return 'VAPID token expires more than 24 hours from now';
  return sub === undefined || /^(mailto:[^@]+@.+|https:\/\/.+)$/.test(sub) ? null : 'Invalid VAPID sub claim';
}

function isSignedBy(publicKey: string, { content, signature }: { content: string; signature: string }): boolean {
  const point = Buffer.from(publicKey, 'base64url');
  if (point.length !== 65 || point[0] !== 4) return false;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  try {
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    return verify(
      'sha256',
      Buffer.from(content),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
  } catch {
    // The point is not on the curve.
    return false;
  }
}

const Notification = z.looseObject({ title: z.string().default(''), body: z.string().default('') });

/** Cuebird's own service worker reads JSON. Other text is shown as it is. */
function notificationIn(text: string): { title: string; body: string } {
  const parsed = Notification.safeParse(parseJson(text));
  return parsed.success ? parsed.data : { title: '', body: text };
}

function refusal(code: number, errno: number, message: string): Answer {
  const error = {
    400: 'Bad Request',
    401: 'Unauthorized',
    404: 'Not Found',
    410: 'Gone',
    413: 'Payload Too Large',
    429: 'Too Many Requests',
  }[code];
  return jsonAnswer(code, {
    code,
    errno,
    error: error ?? 'Internal Server Error',
    message,
    more_info: 'http://autopush.readthedocs.io/en/latest/http.html#error-codes',
  });
}
