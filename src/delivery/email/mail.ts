import { parseEmail, sendableEmail } from '#contract/email-address.ts';
import type { Envelope, Mail, UnsubscribeLinks } from '#delivery/adapter.ts';
import { plainStyle } from '#domain/mail-style.ts';
import { escapeHtml } from '#domain/message-format/escape-html.ts';
import { mailPage } from '#domain/message-format/mail-page.ts';
import { mailHtml } from '#domain/message-format/plain-mail.ts';
import { requiredLine } from '#domain/required-line.ts';
import type { Brand } from '#domain/white-label.ts';
import { mailNameOf } from './message-names.ts';
import type { EmailConfig } from './smtp.config.ts';

/**
 * Builds the mail of a reminder: plain text and the same as HTML, both with an unsubscribe footer. Markdown gets the
 * layout of `mailPage`; a plain message keeps the look of a letter.
 */
export function composeMail(envelope: Envelope, { config, now }: { config: EmailConfig; now: Temporal.Instant }): Mail {
  const { unsubscribe } = envelope;
  const sender = senderOf(config);
  const name = mailNameOf({ deliveryId: envelope.delivery_id, jobId: envelope.job_id });
  return {
    messageId: `<${name}@${sender.domain}>`,
    envelopeId: name,
    returnAddress: sender.returnAddress,
    from: {
      name: headerText(config.from_name || (envelope.company_name ?? '')),
      address: sender.address,
    },
    to: { name: headerText(envelope.recipient_name ?? ''), address: sendableEmail(envelope.recipient) },
    replyTo: sender.replyTo,
    subject: headerText(envelope.subject) || headerText(envelope.name),
    ...(envelope.formatted === undefined ? plainParts(envelope) : partsWithLayout(envelope, envelope.formatted)),
    date: new Date(now.epochMilliseconds),
    // RFC 3834: out-of-office programs do not reply to it. The references make Gmail show each mail as its own thread.
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Entity-Ref-ID': envelope.delivery_id,
      ...(unsubscribe && listHeaders(unsubscribe)),
    },
  };
}

type Sender = Pick<Mail, 'replyTo' | 'returnAddress'> & { address: string; domain: string };

const senders = new WeakMap<EmailConfig, Sender>();

/** The addresses of a channel, parsed once for all its mails. */
function senderOf(config: EmailConfig): Sender {
  const known = senders.get(config);
  if (known !== undefined) return known;
  const sender = {
    address: sendableEmail(config.from_email),
    domain: parseEmail(config.from_email)?.domain ?? 'localhost',
    replyTo: config.reply_to ? sendableEmail(config.reply_to) : undefined,
    returnAddress: config.return_address ? sendableEmail(config.return_address) : undefined,
  };
  senders.set(config, sender);
  return sender;
}

type MailParts = Pick<Mail, 'text' | 'html'>;

function plainParts(envelope: Envelope): MailParts {
  const { message, brand, unsubscribe } = envelope;
  const reason = reasonIn(envelope);
  return {
    text: withFooter(message, endOf(envelope)),
    html: mailHtml(message, {
      header: brand && brandLine(brand),
      footer: reason === null ? unsubscribe && footerLine(linkTo(unsubscribe)) : footerLine(escapeHtml(reason)),
    }),
  };
}

/** The line that says who sends a mail that nobody can leave, and why. */
const reasonIn = ({ required, company_name: company = '' }: Envelope): string | null =>
  required === undefined ? null : requiredLine({ company, why: required });

/** The last lines of the text: why nobody can leave it, or where to unsubscribe. */
function endOf(envelope: Envelope): string[] {
  const reason = reasonIn(envelope);
  if (reason !== null) return [reason];
  return envelope.unsubscribe ? [`Unsubscribe: ${envelope.unsubscribe.page}`] : [];
}

function partsWithLayout(envelope: Envelope, { html }: { html: string | null }): MailParts {
  const { message, brand = null, company_name: company = '', mail_style: style = plainStyle, unsubscribe } = envelope;
  const sender = [company, style.postalLine].filter((line) => line.trim() !== '');
  return {
    text: withFooter(message, [...sender, ...endOf(envelope)]),
    ...(html !== null && {
      html: mailPage({
        body: html,
        title: headerText(envelope.subject) || headerText(envelope.name),
        style,
        company,
        brand,
        unsubscribe: unsubscribe?.page ?? null,
        reason: reasonIn(envelope),
      }),
    }),
  };
}

const withFooter = (text: string, lines: readonly string[]) =>
  lines.length === 0 ? text : `${text}\n\n-- \n${lines.join('\n')}`;

/** Mail programs show these headers as a button: RFC 2369, section 3.2, and RFC 8058 for one click. Without a mailbox: no program would read it. */
export const listHeaders = ({ oneClick }: UnsubscribeLinks): Record<string, string> => ({
  'List-Unsubscribe': `<${oneClick}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Mail programs that show no pictures show the name alone. */
const brandLine = ({ name, logo }: Brand) =>
  logo === null
    ? ''
    : `<p style="margin-bottom: 24px"><img src="${escapeHtml(logo)}" alt="" height="40" style="vertical-align: middle; margin-right: 12px"><strong>${escapeHtml(name)}</strong></p>
`;

const linkTo = ({ page }: UnsubscribeLinks) => `<a href="${escapeHtml(page)}" style="color: #6b7280">Unsubscribe</a>`;

const footerLine = (html: string) => `<p style="margin-top: 32px; font-size: 12px">${html}</p>`;

/**
 * Joins lines for a header: a line break would begin another one. An invisible joiner is put into text that looks encoded (RFC 2047), so that it is
 * not decoded.
 */
export function headerText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ')
    .replaceAll('=?', '=\u2060?')
    .trim();
}
