import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Callback, CallbackAnswer, Report } from '#delivery/adapter.ts';
import { parseJson } from '#delivery/answer.ts';
import { instantIn } from '#delivery/callback.ts';
import { optOutIn } from '#delivery/opt-out.ts';
import { isSameSecret } from '#platform/same-secret.ts';

/** Meta's verification of the address, and its reports of statuses and messages. */
export function parseMetaCallback(
  callback: Callback,
  { app_secret, verify_token }: { app_secret?: string; verify_token?: string },
): CallbackAnswer {
  if (callback.method === 'GET') return answerChallenge(callback.url, verify_token);
  if (app_secret === undefined)
    return { kind: 'refused', reason: 'The channel has no app secret to verify this request' };
  const given = callback.headers.get('x-hub-signature-256') ?? '';
  return isSameSecret(given, hubSignature(app_secret, callback.body))
    ? { kind: 'reports', reports: reportsIn(callback.body) }
    : { kind: 'refused', reason: 'X-Hub-Signature-256 does not match the body' };
}

/** The signature over the raw body (developers.facebook.com "Validating payloads"). */
export const hubSignature = (appSecret: string, body: Buffer) =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;

function answerChallenge({ searchParams }: URL, token: string | undefined): CallbackAnswer {
  const isAsked = searchParams.get('hub.mode') === 'subscribe';
  if (token !== undefined && isAsked && isSameSecret(searchParams.get('hub.verify_token') ?? '', token))
    return { kind: 'challenge', answer: searchParams.get('hub.challenge') ?? '' };
  return { kind: 'refused', reason: 'hub.verify_token is not the verify token of this channel' };
}

const Status = z.object({
  id: z.string(),
  status: z.string(),
  biz_opaque_callback_data: z.string().optional(),
  errors: z
    .array(
      z.object({
        code: z.number(),
        title: z.string().optional(),
        error_data: z.object({ details: z.string() }).partial().optional(),
      }),
    )
    .default([]),
});

const Message = z.object({
  id: z.string().optional(),
  timestamp: z.string().optional(),
  from: z.string().optional(),
  text: z.object({ body: z.string() }).optional(),
  button: z.object({ text: z.string() }).optional(),
});

const Notification = z.object({
  entry: z.array(
    z.object({
      changes: z.array(
        z.object({
          value: z.object({ statuses: z.array(Status).default([]), messages: z.array(Message).default([]) }),
        }),
      ),
    }),
  ),
});

/** Entries that do not match are not about messages of ours: an app's webhook carries other fields, too. */
function reportsIn(body: Buffer): Report[] {
  const parsed = Notification.safeParse(parseJson(body.toString('utf8')));
  const values = parsed.success ? parsed.data.entry.flatMap(({ changes }) => changes.map(({ value }) => value)) : [];
  return values.flatMap(({ statuses, messages }) => [...statuses.flatMap(reportOf), ...messages.flatMap(optOutOf)]);
}

function reportOf({ id, status, errors, biz_opaque_callback_data: deliveryId }: z.output<typeof Status>): Report[] {
  if (status === 'delivered' || status === 'read') return [{ kind: 'delivered', id, deliveryId }];
  if (status !== 'failed') return [];
  const [error] = errors;
  const words = error?.error_data?.details ?? error?.title ?? 'the message could not be delivered';
  return [{ kind: 'failed', id, deliveryId, reason: `WhatsApp${error ? ` ${error.code}` : ''}: ${words}` }];
}

function optOutOf({ id, timestamp, from, text, button }: z.output<typeof Message>): Report[] {
  const said = optOutIn(text?.body ?? button?.text ?? '');
  if (said === null || from === undefined) return [];
  return [{ kind: said, sender: `+${from}`, messageId: id ?? null, sentAt: instantIn(timestamp) }];
}
