import type { ChannelType } from '#contract/channel-types.ts';
import type { MessageFormat } from '#contract/message-format.ts';
import { formatHere } from '#domain/message-format/message-format.ts';
import { type MailSender, type PreviewedMessage, previewMessage } from '#domain/message-preview.ts';

type As = { subject: string; format: MessageFormat; channel: ChannelType; sender: MailSender };

/** The message as the channel sends it, formatted in the browser. Of a plain mail the text is shown, not its page. */
export function previewHere(body: string, as: As): PreviewedMessage {
  const previewed = previewMessage(body, { ...as, formatted: (form) => formatHere(body, form) });
  if (previewed instanceof Promise) throw new Error('Nothing here waits');
  return as.format === 'plain' ? { ...previewed, html: null } : previewed;
}
