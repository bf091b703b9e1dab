import type { Pool } from 'pg';
import type { InboxMessage } from '#contract/inbox.ts';
import { findAccountMail, findHtml, findMessage, findMessages, findMessageToAnswer } from '#features/inbox/inbox.db.ts';
import type { TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { NotFound, Unprocessable } from '#platform/errors.ts';
import { pageOf } from '#platform/page.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';

type InboxFilter = Omit<Parameters<typeof findMessages>[1], 'workspaceId' | 'after'> & { cursor?: string };

export async function listMessages({ db, workspaceId }: TenantContext, { cursor, ...filter }: InboxFilter) {
  const found = await findMessages(db, { ...filter, workspaceId, after: decodeCursor(cursor) });
  return pageOf(found, { at: (message) => message.received_at });
}

export async function getMessage({ db, workspaceId }: TenantContext, id: string): Promise<InboxMessage> {
  const message = await findMessage(db, { workspaceId, id });
  if (message === undefined) throw new NotFound('message');
  return message;
}

/** The HTML part of a sent mail, which is untrusted. Throws NotFound when it has none. */
export async function htmlOfMessage({ db, workspaceId }: TenantContext, id: string): Promise<string> {
  const message = await findHtml(db, { workspaceId, id });
  if (message?.body_html === null || message?.body_html === undefined) throw new NotFound('HTML part');
  return message.body_html;
}

/** Account mail (verification, password resets), newest first. */
export async function listAccountMail(auth: Pool, { cursor, limit }: { cursor?: string; limit: number }) {
  const found = await findAccountMail(auth, { after: decodeCursor(cursor), limit });
  return pageOf(found, { at: (message) => message.received_at });
}

/** Replies to a message as its recipient: the sandbox stores the reply and reports it to Cuebird like the provider. */
export async function replyToMessage(
  ctx: TenantContext,
  { id, answer, sandbox }: { id: string; answer: string; sandbox: Sandbox },
): Promise<InboxMessage> {
  const { workspaceId } = ctx;
  const message = await findMessageToAnswer(ctx.db, { workspaceId, id });
  if (message === undefined) throw new NotFound('message');
  const { provider, channel, reply_to: replyTo } = message;
  if (provider === null || replyTo !== null || (channel !== 'sms' && channel !== 'whatsapp'))
    throw new Unprocessable('Only messages by SMS and WhatsApp can be answered');
  const { body_raw: raw, callback_url: callbackUrl, body_text: text, ...rest } = message;
  const reply = await sandbox.reply({ ...rest, workspaceId, provider, raw, callbackUrl, text }, answer);
  const stored = await findMessage(ctx.db, { workspaceId, id: reply.id });
  if (stored === undefined) throw new Error('The stored answer is missing');
  return stored;
}
