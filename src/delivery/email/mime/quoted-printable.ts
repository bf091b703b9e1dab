import { LRUCache } from 'lru-cache';

/** The longest line, including the `=` of a soft line break (RFC 2045, section 6.7). */
export const longestLine = 76;

/** Encodes lines without their ends. Cached, because mails of one message share most lines. */
export const quotedPrintable = (lines: readonly string[]): string => lines.map(encodedLine).join('\r\n');

/** Longer lines are not cached, so that a few of them do not fill the cache. */
const longestKept = 2_000;

/** Keyed by the line itself, not by a hash, so that no mail can get another's text. */
const encodedLines = new LRUCache<string, string>({ maxSize: 2_000_000, sizeCalculation: sizeOfKept });

/** The memory of an entry with its two strings: for short lines it is ten times their length. */
export function sizeOfKept(encoded: string, text: string): number {
  return encoded.length + text.length + 200;
}

const literals = /^[\t\x20-\x3c\x3e-\x7e]*$/;
const space = 0x20;
const tab = 0x09;

function encodedLine(line: string): string {
  if (line.length <= longestLine && literals.test(line) && !line.endsWith(' ') && !line.endsWith('\t')) return line;
  if (line.length > longestKept) return encode(Buffer.from(line));
  const known = encodedLines.get(line);
  if (known !== undefined) return known;
  const bytes = Buffer.from(line);
  const encoded = encode(bytes);
  // A copy, because a slice would keep the whole text in memory.
  encodedLines.set(bytes.toString(), encoded);
  return encoded;
}

const isLiteral = new Uint8Array(256).map((_, byte) => Number(literals.test(String.fromCharCode(byte))));
const hexadecimal = Buffer.from('0123456789ABCDEF');

/** @param bytes a line in UTF-8 */
function encode(bytes: Buffer): string {
  // The most that can be needed: three characters for each byte, and three for a soft line break at least every 64 characters.
  const written = Buffer.allocUnsafe(bytes.length * 4);
  let size = 0;
  let column = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    const isSpaceAtEnd = (byte === space || byte === tab) && at === bytes.length - 1;
    const isUnchanged = isLiteral[byte] === 1 && !isSpaceAtEnd;
    const length = isUnchanged ? 1 : charLength(byte);
    const width = isUnchanged ? 1 : length * 3;
    // Breaks the line before a character that does not fit: none is divided.
    if (column + width >= longestLine) {
      written[size++] = 0x3d;
      written[size++] = 0x0d;
      written[size++] = 0x0a;
      column = 0;
    }
    column += width;
    if (isUnchanged) {
      written[size++] = byte;
      at += 1;
      continue;
    }
    for (const end = at + length; at < end; at += 1) {
      const code = bytes[at] ?? 0;
      written[size++] = 0x3d;
      written[size++] = hexadecimal[code >> 4] ?? 0;
      written[size++] = hexadecimal[code & 15] ?? 0;
    }
  }
  return written.toString('latin1', 0, size);
}

/** The number of bytes of a character, from its first one (RFC 3629, section 3). */
function charLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
