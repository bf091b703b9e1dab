import { createHash, createHmac } from 'node:crypto';
import type { Callback, CallbackAnswer, Report } from '#delivery/adapter.ts';
import { instantIn, parametersOf } from '#delivery/callback.ts';
import { optOutIn } from '#delivery/opt-out.ts';
import { isSameSecret } from '#platform/same-secret.ts';

/** The methods by their names in the account's settings: an MD5 hash, and HMACs. */
export const signatureMethods = ['md5hash', 'md5', 'sha1', 'sha256', 'sha512'] as const;
export type SignatureMethod = (typeof signatureMethods)[number];

/** A delivery receipt or an incoming message, by GET, form or JSON. */
export function parseVonageCallback(
  callback: Callback,
  { signature_secret, signature_method }: { signature_secret?: string; signature_method: SignatureMethod },
): CallbackAnswer {
  if (signature_secret === undefined)
    return { kind: 'refused', reason: 'The channel has no signature secret to verify this request' };
  const parameters = parametersOf(callback);
  const due = vonageSignature(parameters, { secret: signature_secret, method: signature_method });
  // A parameter name with one of these could include the next parameter, with the same signature.
  const isPlain = [...parameters.keys()].every((name) => !/[&=]/.test(name));
  return isPlain && isSameSecret((parameters.get('sig') ?? '').toLowerCase(), due)
    ? { kind: 'reports', reports: reportsIn(parameters) }
    : { kind: 'refused', reason: 'The parameter sig does not match this request' };
}

/**
 * The signature in hexadecimal: over `&name=value` of every parameter but `sig`, sorted by name, with `&` and `=` in
 * values written as `_` (developer.vonage.com "Signing messages").
 */
export function vonageSignature(
  parameters: URLSearchParams,
  { secret, method }: { secret: string; method: SignatureMethod },
): string {
  const text = [...parameters]
    .filter(([name]) => name !== 'sig')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `&${name}=${asSigned(value)}`)
    .join('');
  return method === 'md5hash'
    ? createHash('md5')
        .update(text + secret)
        .digest('hex')
    : createHmac(method, secret).update(text).digest('hex');
}

const asSigned = (value: string) => value.replaceAll(/[&=]/g, '_');

function reportsIn(parameters: URLSearchParams): Report[] {
  const status = parameters.get('status');
  if (status === null) {
    const said = optOutIn(parameters.get('text') ?? '');
    const sender = parameters.get('msisdn') ?? '';
    // In the spelling that is signed, in which `&`, `=` and `_` are the same.
    const messageId = asSigned(parameters.get('messageId') ?? '') || null;
    const sentAt = instantIn(`${parameters.get('message-timestamp')?.replace(' ', 'T')}Z`);
    return said === null || sender === '' ? [] : [{ kind: said, sender: `+${sender}`, messageId, sentAt }];
  }
  const id = parameters.get('messageId') ?? '';
  const deliveryId = parameters.get('client-ref') ?? undefined;
  if (status === 'delivered') return [{ kind: 'delivered', id, deliveryId }];
  if (!['failed', 'rejected', 'expired'].includes(status)) return [];
  const code = parameters.get('err-code') ?? '';
  return [{ kind: 'failed', id, deliveryId, reason: `Vonage ${code}: ${words[code] ?? status}` }];
}

/** developer.vonage.com "Delivery receipts: DLR error codes". */
const words: Record<string, string> = {
  '1': 'unknown reason',
  '2': 'the subscriber is absent for now',
  '3': 'the subscriber is absent for good',
  '4': 'barred by the user',
  '5': 'the number was ported and cannot be found',
  '6': 'rejected as spam',
  '7': 'the handset is busy',
  '8': 'network error',
  '9': 'illegal number',
  '10': 'illegal message',
  '11': 'no route to the number',
  '12': 'the destination is unreachable',
  '13': 'the subscriber is too young for this',
  '14': 'blocked by the carrier',
  '15': 'the prepaid credit is used up',
  '99': 'general error',
};
