import {
  amount,
  amountOf,
  dayOrdinal,
  month,
  monthName,
  monthOf,
  ordinal,
  ordinalOf,
  weekday,
  weekdayOf,
} from './calendar-words.ts';
import { quoted, spaced } from './line.ts';

/** A day as written, not yet resolved to a date. */
export type SaidDate =
  | { kind: 'ahead'; amount: number; unit: 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years' }
  | { kind: 'weekday'; weekday: number; isNext: boolean }
  /** In the week after this one. */
  | { kind: 'next week'; weekday: number }
  | { kind: 'next month'; day: number }
  | { kind: 'calendar'; day: number; month: number; year: number | null; weekday: number | null }
  | { kind: 'day'; day: number }
  | { kind: 'nth'; nth: number | 'last'; weekday: number; month: number; year: number | null }
  | { kind: 'end'; month: number | 'year' | null; year: number | null }
  | { kind: 'doubtful'; reason: string };

const day = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const year = String.raw`(?:,? (?<year>\d{4}))?`;
const numbered = String.raw`(?<first>\d{1,2})(?<mark>[/.-])(?<second>\d{1,2})`;

/** Each way to write a day, with its meaning. The first pattern that matches all of the words wins. */
const patterns: { source: string; read: (groups: Partial<Record<string, string>>, words: string) => SaidDate }[] = [
  {
    source: '(?<word>the day after tomorrow|today|tonight|tomorrow)',
    read: ({ word = '' }) => ({ kind: 'ahead', amount: daysAhead(word.toLowerCase()), unit: 'days' }),
  },
  {
    source: String.raw`(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})`,
    read: (groups) => calendar(groups, Number(groups.month)),
  },
  {
    source: String.raw`${numbered}(?:/|-)(?<year>\d{4}|\d{2})|${numbered}\.(?<year>\d{4}|\d{2})?|${numbered.replace('[/.-]', '/')}`,
    read: ofNumbers,
  },
  {
    source: `(?:(?<weekday>${weekday}),? )?(?:the )?(?<day>${day})(?: of)? (?<month>${month})${year}`,
    read: (groups) => calendar(groups, monthOf(groups.month ?? '')),
  },
  {
    source: `(?:(?<weekday>${weekday}),? )?(?<month>${month}) (?:the )?(?<day>${day})${year}`,
    read: (groups) => calendar(groups, monthOf(groups.month ?? '')),
  },
  {
    source: `(?:the )?(?<nth>${ordinal}) (?<weekday>${weekday}) (?:in|of) (?<month>${month})${year}`,
    read: (groups) => ({
      kind: 'nth',
      nth: ordinalOf(groups.nth ?? ''),
      weekday: weekdayOf(groups.weekday ?? ''),
      month: monthOf(groups.month ?? ''),
      year: numberOrNull(groups.year),
    }),
  },
  {
    source: `(?:the )?(?:end|last day) of (?:(?<month>${month})${year}|(?:the |this )?(?<unit>month|year))`,
    read: ({ month: name, unit, year: said }) => ({
      kind: 'end',
      month: name === undefined ? (unit?.toLowerCase() === 'year' ? 'year' : null) : monthOf(name),
      year: numberOrNull(said),
    }),
  },
  {
    source: 'in (?:half an hour|(?<quarter>a quarter of an hour))',
    read: ({ quarter }) => ({ kind: 'ahead', amount: quarter === undefined ? 30 : 15, unit: 'minutes' }),
  },
  {
    source: `(?<weekday>${weekday}),? (?:of )?next week|next week,? (?:on )?(?<weekday>${weekday})`,
    read: ({ weekday: name = '' }) => ({ kind: 'next week', weekday: weekdayOf(name) }),
  },
  {
    source: `(?:the )?(?<day>${dayOrdinal}) (?:of )?next month|next month,? (?:on )?(?:the )?(?<day>${dayOrdinal})`,
    read: ({ day: said = '' }) => ({ kind: 'next month', day: Number.parseInt(said, 10) }),
  },
  {
    source: `(?:(?<which>this|next|coming|this coming) )?(?<weekday>${weekday})`,
    read: ({ which, weekday: name = '' }) => ({
      kind: 'weekday',
      weekday: weekdayOf(name),
      isNext: which?.toLowerCase() === 'next',
    }),
  },
  {
    source: `(?:the )?(?<day>${dayOrdinal})(?: of (?:this|the) month)?`,
    read: ({ day: said = '' }) => ({ kind: 'day', day: Number.parseInt(said, 10) }),
  },
  {
    source: 'next (?<unit>week|month|year)',
    read: ({ unit = '' }) => ({ kind: 'ahead', amount: 1, unit: unitOf(unit) }),
  },
  {
    source: `in (?<amount>${amount}) (?<unit>minute|min|hour|day|week|month|year)s?|(?<amount>${amount}) (?<unit>minute|min|hour|day|week|month|year)s? from now`,
    read: ({ amount: count, unit = '' }) => ({ kind: 'ahead', amount: amountOf(count), unit: unitOf(unit) }),
  },
];

/** All patterns as one source, without named groups. */
export const saidDate = `(?:${patterns.map(({ source }) => source.replaceAll(/\(\?<\w+>/g, '(?:')).join('|')})`;

const relativePatterns = patterns.map(({ source, read }) => ({
  pattern: new RegExp(`^(?:${spaced(source)})$`, 'i'),
  read,
}));

/** Parses words that `saidDate` has matched. */
export function dateOf(words: string): SaidDate {
  for (const { pattern, read } of relativePatterns) {
    const match = pattern.exec(words.trim());
    if (match !== null) return read(match.groups ?? {}, words);
  }
  return { kind: 'doubtful', reason: `${quoted(words)} is not a date` };
}

const daysAhead = (word: string) => (word.startsWith('the') ? 2 : word === 'tomorrow' ? 1 : 0);

const units = new Map<string, 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years'>([
  ['min', 'minutes'],
  ['minute', 'minutes'],
  ['hour', 'hours'],
  ['week', 'weeks'],
  ['month', 'months'],
  ['year', 'years'],
]);
export const unitOf = (word: string) => units.get(word.toLowerCase().replace(/s$/, '')) ?? 'days';

const numberOrNull = (text: string | undefined) => (text === undefined ? null : Number(text));

const calendar = (groups: Partial<Record<string, string>>, monthNumber: number): SaidDate => ({
  kind: 'calendar',
  day: Number.parseInt(groups.day ?? '', 10),
  month: monthNumber,
  year: numberOrNull(groups.year),
  weekday: groups.weekday === undefined ? null : weekdayOf(groups.weekday),
});

/** With dots the day comes first everywhere. With slashes it does only when no other reading is possible. */
function ofNumbers({ first, mark, second, year: said }: Partial<Record<string, string>>, words: string): SaidDate {
  const [one, other] = [Number(first), Number(second)];
  const full = said === undefined ? null : Number(said) + (said.length === 2 ? 2000 : 0);
  const date = (dayNumber: number, monthNumber: number): SaidDate => ({
    kind: 'calendar',
    day: dayNumber,
    month: monthNumber,
    year: full,
    weekday: null,
  });
  if (mark === '.' || one > 12 || one === other) return date(one, other);
  if (other > 12) return date(other, one);
  const readings = `${one} ${monthName(other)} or ${other} ${monthName(one)}`;
  return { kind: 'doubtful', reason: `${quoted(words)} can be ${readings}: write the month as a word` };
}
