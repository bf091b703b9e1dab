import { createHash } from 'node:crypto';
import type { Report } from '#delivery/adapter.ts';
import { oneLine } from '#domain/one-line.ts';
import { type MailName, mailNameIn } from './message-names.ts';
import { contentOf, fieldGroupsIn, type MimeEntity, readMime } from './mime-reader.ts';

/** The report is at the beginning of a bounce. The returned mail comes after it. */
const bounds = { bytes: 1024 * 1024, lines: 20_000, fieldLines: 5_000, parts: 100, depth: 3 };
const mostRecipients = 100;

type Mail = MimeEntity & { parts: MimeEntity[] };

/**
 * Parses a delivery report about a mail (RFC 3464, as multipart/report by RFC 6522). Every other mail yields nothing:
 * replies of people and out-of-office replies.
 */
export function readBounce(raw: Buffer): Report[] {
  const mail = readMime(raw, bounds);
  const status = mail.parts.find(isOfType(statusTypes));
  if (status === undefined || !isReport(mail)) return [];
  const [ofMessage = new Map<string, string>(), ...recipients] = fieldGroupsIn(contentOf(status), mostRecipients);
  const name = nameIn(mail, ofMessage);
  // The first failure, else the first success: one recipient may be an alias with several deliveries.
  const actions = ['failed', 'delivered', 'relayed', 'delayed'].flatMap((action) =>
    recipients.filter((fields) => fields.get('action')?.toLowerCase() === action),
  );
  if (name === null || actions[0] === undefined) return [];
  const reportId = createHash('sha256')
    .update(mail.fields.get('message-id') ?? raw)
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
  ({ type }: MimeEntity) =>
    types.includes(type.value);

const isReport = ({ type: { value, parameters } }: Mail): boolean =>
  value === 'multipart/report' &&
  (parameters.get('report-type') ?? 'delivery-status').toLowerCase() === 'delivery-status';

/** Finds our name by the ENVID, by the Message-ID of the returned mail, or by the In-Reply-To of the report. */
function nameIn(mail: Mail, ofMessage: ReadonlyMap<string, string>): MailName | null {
  const envelopeId = ofMessage.get('original-envelope-id');
  const named = envelopeId === undefined ? null : mailNameIn(fromXtext(envelopeId));
  const { fields } = mail;
  return (
    named ?? returnedName(mail) ?? mailNameIn(`${fields.get('in-reply-to') ?? ''} ${fields.get('references') ?? ''}`)
  );
}

function returnedName({ parts }: Mail): MailName | null {
  const returned = parts.find(isOfType(returnedTypes));
  const [head] = returned === undefined ? [] : fieldGroupsIn(contentOf(returned), 1);
  if (returned !== undefined) return mailNameIn(head?.get('message-id') ?? '');
  // Some servers return headers as text.
  const texts = parts
    .filter(isOfType(['text/plain']))
    .flatMap((part) => fieldGroupsIn(contentOf(part), mostRecipients));
  return mailNameIn(texts.flatMap((fields) => fields.get('message-id') ?? []).join(' '));
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
