import { LRUCache } from 'lru-cache';
import { isMostlyAscii } from './body.ts';
import { longestLine, sizeOfKept } from './quoted-printable.ts';

/**
 * Encodes a header's text as words of at most 75 characters, one for each line (RFC 2047).
 * @param column where the first word begins
 */
export function encodedWords(text: string, column: number): string {
  if (text.length > longestKept) return encode(text, column);
  const key = `${column} ${text}`;
  const known = encodedTexts.get(key);
  if (known !== undefined) return known;
  const encoded = encode(text, column);
  encodedTexts.set(key, encoded);
  return encoded;
}

const longestKept = 1_000;

/** Cached, because thousands of mails have the same subject and sender. */
const encodedTexts = new LRUCache<string, string>({ maxSize: 500_000, sizeCalculation: sizeOfKept });

function encode(text: string, column: number): string {
  const { capacity, sizeOf, word } = isMostlyAscii(text) ? quoted : base64;
  const written = text.toWellFormed();
  const words: string[] = [];
  let start = 0;
  let size = 0;
  let left = capacity(longestLine - column);
  for (let at = 0; at < written.length; ) {
    const code = written.codePointAt(at) ?? 0;
    const more = sizeOf(code);
    // A word ends before a character that does not fit: none is divided.
    if (size + more > left && at > start) {
      words.push(word(written.slice(start, at)));
      start = at;
      size = 0;
      // The line after it begins with a space.
      left = capacity(longestLine - 1);
    }
    size += more;
    at += code > 0xffff ? 2 : 1;
  }
  words.push(word(written.slice(start)));
  return words.join('\r\n ');
}

const frame = '=?UTF-8?Q??='.length;

/** Characters that need no encoding, even within the name of an address (RFC 2047, section 5, rule 3). */
const wordCharacter = /[A-Za-z0-9!*+\-/]/;
const isWordCharacter = new Uint8Array(128).map((_, code) => Number(wordCharacter.test(String.fromCharCode(code))));
const space = 0x20;

/** Quoted-printable words; their size is counted in characters. */
const quoted = {
  capacity: (columns: number) => columns - frame,
  sizeOf: (code: number) => (isWordCharacter[code] === 1 || code === space ? 1 : 3 * bytesOf(code)),
  word: (text: string) => `=?UTF-8?Q?${text.replace(/[^A-Za-z0-9!*+\-/]/gu, quotedCharacter)}?=`,
};

const hexOf = (character: string) => Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '=$&');
const quotedAscii = Array.from({ length: 128 }, (_, code) => (code === space ? '_' : hexOf(String.fromCharCode(code))));
const quotedCharacter = (character: string) => quotedAscii[character.charCodeAt(0)] ?? hexOf(character);

/** Base64 words; their size is counted in bytes. */
const base64 = {
  capacity: (columns: number) => Math.floor((columns - frame) / 4) * 3,
  sizeOf: bytesOf,
  word: (text: string) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`,
};

/** The number of bytes of a character in UTF-8. */
function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
