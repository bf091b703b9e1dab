import { encodedWords } from './encoded-words.ts';
import { longestLine } from './quoted-printable.ts';

/** A header with free text, such as the subject. */
export function textHeader(name: string, text: string): string {
  const line = withoutControls(text);
  return isPlain(line) ? fold(`${name}: ${line}`) : `${name}: ${encodedWords(line, name.length + 2)}`;
}

/** A header with a value of its own grammar, which has no other characters than printable ASCII: ids, addresses of lists. */
export const valueHeader = (name: string, value: string): string =>
  fold(`${name}: ${value.replace(/[^\x21-\x7e]+/g, ' ').trim()}`);

/** A line break would begin another header. */
export const withoutControls = (text: string): string =>
  /[\0-\x1f\x7f]/.test(text) ? text.replace(/[\0-\x1f\x7f]+/g, ' ') : text;

/** Whether mail programs read the text as it is: words of printable ASCII that fit into a line, with one space between them. */
export const isPlain = (text: string): boolean =>
  /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(text) &&
  !text.includes('=?') &&
  (text.length <= longestWord || text.split(' ').every((word) => word.length <= longestWord));

const longestWord = 70;

/** Breaks a header before spaces, so that its lines are short (RFC 5322, section 2.2.3). A longer word has its own line. */
export function fold(header: string): string {
  if (header.length <= longestLine) return header;
  let folded = '';
  let start = 0;
  // The first word stays in the line of the name.
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
