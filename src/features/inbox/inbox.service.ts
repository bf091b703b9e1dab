import type { InboxMessage } from '#contract/inbox.ts';
import { findMessage, findMessageToAnswer } from '#features/inbox/inbox.db.ts';
import type { TenantContext } from '#platform/context.ts';
import { NotFound, Unprocessable } from '#platform/errors.ts';
import type { Sandbox } from '#platform/sandbox/sandbox.ts';

/** Answers a message as its recipient; the sandbox keeps the answer and brings it to Cuebird as the provider does. */
export async function replyToMessage(
  ctx: TenantContext,
  { id, text, sandbox }: { id: string; text: string; sandbox: Sandbox },
): Promise<InboxMessage> {
  const { workspaceId } = ctx;
  const message = await findMessageToAnswer(ctx.db, { workspaceId, id });
  if (message === undefined) throw new NotFound('message');
  const { provider, channel, reply_to: replyTo } = message;
  if (provider === null || replyTo !== null || (channel !== 'sms' && channel !== 'whatsapp'))
    throw new Unprocessable('Only messages by SMS and WhatsApp can be answered');
  const { body_raw: raw, callback_url: callbackUrl, body_text: said, ...rest } = message;
  const reply = await sandbox.reply({ ...rest, workspaceId, provider, raw, callbackUrl, text: said }, text);
  const kept = await findMessage(ctx.db, { workspaceId, id: reply.id });
  if (kept === undefined) throw new Error('An answer that was kept is not there');
  return kept;
}
