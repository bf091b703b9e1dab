import { parsePhoneNumberFromString } from 'libphonenumber-js';

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Not within a word. In the text of JSON a line break is the two characters `\n`. */
const begins = (word: string) => `(?:(?<![${word}])|(?<=\\\\[nrtbf]))`;

/** Between the digits of a number as people write it. */
const gap = String.raw`[\s().\/-]{0,3}`;
const spaced = (digits: string) => digits.split('').map(escaped).join(gap);

/** A number with its country, and as it is dialled within it. */
function numberPattern(number: string): string {
  const found = parsePhoneNumberFromString(number);
  if (found === undefined) return spaced(number.replace(/^\+/, ''));
  const { countryCallingCode: country, nationalNumber } = found;
  // Many countries have no prefix within them; a shorter number could be anything.
  const isLong = nationalNumber.length >= 8;
  return `(?:(?:\\+|00)${gap}${spaced(country)}${gap}(?:\\(0\\)${gap})?|0|${spaced(country)})${isLong ? '?' : ''}${gap}${spaced(nationalNumber)}`;
}

/**
 * A regular expression of PostgreSQL that finds these addresses and numbers in a text, whole and however numbers are spaced, to be
 * used without regard to case. Each alternative is a literal with bounded gaps, so that the work is linear.
 */
export function personPattern(spellings: readonly string[]): string {
  const parts = spellings.map((text) =>
    /^\+\d+$/.test(text)
      ? `(?<!\\d)${numberPattern(text)}(?!\\d)`
      : `${begins('[:alnum:]._%+-')}${escaped(text)}(?![[:alnum:]_-]|\\.[[:alnum:]])`,
  );
  return parts.join('|');
}

/** Whole names of at least two words, as regular expressions of PostgreSQL: a single word names too many things. */
export const namesPattern = (names: readonly string[]): string[] =>
  names
    .map((name) => name.trim())
    .filter((name) => /\S\s+\S/.test(name))
    .map((name) => `${begins('[:alnum:]')}${escaped(quoted(name))}(?![[:alnum:]])`);

/** Names of one word of at least three letters, to be used with regard to case: texts that have them are listed, and not changed. Null where there are none. */
export const oneWordPattern = (names: readonly string[]): string | null => {
  const single = names.map((name) => name.trim()).filter((name) => /^\p{L}[^\s]{2,}$/u.test(name));
  return single.length === 0
    ? null
    : single.map((word) => `${begins('[:alnum:]')}${escaped(quoted(word))}(?![[:alnum:]])`).join('|');
};

/** What `gap` may be between digits. */
export const gaps =
  ' \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000().-/';
const withoutGaps = (text: string) =>
  Array.from(text)
    .filter((sign) => !gaps.includes(sign))
    .join('');

/** What a text without gaps has, as patterns of LIKE, where it has one of these addresses, numbers or names, or this text. */
export const literalsOf = (spellings: readonly string[], others: readonly string[]): string[] =>
  [
    ...spellings.map((text) => (/^\+\d+$/.test(text) ? nationalOf(text) : text)),
    ...others.map((text) => quoted(text.trim())),
  ]
    .map(withoutGaps)
    .filter((text) => text !== '')
    .map((text) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`);

const nationalOf = (number: string): string =>
  parsePhoneNumberFromString(number)?.nationalNumber ?? number.replace(/^\+/, '');

/** As texts of JSON have it, of which a quotation mark alone is no part. */
const quoted = (name: string) => JSON.stringify(name).slice(1, -1);
