import { randomUUIDv7 } from 'node:crypto';
import PostalMime, { decodeWords, type Email } from 'postal-mime';
import type { SMTPServerSession } from 'smtp-server';
import { type SandboxMessage, storable } from './intake.ts';

/** The user name for Cuebird's own mail (verification, password reset) instead of a workspace. */
export const accountMail = 'account';

/** Converts a mail's source and envelope into a stored message. */
export async function readMail(
  raw: Buffer,
  { session, now }: { session: SMTPServerSession; now: Temporal.Instant },
): Promise<SandboxMessage> {
  const mail = await PostalMime.parse(raw);
  const username = String(session.user);
  return {
    id: randomUUIDv7(),
    workspace_id: username === accountMail ? null : username,
    channel: 'email',
    provider: null,
    sender: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
    recipient: session.envelope.rcptTo.map(({ address }) => address).join(', '),
    subject: storable(mail.subject ?? ''),
    text: storable(mail.text ?? ''),
    html: mail.html === undefined ? null : storable(mail.html),
    headers: headersOf(mail),
    raw: null,
    segments: null,
    callback_url: null,
    reply_to: null,
    raw_size: raw.length,
    received_at: now.toString(),
  };
}

/** Headers with several lines are joined; encoded words (RFC 2047) are decoded. */
function headersOf({ headers }: Email): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const { key, value } of headers) {
    const text = storable(decodeWords(value));
    kept[key] = kept[key] === undefined ? text : `${kept[key]}, ${text}`;
  }
  return kept;
}
