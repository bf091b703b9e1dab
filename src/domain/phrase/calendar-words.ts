/** ISO: Monday is 1. */
const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const monthNames = 'January February March April May June July August September October November December'.split(' ');
const ordinalWords = ['first', 'second', 'third', 'fourth', 'fifth'];
const amountWords = new Map<string, number>(
  'a an one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety'
    .split(' ')
    .map((word, at) => [word, [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 20, 30, 40, 50, 60, 90][at] ?? 1]),
);

/** Sources of regular expressions, for `phrase`. */
export const weekday =
  '(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)';
export const month = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`;
export const ordinal = `(?:${ordinalWords.join('|')}|last|[1-5](?:st|nd|rd|th))`;
export const amount = String.raw`(?:\d{1,6}|${[...amountWords.keys()].join('|')})`;
/** Between the members of a list. */
export const and = String.raw`(?:\s*,\s*(?:and )?|\s+and\s+|\s*&\s*|\s*/\s*)`;
export const months = `${month}(?:${and}${month})*`;
export const monthRange = String.raw`${month}\s*(?:-|–| to | through | till | until )\s*${month}`;
export const dayOrdinal = String.raw`\d{1,2}(?:st|nd|rd|th)`;

const spacedRange = monthRange.replaceAll(' ', String.raw`\s+`);

const indexIn = (names: readonly string[], word: string) =>
  names.findIndex((name) => name.slice(0, 3).toLowerCase() === word.trim().slice(0, 3).toLowerCase()) + 1;

export const weekdayOf = (word: string) => indexIn(weekdayNames, word);
export const monthOf = (word: string) => indexIn(monthNames, word);

/** `June and July`, `June to August`, `November to February`. */
export function monthsOf(words: string): number[] {
  const found = (words.match(new RegExp(`(?<![a-z])${month}`, 'gi')) ?? []).map(monthOf);
  const isRange = new RegExp(`^${spacedRange}$`, 'i').test(words.trim());
  const [first = 1, last = 12] = found;
  const all = isRange
    ? Array.from({ length: ((last - first + 12) % 12) + 1 }, (_, at) => ((first - 1 + at) % 12) + 1)
    : found;
  return [...new Set(all)].sort((one, other) => one - other);
}

/** `first`, `2nd`, `last`. */
export function ordinalOf(word: string): number | 'last' {
  const text = word.trim().toLowerCase();
  if (text === 'last') return 'last';
  return ordinalWords.includes(text) ? ordinalWords.indexOf(text) + 1 : Number.parseInt(text, 10);
}

/** `3`, `three`, `a`. */
export function amountOf(word: string | undefined): number {
  const text = (word ?? 'one').trim().toLowerCase();
  return /^\d+$/.test(text) ? Number(text) : (amountWords.get(text) ?? 1);
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
