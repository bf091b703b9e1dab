/**
 * Marks where a value stands in a rendered text, so that no value is ever read as Markdown. The marks are
 * noncharacters, which are for internal use and in no text (Unicode, section 23.7).
 */
const opening = '\ufdd0';
const closing = '\ufdd1';
const digitZero = 0xfde0;

const reserved = /[\ufdd0-\ufdef]/g;
const values = /\ufdd0([^\ufdd0\ufdd1]*)\ufdd1/;

/** A value as it is written into a text with marked values. */
export const markedValue = (value: string): string => (value === '' ? '' : opening + unmarked(value) + closing);

/** The text without marks. */
export const unmarked = (text: string): string => text.replace(reserved, '');

/** The text with a numbered slot for each value: for all recipients of a message it is the same. */
export type Slotted = { source: string; values: readonly string[] };

export function slotted(text: string): Slotted {
  const [first = '', ...others] = text.split(values);
  const found: string[] = [];
  let source = unmarked(first);
  for (let at = 0; at < others.length; at += 2) {
    source += slotOf(found.length) + unmarked(others[at + 1] ?? '');
    found.push(others[at] ?? '');
  }
  return { source, values: found };
}

const slotOf = (index: number) => token(opening, index);

/** `kind` is a character of the reserved range, which tells what the number is for. */
export const token = (kind: string, index: number): string =>
  kind + Array.from(String(index), (digit) => String.fromCharCode(digitZero + Number(digit))).join('') + closing;

/** Matches tokens, with their kind and number. */
export const tokens = /([\ufdd0\ufdd2-\ufdd5])([\ufde0-\ufde9]+)\ufdd1/g;

export const hasToken = (text: string): boolean => text.includes(opening);

/** The number of a token. */
export const numberOf = (digits: string): number =>
  Number(Array.from(digits, (digit) => digit.charCodeAt(0) - digitZero).join(''));

/** The text with its values instead of their slots. */
export const withValues = (text: string, filled: readonly string[]): string =>
  hasToken(text) ? text.replace(tokens, (_, __, digits: string) => filled[numberOf(digits)] ?? '') : text;
