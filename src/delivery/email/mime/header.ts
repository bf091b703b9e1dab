import { encodedWords } from './encoded-words.ts';
import { longestLine } from './quoted-printable.ts';

/** A header with free text, such as the subject. */
export function textHeader(name: string, text: string): string {
  const line = withoutControls(text);
  return isPlain(line) ? fold(`${name}: ${line}`) : `${name}: ${encodedWords(line, name.length + 2)}`;
}

/** A header with a structured value, such as ids or addresses of lists, all in printable ASCII. */
export const valueHeader = (name: string, value: string): string =>
  fold(`${name}: ${value.replace(/[^\x21-\x7e]+/g, ' ').trim()}`);

/** Removes line breaks and other control characters: a line break would begin another header. */
export const withoutControls = (text: string): string =>
  /[\0-\x1f\x7f]/.test(text) ? text.replace(/[\0-\x1f\x7f]+/g, ' ') : text;

/** Whether the text needs no encoding: words of printable ASCII that fit into a line, with one space between them. */
export const isPlain = (text: string): boolean =>
  /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(text) &&
  !text.includes('=?') &&
  (text.length <= longestWord || text.split(' ').every((word) => word.length <= longestWord));

const longestWord = 70;

/** Breaks a header before spaces into short lines (RFC 5322, section 2.2.3). A longer word gets its own line. */
export function fold(header: string): string {
  if (header.length <= longestLine) return header;
  let folded = '';
  let start = 0;
  // The first word stays on the line of the header's name.
  let earliest = header.indexOf(' ') + 1;
  while (header.length - start > longestLine) {
    let end = header.lastIndexOf(' ', start + longestLine);
    if (end <= earliest) end = header.indexOf(' ', start + longestLine);
    if (end === -1) break;
    folded += `${header.slice(start, end)}\r\n`;
    start = end;
    earliest = end;
  }
  return folded + header.slice(start);
}
