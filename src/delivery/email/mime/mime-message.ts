import type { Mail } from '#delivery/adapter.ts';
import { type Body, boundaryMark, encodeBody } from './body.ts';
import { textHeader, valueHeader } from './header.ts';
import { mailboxHeader } from './mailbox.ts';

/** Not random, because no encoded body contains its beginning. */
const boundary = `${boundaryMark}alternative`;

/** The bytes of a mail (RFC 5322): lines of ASCII with CRLF. Only addresses may have other letters (RFC 6532). */
export function mimeMessage({ from, to, replyTo, subject, messageId, date, headers, text, html }: Mail): Buffer {
  const lines = [mailboxHeader('From', from), mailboxHeader('To', to)];
  if (replyTo !== undefined) lines.push(mailboxHeader('Reply-To', { name: '', address: replyTo }));
  if (subject !== '') lines.push(textHeader('Subject', subject));
  lines.push(valueHeader('Message-ID', messageId), `Date: ${date.toUTCString().replace('GMT', '+0000')}`);
  for (const [name, value] of Object.entries(headers)) lines.push(valueHeader(name, value));
  lines.push('MIME-Version: 1.0');
  if (html === undefined) lines.push(...part('plain', encodeBody(text)));
  else {
    lines.push(`Content-Type: multipart/alternative; boundary="${boundary}"`, '');
    lines.push(`--${boundary}`, ...part('plain', encodeBody(text)));
    lines.push(`--${boundary}`, ...part('html', encodeBody(html)), `--${boundary}--`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n`);
}

const part = (subtype: 'plain' | 'html', { encoding, text }: Body) => [
  `Content-Type: text/${subtype}; charset=utf-8`,
  `Content-Transfer-Encoding: ${encoding}`,
  '',
  text,
];
