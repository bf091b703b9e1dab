import { createHash } from 'node:crypto';
import PostalMime, { type Attachment, type Email } from 'postal-mime';
import type { Report } from '#delivery/adapter.ts';
import { oneLine } from '#domain/one-line.ts';
import { type MailName, mailNameIn } from './message-names.ts';

/** The report is at the beginning of a bounce. The returned mail comes after it. */
const readBytes = 1024 * 1024;

/**
 * Parses a delivery report about a mail (RFC 3464, as multipart/report by RFC 6522). Every other mail yields nothing:
 * replies of people and out-of-office replies.
 */
export async function readBounce(raw: Buffer): Promise<Report[]> {
  const mail = await parseMail(raw.subarray(0, readBytes));
  const status = mail === null ? undefined : mail.attachments.find(isOfType(statusTypes));
  if (mail === null || status === undefined || !isReport(mail)) return [];
  const [ofMessage = new Map<string, string>(), ...recipients] = groupsIn(textOf(status));
  const name = nameIn(mail, ofMessage);
  // The first failure, else the first success: one recipient may be an alias with several deliveries.
  const actions = ['failed', 'delivered', 'relayed', 'delayed'].flatMap((action) =>
    recipients.filter((fields) => fields.get('action')?.toLowerCase() === action),
  );
  if (name === null || actions[0] === undefined) return [];
  const reportId = createHash('sha256')
    .update(mail.messageId ?? raw)
    .digest('base64url');
  return [reportOf(actions[0], { name, reportId })];
}

const statusTypes = ['message/delivery-status', 'message/global-delivery-status'];
const returnedTypes = [
  'message/rfc822',
  'text/rfc822-headers',
  'message/rfc822-headers',
  'message/global',
  'message/global-headers',
];

const isOfType =
  (types: readonly string[]) =>
  ({ mimeType }: Attachment) =>
    types.includes(mimeType);

/** Null for data that is not a mail, or that is built to be expensive to parse. */
async function parseMail(raw: Buffer): Promise<Email | null> {
  try {
    return await PostalMime.parse(raw, {
      maxNestingDepth: 16,
      maxHeadersSize: 256 * 1024,
      forceRfc822Attachments: true,
    });
  } catch {
    return null;
  }
}

function isReport(mail: Email): boolean {
  const type = headerIn(mail, 'content-type') ?? '';
  const kind = /\breport-type\s*=\s*"?([\w-]+)/i.exec(type)?.[1] ?? 'delivery-status';
  return /^\s*multipart\/report\b/i.test(type) && kind.toLowerCase() === 'delivery-status';
}

const headerIn = ({ headers }: Email, name: string) => headers.find(({ key }) => key === name)?.value;

const textOf = ({ content }: Attachment): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

/** The fields about the message, then those about each recipient, by their lower-case names. */
function groupsIn(text: string): Map<string, string>[] {
  return text
    .trim()
    .split(/\r?\n[ \t]*\r?\n\s*/)
    .slice(0, 100)
    .map((group) => new Map(unfolded(group).flatMap(fieldIn)));
}

const unfolded = (text: string) => text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);

function fieldIn(line: string): [string, string][] {
  const at = line.indexOf(':');
  return at < 1 ? [] : [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]];
}

/** Finds our name by the ENVID, by the Message-ID of the returned mail, or by the In-Reply-To of the report. */
function nameIn(mail: Email, ofMessage: ReadonlyMap<string, string>): MailName | null {
  const envelopeId = ofMessage.get('original-envelope-id');
  const named = envelopeId === undefined ? null : mailNameIn(fromXtext(envelopeId));
  return named ?? returnedName(mail) ?? mailNameIn(`${mail.inReplyTo ?? ''} ${mail.references ?? ''}`);
}

function returnedName(mail: Email): MailName | null {
  const returned = mail.attachments.find(isOfType(returnedTypes));
  // Some servers return headers as text.
  const text = returned === undefined ? (mail.text ?? '') : textOf(returned);
  const [head = ''] = returned === undefined ? [text] : text.split(/\r?\n\r?\n/, 1);
  const ids = unfolded(head).filter((line) => /^\s*message-id\s*:/i.test(line));
  return mailNameIn(ids.join(' '));
}

/** Decodes xtext (RFC 3461, section 4). */
const fromXtext = (text: string) =>
  text.replace(/\+([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

function reportOf(
  fields: ReadonlyMap<string, string>,
  { name, reportId }: { name: MailName; reportId: string },
): Report {
  const of = { id: mailIdOf(name), ...name };
  const words = wordsIn(fields);
  const action = fields.get('action')?.toLowerCase();
  if (action === 'failed')
    return { kind: 'failed', ...of, reportId, reason: `Bounced: ${words}`, hasNoMailbox: hasNoMailbox(fields, words) };
  return action === 'delayed' ? { kind: 'delayed', ...of, words: `Delayed: ${words}` } : { kind: 'delivered', ...of };
}

/** The delivery id, because reports do not contain the receipt of a mail, which is the server's queue id. */
const mailIdOf = ({ deliveryId }: MailName) => deliveryId;

/** The server's own text, without the code that begins each of its lines. */
function wordsIn(fields: ReadonlyMap<string, string>): string {
  const diagnostic = (fields.get('diagnostic-code') ?? '').replace(/^\s*[\w.-]+\s*;/, '');
  const words = oneLine(diagnostic.replaceAll('\0', ''))
    .replace(/^(\d{3})-/, '$1 ')
    .replaceAll(/ \d{3}[- ]\d\.\d{1,3}\.\d{1,3}(?= )/g, '');
  return (words || `status ${fields.get('status') ?? 'unknown'}`).slice(0, 500);
}

/**
 * There is no such mailbox or domain, or it accepts no mail (RFC 3463, section 3.2, 3.3; RFC 7505): writing again would
 * harm the sender's reputation. The other 5.1 codes are about the sender's address.
 */
const noMailbox = /^5\.(?:1\.(?:1|2|3|6|10)|2\.1)$/;

function hasNoMailbox(fields: ReadonlyMap<string, string>, words: string): boolean {
  const status = /^\d\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? '';
  // Exim reports 5.0.0 for everything; the real status is in the other server's text.
  const exact =
    status === '' || status.endsWith('.0.0') ? (/\b5\.\d{1,3}\.\d{1,3}\b/.exec(words)?.[0] ?? status) : status;
  return noMailbox.test(exact);
}
