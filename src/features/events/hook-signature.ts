import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { signingKey } from '#delivery/webhook/webhook.message.ts';

const toleranceSeconds = 300;

type Signed = { headers: Headers; body: Buffer; secret: string; now: Temporal.Instant };

/** `key` names what happened: the same for every request that carries the same signed content. */
export type Verified = { key: string } | { problem: string };

/**
 * Checks the signature of a hook's request. Two forms are understood: Standard Webhooks (`webhook-id`, `webhook-timestamp`,
 * `webhook-signature: v1,<base64>` over `id.timestamp.body`), and for senders that can do less `x-cuebird-signature:
 * t=<seconds>,v1=<hex>` over `timestamp.body`. Both HMAC-SHA-256, both good for five minutes.
 *
 * The key is made of what is signed alone, so that nobody changes it without the secret: the signed `webhook-id`, or a
 * hash of the signed time and body.
 */
export function verifySignature({ headers, body, secret, now }: Signed): Verified {
  const claim = claimIn(headers);
  if (claim === null)
    return { problem: 'This hook accepts signed requests only: send webhook-signature or x-cuebird-signature' };
  if (!/^\d{1,12}$/.test(claim.timestamp)) return { problem: 'The signature has no timestamp in seconds' };
  const distance = Math.abs(now.epochMilliseconds / 1000 - Number(claim.timestamp));
  if (distance > toleranceSeconds)
    return { problem: `The signature's timestamp is more than ${toleranceSeconds / 60} minutes from now` };
  const problem = ambiguityOf(claim, body);
  if (problem !== null) return { problem };
  const signed = [claim.id === null ? '' : `${claim.id}.`, `${claim.timestamp}.`, body];
  const due = hmac(signingKey(secret), signed);
  if (!claim.signatures.some((given) => given.length === due.length && timingSafeEqual(given, due)))
    return { problem: 'The signature does not match the body' };
  return { key: claim.id ?? digest(signed) };
}

/** What a signature covers; `id` is null in the form that has none. */
type Claim = { id: string | null; timestamp: string; signatures: readonly Buffer[] };

function claimIn(headers: Headers): Claim | null {
  const standard = headers.get('webhook-signature');
  if (standard !== null) {
    // A header has several signatures while a secret is being rotated, and unknown versions.
    const signatures = standard.split(' ').filter((part) => part.startsWith('v1,'));
    return {
      id: headers.get('webhook-id') ?? '',
      timestamp: headers.get('webhook-timestamp') ?? '',
      signatures: signatures.map((part) => Buffer.from(part.slice(3), 'base64')),
    };
  }
  const own = headers.get('x-cuebird-signature');
  if (own === null) return null;
  const parts = own.split(',').map((part) => part.trim().split('='));
  const valuesOf = (name: string) => parts.flatMap(([key, value = '']) => (key === name ? [value] : []));
  const [timestamp = ''] = valuesOf('t');
  return { id: null, timestamp, signatures: valuesOf('v1').map((hex) => Buffer.from(hex, 'hex')) };
}

/**
 * The signed parts are joined by full stops. An id with a full stop would let a caller split signed content into
 * another id, time and body (Standard Webhooks, "Signature scheme").
 */
function ambiguityOf({ id }: Claim, body: Buffer): string | null {
  if (id === null)
    return /^\d{1,12}\./.test(body.toString('latin1', 0, 13))
      ? 'A body that begins with a number and a full stop can be signed with webhook-signature only'
      : null;
  if (id === '' || id.length > 200) return 'A signed webhook-id must be 1 to 200 characters';
  return id.includes('.') ? 'A signed webhook-id must not contain a full stop' : null;
}

function hmac(key: KeyObject, parts: readonly (string | Buffer)[]): Buffer {
  const made = createHmac('sha256', key);
  for (const part of parts) made.update(part);
  return made.digest();
}

/** Not the signature itself: members see the key of an event. */
function digest(parts: readonly (string | Buffer)[]): string {
  const made = createHash('sha256');
  for (const part of parts) made.update(part);
  return made.digest('base64url');
}
