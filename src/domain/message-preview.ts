import type { ChannelType } from '#contract/channel-types.ts';
import type { MessageFormat } from '#contract/message-format.ts';
import type { MailStyle } from '#domain/mail-style.ts';
import { mailPage } from '#domain/message-format/mail-page.ts';
import { type Formatted, type MessageForm } from '#domain/message-format/message-format.ts';
import { unmarked } from '#domain/message-format/marked-values.ts';
import { mentionsIn, plainForSlack, settleMentions } from '#domain/message-format/slack-mentions.ts';
import { mailHtml } from '#domain/message-format/plain-mail.ts';
import { formOf } from '#domain/written-message.ts';
import type { Brand } from '#domain/white-label.ts';

/** How a mail shows its sender. */
export type MailSender = { companyName: string; brand: Brand | null; style: MailStyle };

/**
 * A message as a channel sends it. `html` is the page of a mail; null for a mail without HTML and for other channels. `mentions` are those that ping
 * where the Slack channel allows it; the body has them as they were written.
 */
export type PreviewedMessage = { body: string; html: string | null; mentions: string[] };

type As = { subject: string; format: MessageFormat; channel: ChannelType; sender: MailSender };

/** @param formatted the body, with marked values, in a form */
export function previewMessage(
  body: string,
  { format, channel, ...as }: As & { formatted: (form: MessageForm) => Formatted | Promise<Formatted> },
): PreviewedMessage | Promise<PreviewedMessage> {
  if (format === 'plain') {
    if (channel === 'slack') return inSlack(plainForSlack(body));
    const text = unmarked(body);
    return { body: text, html: channel === 'email' ? mailHtml(text) : null, mentions: [] };
  }
  const form = formOf[channel];
  if (form === null) return { body: unmarked(body), html: null, mentions: [] };
  const finish = ({ text, html }: Formatted): PreviewedMessage =>
    form === 'slack' ? inSlack(text) : { body: text, html: html === null ? null : pageOf(html, as), mentions: [] };
  const formatted = as.formatted(form);
  return formatted instanceof Promise ? formatted.then(finish) : finish(formatted);
}

const inSlack = (text: string): PreviewedMessage => ({
  body: settleMentions(text, { ping: false }),
  html: null,
  mentions: mentionsIn(text),
});

const pageOf = (body: string, { subject, sender }: Pick<As, 'subject' | 'sender'>) =>
  mailPage({
    body,
    title: subject,
    style: sender.style,
    company: sender.companyName,
    brand: sender.brand,
    unsubscribe: null,
  });
