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
import { quoted, spaced, sticky } from './line.ts';
import type { Beside, Recogniser, SaidDate, Unit } from './pieces.ts';

type Pattern = { source: string; read: (groups: Partial<Record<string, string>>, words: string) => SaidDate };

const day = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const year = String.raw`(?:,? (?<year>(?:19|20|21)\d{2}))?`;
const numbered = String.raw`(?<first>\d{1,2})(?<mark>[/.-])(?<second>\d{1,2})`;
const unit = '(?<unit>minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|months?|years?)';
const calendarUnit = '(?<unit>days?|weeks?|months?|years?)';
const hours = 'h(?:ours?|rs?)?';
const minutes = 'm(?:in(?:ute)?s?)?';

/** Each way to write a day, with its meaning. The first pattern that matches all of the words wins. */
const patterns: Pattern[] = [
  {
    source: '(?<word>the day after tomorrow|today|tonight|tomorrow|tmrw|tmr|tmw|tomoz|2moro|2morrow)',
    read: ({ word = '' }) => ahead(daysAhead(word.toLowerCase()), 'days'),
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
    source: `(?:at )?(?:the )?(?:end|last day) (?:of|in) (?:(?<month>${month})${year}|(?:the |this )?(?<unit>month|year))`,
    read: ({ month: name, unit: whole, year: said }) => ({
      kind: 'end',
      month: name === undefined ? (whole?.toLowerCase() === 'year' ? 'year' : null) : monthOf(name),
      year: numberOrNull(said),
    }),
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
    source: `(?:(?<weekday>${weekday}),? )?(?:the )?(?<day>${dayOrdinal})(?: of (?:this|the) month)?`,
    read: ({ day: said = '', weekday: name }) => ({
      kind: 'day',
      day: Number.parseInt(said, 10),
      weekday: name === undefined ? null : weekdayOf(name),
    }),
  },
  { source: 'next (?<unit>week|month|year)', read: ({ unit: one = '' }) => ahead(1, unitOf(one)) },
  {
    source: `in (?<amount>${amount}) ?${unit}|(?<amount>${amount}) ?${unit} from (?:now|today)`,
    read: ({ amount: count, unit: one = '' }) => ahead(amountOf(count), unitOf(one)),
  },
  {
    source: String.raw`in (?<hours>\d{1,3}) ?${hours}(?:,| and)? ?(?<minutes>\d{1,2}) ?(?:${minutes})?`,
    read: ({ hours: full, minutes: rest }) => ahead(Number(full) * 60 + Number(rest), 'minutes'),
  },
  {
    source: String.raw`in (?<hours>\d{1,3})\.5 ${hours}|in (?:(?<hours>${amount}) and a half ${hours}|an? hour and a half)`,
    read: ({ hours: full }) => ahead(amountOf(full) * 60 + 30, 'minutes'),
  },
  {
    source: '(?:in )?(?<part>half|(?:a )?quarter of|three[ -]quarters of) an hour(?: from now)?',
    read: ({ part = '' }) => ahead(/half/i.test(part) ? 30 : /three/i.test(part) ? 45 : 15, 'minutes'),
  },
];

const unnamed = (source: string) => source.replaceAll(/\(\?<\w+>/g, '(?:');
const simpleDate = `(?:${patterns.map(({ source }) => unnamed(source)).join('|')})`;

const shifted: Pattern = {
  source: `(?:(?<amount>${amount}) ${calendarUnit}|the (?<unit>day)) (?<direction>before|after|from) (?<base>${simpleDate})`,
  read({ amount: count, unit: one = '', direction = '', base = '' }) {
    const sign = /before/i.test(direction) ? -1 : 1;
    return { kind: 'shifted', amount: sign * amountOf(count), unit: unitOf(one), base: dateOf(base) };
  },
};
const allPatterns = [...patterns, shifted];

/** All patterns as one source, without named groups. */
export const saidDate = `(?:${allPatterns.map(({ source }) => unnamed(source)).join('|')})`;

const wholePatterns = allPatterns.map(({ source, read }) => ({
  pattern: new RegExp(`^(?:${spaced(source)})$`, 'i'),
  read,
}));

/** Parses words that `saidDate` has matched. */
export function dateOf(words: string): SaidDate {
  for (const { pattern, read } of wholePatterns) {
    const match = pattern.exec(words.trim());
    if (match !== null) return read(match.groups ?? {}, words);
  }
  return { kind: 'doubtful', reason: `${quoted(words)} is not a date` };
}

export const dateRecognisers: Recogniser[] = allPatterns.map(({ source, read }) => ({
  pattern: sticky(`(?:on )?(?:${source})`),
  read(found, beside) {
    const date = read(found.groups, found.words.replace(/^on\s+/i, ''));
    return isWord(found.words, beside) ? null : { kind: 'date', date };
  },
}));

/** `Sun`, `sat` and `wed` alone are words like others; beside something else about time they are days. */
const isWord = (words: string, { previous, after }: Beside) =>
  /^(?:mon|sun|sat|wed|fri)$/i.test(words) &&
  previous === null &&
  !/^[\s,]*(?:at\b|@|\d|(?:noon|midnight|midday|morning|afternoon|evening|EOD)\b)/i.test(after);

const ahead = (count: number, one: Unit): SaidDate => ({ kind: 'ahead', amount: count, unit: one });

const daysAhead = (word: string) => (word.startsWith('the') ? 2 : word === 'today' || word === 'tonight' ? 0 : 1);

const units = new Map<string, Unit>([
  ['m', 'minutes'],
  ['min', 'minutes'],
  ['minute', 'minutes'],
  ['h', 'hours'],
  ['hr', 'hours'],
  ['hour', 'hours'],
  ['w', 'weeks'],
  ['week', 'weeks'],
  ['month', 'months'],
  ['year', 'years'],
]);

/** `days` for all other words. */
export const unitOf = (word: string): Unit => units.get(word.toLowerCase().replace(/s$/, '')) ?? 'days';

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
