import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { signingKey } from '#delivery/webhook/webhook.message.ts';

const toleranceSeconds = 300;

type Signed = { headers: Headers; body: Buffer; secret: string; now: Temporal.Instant };

/**
 * What is wrong with the signature of a hook's request, null when it is good. Two forms are understood: Standard Webhooks
 * (`webhook-id`, `webhook-timestamp`, `webhook-signature: v1,<base64>` over `id.timestamp.body`), and for senders that can
 * do less `x-cuebird-signature: t=<seconds>,v1=<hex>` over `timestamp.body`. Both HMAC-SHA-256, both good for five minutes.
 */
export function signatureProblem({ headers, body, secret, now }: Signed): string | null {
  const claim = claimIn(headers);
  if (claim === null) return 'This hook takes signed requests only: send webhook-signature or x-cuebird-signature';
  if (!/^\d{1,12}$/.test(claim.timestamp)) return 'The signature has no timestamp in seconds';
  const distance = Math.abs(now.epochMilliseconds / 1000 - Number(claim.timestamp));
  if (distance > toleranceSeconds)
    return `The signature's timestamp lies more than ${toleranceSeconds / 60} minutes from now`;
  const due = hmac(signingKey(secret), [claim.prefix, body]);
  return claim.signatures.some((given) => given.length === due.length && timingSafeEqual(given, due))
    ? null
    : 'The signature does not fit the body';
}

type Claim = { timestamp: string; prefix: string; signatures: readonly Buffer[] };

function claimIn(headers: Headers): Claim | null {
  const standard = headers.get('webhook-signature');
  if (standard !== null) {
    const timestamp = headers.get('webhook-timestamp') ?? '';
    const prefix = `${headers.get('webhook-id') ?? ''}.${timestamp}.`;
    // Several while a secret is being changed, and versions that we do not know.
    const signatures = standard.split(' ').filter((part) => part.startsWith('v1,'));
    return { timestamp, prefix, signatures: signatures.map((part) => Buffer.from(part.slice(3), 'base64')) };
  }
  const own = headers.get('x-cuebird-signature');
  if (own === null) return null;
  const parts = own.split(',').map((part) => part.trim().split('='));
  const valuesOf = (name: string) => parts.flatMap(([key, value = '']) => (key === name ? [value] : []));
  const [timestamp = ''] = valuesOf('t');
  return { timestamp, prefix: `${timestamp}.`, signatures: valuesOf('v1').map((hex) => Buffer.from(hex, 'hex')) };
}

function hmac(key: KeyObject, parts: readonly (string | Buffer)[]): Buffer {
  const made = createHmac('sha256', key);
  for (const part of parts) made.update(part);
  return made.digest();
}
