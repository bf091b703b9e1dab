import type { Mail } from '#delivery/adapter.ts';
import { base64, type Body, boundaryMark, encodeBody } from './body.ts';
import { textHeader, valueHeader } from './header.ts';
import { mailboxHeader } from './mailbox.ts';

/** Not random, because no encoded body contains its beginning. */
const boundary = `${boundaryMark}alternative`;

/** Around the text and a file. */
const outerBoundary = `${boundaryMark}mixed`;

/** The bytes of a mail (RFC 5322): lines of ASCII with CRLF. Only addresses may have other letters (RFC 6532). */
export function mimeMessage(mail: Mail): Buffer {
  const { from, to, replyTo, subject, messageId, date, headers, attachment } = mail;
  const lines = [mailboxHeader('From', from), mailboxHeader('To', to)];
  if (replyTo !== undefined) lines.push(mailboxHeader('Reply-To', { name: '', address: replyTo }));
  if (subject !== '') lines.push(textHeader('Subject', subject));
  lines.push(valueHeader('Message-ID', messageId), `Date: ${date.toUTCString().replace('GMT', '+0000')}`);
  for (const [name, value] of Object.entries(headers)) lines.push(valueHeader(name, value));
  lines.push('MIME-Version: 1.0');
  if (attachment === undefined) lines.push(...content(mail));
  else {
    lines.push(`Content-Type: multipart/mixed; boundary="${outerBoundary}"`, '');
    lines.push(`--${outerBoundary}`, ...content(mail));
    lines.push(`--${outerBoundary}`, ...filePart(attachment), `--${outerBoundary}--`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n`);
}

function content({ text, html }: Mail): string[] {
  if (html === undefined) return part('plain', encodeBody(text));
  return [
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    ...part('plain', encodeBody(text)),
    `--${boundary}`,
    ...part('html', encodeBody(html)),
    `--${boundary}--`,
  ];
}

const filePart = ({ name, mediaType, content: text }: NonNullable<Mail['attachment']>) => [
  `Content-Type: ${mediaType}; charset=utf-8; name="${name}"`,
  'Content-Transfer-Encoding: base64',
  `Content-Disposition: attachment; filename="${name}"`,
  '',
  base64(text),
];

const part = (subtype: 'plain' | 'html', { encoding, text }: Body) => [
  `Content-Type: text/${subtype}; charset=utf-8`,
  `Content-Transfer-Encoding: ${encoding}`,
  '',
  text,
];
