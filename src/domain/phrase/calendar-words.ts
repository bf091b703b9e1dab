/** ISO: Monday is 1. */
const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const monthNames = 'January February March April May June July August September October November December'.split(' ');
const ordinalWords = ['first', 'second', 'third', 'fourth', 'fifth'];
const amountWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Sources of regular expressions, for `phrase`. */
export const weekday =
  '(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)';
export const month = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`;
export const ordinal = `(?:${ordinalWords.join('|')}|last|[1-5](?:st|nd|rd|th))`;
export const amount = String.raw`(?:\d{1,6}|an?|${amountWords.join('|')})`;
export const dayOrdinal = String.raw`\d{1,2}(?:st|nd|rd|th)`;

const indexIn = (names: readonly string[], word: string) =>
  names.findIndex((name) => name.slice(0, 3).toLowerCase() === word.trim().slice(0, 3).toLowerCase()) + 1;

export const weekdayOf = (word: string) => indexIn(weekdayNames, word);
export const monthOf = (word: string) => indexIn(monthNames, word);

/** `first`, `2nd`, `last`. */
export function ordinalOf(word: string): number | 'last' {
  const text = word.trim().toLowerCase();
  if (text === 'last') return 'last';
  return ordinalWords.includes(text) ? ordinalWords.indexOf(text) + 1 : Number.parseInt(text, 10);
}

/** `3`, `three`, `a`. */
export function amountOf(word: string | undefined): number {
  const text = (word ?? 'one').trim().toLowerCase();
  if (/^\d+$/.test(text)) return Number(text);
  return Math.max(1, amountWords.indexOf(text) + 1);
}

export const weekdayName = (isoDay: number) => weekdayNames[isoDay - 1] ?? '';
export const monthName = (number: number) => monthNames[number - 1] ?? '';
export const cronWeekday = (isoDay: number) => weekdayName(isoDay).slice(0, 3).toUpperCase();

/** `Wednesday, 3 March 2027`: the day before the month's name, so that it cannot be misread. */
export const dateInWords = (date: Temporal.PlainDate) =>
  `${weekdayName(date.dayOfWeek)}, ${date.day} ${monthName(date.month)} ${date.year}`;

/** `first`, `last`. */
export const ordinalName = (number: number | 'last') =>
  number === 'last' ? number : (ordinalWords[number - 1] ?? nth(number));

export function nth(number: number): string {
  if (number % 100 >= 11 && number % 100 <= 13) return `${number}th`;
  return `${number}${['th', 'st', 'nd', 'rd'][number % 10] ?? 'th'}`;
}

/** `a, b and c`. */
export function listed(words: readonly string[]): string {
  const [last, ...before] = words.toReversed();
  return before.length === 0 ? (last ?? '') : `${before.toReversed().join(', ')} and ${last}`;
}
