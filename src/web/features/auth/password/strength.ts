import { commonPasswords } from './common-passwords.ts';

export type Strength = { level: 'common' | 'weak' | 'fair' | 'strong'; advice: string };

const common = new Set(commonPasswords);
/** How many characters are examined: the server accepts no longer password. */
const most = 200;

/**
 * A rough estimate of how hard a password is to guess: common passwords and patterns first, then its length and variety.
 * @param own what is known of the person, such as name and address
 */
export function strengthOf(password: string, own: readonly string[] = []): Strength {
  const text = password.slice(0, most).toLowerCase();
  if (isCommon(text)) return { level: 'common', advice: 'It is one of the passwords that are tried first.' };
  if (own.some((known) => partsOf(known).some((part) => text.includes(part))))
    return { level: 'weak', advice: 'It contains your name or address, which others know.' };
  const bits = effectiveLength(text) * Math.log2(alphabetOf(password.slice(0, most)));
  if (bits < 40) return { level: 'weak', advice: 'It is easy to guess. Three or four unusual words are harder.' };
  if (bits < 60) return { level: 'fair', advice: 'A few more characters, or one more word, make it strong.' };
  return { level: 'strong', advice: 'Use it here only.' };
}

/** Whether it is a common password, also with digits in place of letters, backwards, and with digits and signs around it. */
function isCommon(text: string): boolean {
  const begun = [text, withoutEnd(text), text.split('').toReversed().join('')];
  const spellings = begun.flatMap((spelling) => {
    const plain = inLetters(spelling);
    return [spelling, plain, plain.replaceAll(/[1!]/g, 'i')];
  });
  return spellings.some((spelling) => common.has(spelling) || common.has(bare(spelling)));
}

const inLetters = (text: string): string =>
  text.replaceAll(/[@4]/g, 'a').replaceAll('3', 'e').replaceAll('0', 'o').replaceAll(/[$5]/g, 's');

/** Without digits and signs at both ends; null for what is too short then to compare. */
function bare(text: string): string {
  const letters = withoutEnd(withoutEnd(text).split('').toReversed().join('')).split('').toReversed().join('');
  return letters.length < 4 ? text : letters;
}

function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && !/[a-z]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const partsOf = (known: string): string[] =>
  known
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length >= 4);

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
];

/** The length without characters that repeat or continue the one before, in the alphabet or on the keyboard. */
function effectiveLength(text: string): number {
  const isExpected = (index: number) => {
    const pair = text.slice(index - 1, index + 1);
    const reversed = pair.split('').toReversed().join('');
    return pair[0] === pair[1] || rows.some((row) => row.includes(pair) || row.includes(reversed));
  };
  let length = 0;
  for (let index = 0; index < text.length; index += 1) length += index > 0 && isExpected(index) ? 0.3 : 1;
  // Repeated characters do not add to the difficulty.
  return Math.min(length, 2.5 * new Set(text).size);
}

function alphabetOf(password: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/[0-9]/, 10],
    [/[^a-zA-Z0-9]/, 33],
  ];
  return kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0) || 1;
}
