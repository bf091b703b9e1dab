import { longestLine, quotedPrintable } from './quoted-printable.ts';

/** The encoded text of a part of a mail: ASCII with CRLF line ends. */
export type Body = { encoding: '7bit' | 'quoted-printable' | 'base64'; text: string };

/** The beginning of every boundary, which encoded text never contains (RFC 2045, section 6.7). */
export const boundaryMark = '=_';

const readable = /^[\t\n\r\x20-\x7e]*$/;

/** Encodes a text so that it stays readable if its characters are mostly ASCII. */
export function encodeBody(text: string): Body {
  const lines = text.includes('\r') ? text.split(/\r\n|\r|\n/) : text.split('\n');
  if (readable.test(text) && lines.every((line) => line.length <= longestLine) && !text.includes(boundaryMark))
    return { encoding: '7bit', text: lines.join('\r\n') };
  return isMostlyAscii(text)
    ? { encoding: 'quoted-printable', text: quotedPrintable(lines) }
    : { encoding: 'base64', text: base64(lines.join('\r\n')) };
}

/** An estimate: a character beyond ASCII takes one or two more bytes than it has units. */
export const isMostlyAscii = (text: string): boolean => 4 * (Buffer.byteLength(text) - text.length) < text.length;

export const base64 = (text: string) =>
  Buffer.from(text)
    .toString('base64')
    .replace(/.{76}(?=.)/g, '$&\r\n');
