import { createHmac } from 'node:crypto';
import type { Callback, CallbackAnswer, Report } from '#delivery/adapter.ts';
import { parametersOf } from '#delivery/callback.ts';
import { optOutIn } from '#delivery/opt-out.ts';
import { isSameSecret } from '#platform/same-secret.ts';
import { deliveryErrorInWords } from './twilio.errors.ts';

/** A status of a message, or an incoming message (twilio.com/docs/messaging/guides/webhook-request). */
export function parseTwilioCallback(callback: Callback, authToken: string | undefined): CallbackAnswer {
  if (authToken === undefined)
    return { kind: 'refused', reason: 'The channel has no auth token to verify this request' };
  const parameters = parametersOf(callback);
  const signed = callback.method === 'GET' ? new URLSearchParams() : parameters;
  const given = callback.headers.get('x-twilio-signature') ?? '';
  if (
    !spellingsOf(callback.url).some((url) =>
      isSameSecret(given, twilioSignature(authToken, { url, parameters: signed })),
    )
  )
    return { kind: 'refused', reason: 'X-Twilio-Signature does not match this request' };
  // Twilio would send a body that is not TwiML as a reply.
  return { kind: 'reports', reports: reportsIn(parameters, callback.url), reply: '<Response/>' };
}

/**
 * The signature of a request: HMAC-SHA1 under the auth token over the URL and each parameter of the body, sorted by
 * name (twilio.com/docs/usage/security).
 */
export function twilioSignature(
  authToken: string,
  { url, parameters }: { url: string; parameters: URLSearchParams },
): string {
  const names = [...new Set(parameters.keys())].sort();
  const pairs = names.flatMap((name) => [...new Set(parameters.getAll(name))].sort().map((value) => name + value));
  return createHmac('sha1', authToken)
    .update(url + pairs.join(''), 'utf8')
    .digest('base64');
}

/** Twilio signs the URL sometimes with the scheme's default port and sometimes without. */
function spellingsOf(url: URL): string[] {
  const plain = url.href;
  if (url.port !== '') return [plain, plain.replace(`:${url.port}`, '')];
  return [plain, plain.replace(url.host, `${url.host}:${url.protocol === 'https:' ? 443 : 80}`)];
}

function reportsIn(parameters: URLSearchParams, url: URL): Report[] {
  const id = parameters.get('MessageSid') ?? parameters.get('SmsSid') ?? '';
  const deliveryId = url.searchParams.get('delivery') ?? undefined;
  const status = parameters.get('MessageStatus') ?? parameters.get('SmsStatus') ?? '';
  if (['delivered', 'read'].includes(status)) return [{ kind: 'delivered', id, deliveryId }];
  if (['failed', 'undelivered', 'canceled'].includes(status))
    return [{ kind: 'failed', id, deliveryId, reason: deliveryErrorInWords(parameters.get('ErrorCode')) }];
  return optOutReports(parameters);
}

/**
 * Twilio sets `OptOutType` when it has recognised an opt-out itself, in any language. The id must be well formed: the
 * signed text does not separate parameters, so a longer id could match the same signature.
 */
function optOutReports(parameters: URLSearchParams): Report[] {
  const sender = (parameters.get('From') ?? '').replace(/^whatsapp:/, '');
  const said = optOutIn(parameters.get('OptOutType') ?? parameters.get('Body') ?? '');
  const messageId = /^[A-Z]{2}[0-9a-f]{32}$/.exec(parameters.get('MessageSid') ?? '')?.[0] ?? null;
  return said === null || sender === '' ? [] : [{ kind: said, sender, messageId, sentAt: null }];
}
