import type { Envelope, UnsubscribeLinks } from '#delivery/adapter.ts';
import { mailNameOf } from './message-names.ts';
import type { EmailConfig } from './smtp.config.ts';

/** One mail to one recipient, before it is encoded. */
export type Mail = {
  /** With angle brackets; the same for every attempt, so that servers and mailboxes recognise a repetition. */
  messageId: string;
  /** As which servers report on it. */
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

/** A reminder as mail: the text as it is, and the same as simple HTML with links; below both, quietly, the way out. */
export function composeMail(envelope: Envelope, { config, now }: { config: EmailConfig; now: Temporal.Instant }): Mail {
  const domain = config.from_email.split('@').at(-1) ?? 'localhost';
  const { unsubscribe } = envelope;
  const name = mailNameOf({ deliveryId: envelope.delivery_id, jobId: envelope.job_id });
  return {
    messageId: `<${name}@${domain}>`,
    envelopeId: name,
    ...(config.return_address && { returnAddress: config.return_address }),
    from: { name: oneLine(config.from_name), address: config.from_email },
    to: { name: oneLine(envelope.recipient_name ?? ''), address: envelope.recipient },
    ...(config.reply_to && { replyTo: config.reply_to }),
    subject: oneLine(envelope.subject) || oneLine(envelope.name),
    text: unsubscribe ? `${envelope.message}\n\n-- \nUnsubscribe: ${unsubscribe.page}` : envelope.message,
    html: asHtml(envelope.message, unsubscribe && unsubscribeLine(unsubscribe)),
    date: new Date(now.epochMilliseconds),
    // RFC 3834: out-of-office programs do not answer it. Gmail threads mails apart by their reference.
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Entity-Ref-ID': envelope.delivery_id,
      ...(unsubscribe && listHeaders(unsubscribe, config)),
    },
  };
}

/** What mail programs make a button of: RFC 2369, section 3.2, and RFC 8058 for the one click. */
function listHeaders({ oneClick }: UnsubscribeLinks, { reply_to }: EmailConfig): Record<string, string> {
  const byMail = reply_to ? `, <mailto:${encodeURI(reply_to)}?subject=unsubscribe>` : '';
  return { 'List-Unsubscribe': `<${oneClick}>${byMail}`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

const unsubscribeLine = ({ page }: UnsubscribeLinks) =>
  `<p style="margin-top: 32px; font-size: 12px"><a href="${escapeHtml(page)}" style="color: #6b7280">Unsubscribe</a></p>`;

/**
 * A header holds one line: a line break in it would begin a header of the sender's choice. What looks encoded already
 * (RFC 2047) is kept from being decoded by an invisible joint.
 */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ')
    .replaceAll('=?', '=\u2060?')
    .trim();
}

export function asHtml(text: string, footer = ''): string {
  const body = text.split(/\r?\n/).map(withLinks).join('<br>\n');
  return `<!doctype html>
<html><head><meta charset="utf-8"></head>
<body style="font-family: sans-serif; font-size: 16px; line-height: 1.5">
<p>${body}</p>
${footer}</body></html>`;
}

function withLinks(line: string): string {
  return line
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/)
    .map((part, at) => (at % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`))
    .join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
