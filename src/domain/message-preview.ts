import type { ChannelType } from '#contract/channel-types.ts';
import type { MessageFormat } from '#contract/message-format.ts';
import type { MailStyle } from '#domain/mail-style.ts';
import { mailPage } from '#domain/message-format/mail-page.ts';
import { type Formatted, type MessageForm } from '#domain/message-format/message-format.ts';
import { unmarked } from '#domain/message-format/marked-values.ts';
import { mailHtml } from '#domain/message-format/plain-mail.ts';
import { formOf } from '#domain/written-message.ts';
import type { Brand } from '#domain/white-label.ts';

/** How a mail shows its sender. */
export type MailSender = { companyName: string; brand: Brand | null; style: MailStyle };

/** A message as a channel sends it. `html` is the page of a mail; null for a mail without HTML and for other channels. */
export type PreviewedMessage = { body: string; html: string | null };

type As = { subject: string; format: MessageFormat; channel: ChannelType; sender: MailSender };

/** @param formatted the body, with marked values, in a form */
export function previewMessage(
  body: string,
  { format, channel, ...as }: As & { formatted: (form: MessageForm) => Formatted | Promise<Formatted> },
): PreviewedMessage | Promise<PreviewedMessage> {
  if (format === 'plain') return { body, html: channel === 'email' ? mailHtml(body) : null };
  const form = formOf[channel];
  if (form === null) return { body: unmarked(body), html: null };
  const finish = ({ text, html }: Formatted): PreviewedMessage => ({
    body: text,
    html: html === null ? null : pageOf(html, as),
  });
  const formatted = as.formatted(form);
  return formatted instanceof Promise ? formatted.then(finish) : finish(formatted);
}

const pageOf = (body: string, { subject, sender }: Pick<As, 'subject' | 'sender'>) =>
  mailPage({
    body,
    title: subject,
    style: sender.style,
    company: sender.companyName,
    brand: sender.brand,
    unsubscribe: null,
  });
