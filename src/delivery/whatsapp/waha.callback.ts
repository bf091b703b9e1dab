import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Callback, CallbackAnswer, Report } from '#delivery/adapter.ts';
import { parseJson } from '#delivery/answer.ts';
import { instantIn } from '#delivery/callback.ts';
import { optOutIn } from '#delivery/opt-out.ts';
import { isSameSecret } from '#platform/same-secret.ts';

/**
 * An event of a session, signed by HMAC-SHA-512 of the body (waha.devlike.pro/docs/how-to/events, "HMAC
 * authentication").
 */
export function parseWahaCallback({ headers, body }: Callback, { hmac_key }: { hmac_key?: string }): CallbackAnswer {
  if (hmac_key === undefined) return { kind: 'refused', reason: 'The channel has no HMAC key to verify this request' };
  const isKnownKind = (headers.get('x-webhook-hmac-algorithm') ?? 'sha512') === 'sha512';
  const due = createHmac('sha512', hmac_key).update(body).digest('hex');
  if (!isKnownKind || !isSameSecret((headers.get('x-webhook-hmac') ?? '').toLowerCase(), due))
    return { kind: 'refused', reason: 'X-Webhook-Hmac does not match the body' };
  return { kind: 'reports', reports: reportsIn(body) };
}

/**
 * The part of a message id that is the same everywhere in WAHA: `AAA` of `true_491701234567@c.us_AAA`. The middle part
 * may be a hidden number (`@lid`) in one place and a plain one in another.
 */
export const stableMessageId = (id: string) => /^(?:true|false)_[^_]+_([^_]+)/.exec(id)?.[1] ?? id;

const Ack = z.object({
  event: z.literal('message.ack'),
  payload: z.object({ id: z.string(), ack: z.number(), fromMe: z.boolean().default(true) }),
});

const Incoming = z.object({
  event: z.enum(['message', 'message.any']),
  payload: z.object({
    id: z.string().optional().catch(undefined),
    timestamp: z.number().optional().catch(undefined),
    from: z.string(),
    fromMe: z.boolean(),
    body: z.string().nullish(),
    // The sender's number, if it is hidden elsewhere.
    _data: z
      .object({
        key: z.object({ remoteJidAlt: z.string() }).partial().optional(),
        Info: z.object({ SenderAlt: z.string() }).partial().optional(),
      })
      .optional()
      .catch(undefined),
  }),
});

const delivered = 2;
const failed = -1;

function reportsIn(body: Buffer): Report[] {
  const event = z.union([Ack, Incoming]).safeParse(parseJson(body.toString('utf8')));
  if (!event.success) return [];
  if (event.data.event !== 'message.ack') return optOutOf(event.data.payload);
  const { id, ack, fromMe } = event.data.payload;
  if (!fromMe) return [];
  if (ack >= delivered) return [{ kind: 'delivered', id: stableMessageId(id) }];
  return ack === failed
    ? [{ kind: 'failed', id: stableMessageId(id), reason: 'WAHA: WhatsApp could not send the message' }]
    : [];
}

function optOutOf({ id, timestamp, from, fromMe, body, _data: data }: z.output<typeof Incoming>['payload']): Report[] {
  const said = fromMe ? null : optOutIn(body ?? '');
  const addresses = [from, data?.key?.remoteJidAlt, data?.Info?.SenderAlt];
  const number = addresses.flatMap(
    (address) => /^(\d+)(?::\d+)?@(?:c\.us|s\.whatsapp\.net)$/.exec(address ?? '')?.[1] ?? [],
  );
  const [sender] = number;
  if (said === null || sender === undefined) return [];
  const messageId = id === undefined ? null : stableMessageId(id);
  return [{ kind: said, sender: `+${sender}`, messageId, sentAt: instantIn(timestamp) }];
}
