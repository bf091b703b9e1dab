import { parseEmail, sendableEmail } from '#contract/email-address.ts';
import type { Envelope, UnsubscribeLinks } from '#delivery/adapter.ts';
import { webAddresses } from '#domain/web-addresses.ts';
import { mailNameOf } from './message-names.ts';
import type { EmailConfig } from './smtp.config.ts';

/** One mail to one recipient, before it is encoded. */
export type Mail = {
  /** With angle brackets. The same for every attempt, so that servers and mailboxes recognise a duplicate. */
  messageId: string;
  /** The name under which servers report on it. */
  envelopeId?: string;
  from: { name: string; address: string };
  to: { name: string; address: string };
  /** Where answers go, if not to the sender. */
  replyTo?: string;
  /** Where bounces go, if not to the sender. */
  returnAddress?: string;
  subject: string;
  text: string;
  html: string;
  date: Date;
  headers: Record<string, string>;
};

/**
 * Builds the mail of a reminder: plain text and the same as simple HTML with links, both with an unsubscribe footer.
 */
export function composeMail(envelope: Envelope, { config, now }: { config: EmailConfig; now: Temporal.Instant }): Mail {
  const domain = parseEmail(config.from_email)?.domain ?? 'localhost';
  const { unsubscribe } = envelope;
  const name = mailNameOf({ deliveryId: envelope.delivery_id, jobId: envelope.job_id });
  return {
    messageId: `<${name}@${domain}>`,
    envelopeId: name,
    ...(config.return_address && { returnAddress: sendableEmail(config.return_address) }),
    from: {
      name: headerText(config.from_name || (envelope.company_name ?? '')),
      address: sendableEmail(config.from_email),
    },
    to: { name: headerText(envelope.recipient_name ?? ''), address: sendableEmail(envelope.recipient) },
    ...(config.reply_to && { replyTo: sendableEmail(config.reply_to) }),
    subject: headerText(envelope.subject) || headerText(envelope.name),
    text: unsubscribe ? `${envelope.message}\n\n-- \nUnsubscribe: ${unsubscribe.page}` : envelope.message,
    html: mailHtml(envelope.message, {
      header: envelope.brand && brandLine(envelope.brand),
      footer: unsubscribe && unsubscribeLine(unsubscribe),
    }),
    date: new Date(now.epochMilliseconds),
    // RFC 3834: out-of-office programs do not reply to it. The references make Gmail show each mail as its own thread.
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Entity-Ref-ID': envelope.delivery_id,
      ...(unsubscribe && listHeaders(unsubscribe, config)),
    },
  };
}

/** Mail programs show these headers as a button: RFC 2369, section 3.2, and RFC 8058 for one click. */
function listHeaders({ oneClick }: UnsubscribeLinks, { reply_to }: EmailConfig): Record<string, string> {
  const byMail = reply_to ? `, <mailto:${encodeURI(reply_to)}?subject=unsubscribe>` : '';
  return { 'List-Unsubscribe': `<${oneClick}>${byMail}`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** Mail programs that show no pictures show the name alone. */
const brandLine = ({ name, logo }: NonNullable<Envelope['brand']>) =>
  `<p style="margin-bottom: 24px"><img src="${escapeHtml(logo)}" alt="" height="40" style="vertical-align: middle; margin-right: 12px"><strong>${escapeHtml(name)}</strong></p>
`;

const unsubscribeLine = ({ page }: UnsubscribeLinks) =>
  `<p style="margin-top: 32px; font-size: 12px"><a href="${escapeHtml(page)}" style="color: #6b7280">Unsubscribe</a></p>`;

/**
 * Joins lines for a header, because a line break would begin another header. An invisible joiner keeps text that looks
 * encoded (RFC 2047) from being decoded.
 */
export function headerText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ')
    .replaceAll('=?', '=\u2060?')
    .trim();
}

export function mailHtml(
  text: string,
  { header = '', footer = '' }: { header?: string; footer?: string } = {},
): string {
  const body = text.split(/\r?\n/).map(withLinks).join('<br>\n');
  return `<!doctype html>
<html><head><meta charset="utf-8"></head>
<body style="font-family: sans-serif; font-size: 16px; line-height: 1.5">
${header}<p>${body}</p>
${footer}</body></html>`;
}

function withLinks(line: string): string {
  return line
    .split(webAddresses)
    .map((part, at) => (at % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`))
    .join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
