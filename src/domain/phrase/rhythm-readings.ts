import { amountOf, ordinal, ordinalOf, weekday, weekdayName, weekdayOf } from './calendar-words.ts';
import { quoted, spaced } from './line.ts';
import { type PartOfDay, problem, type Reading } from './pieces.ts';
import type { NthWeekday, Rhythm } from './rhythm.ts';

/** The named groups of a match. */
export type Groups = Partial<Record<string, string>>;

export const rhythm = (said: Rhythm): Reading => ({ kind: 'rhythm', rhythm: said });

export const withNote = (said: Reading, note: string): Reading =>
  said.problem === undefined ? { ...said, notes: [note] } : said;

/** The part of the day that a word names, such as the night for `nightly`. */
export const partNamed = (word: string): PartOfDay => {
  const name = word.toLowerCase();
  return name === 'morning' || name === 'afternoon' || name === 'evening' ? name : 'night';
};

const isIn = (words: string, source: string) => words.match(new RegExp(`(?<![a-z])${source}`, 'gi')) ?? [];

/** Weekdays in the order of the week. */
export const listOf = (words: string): number[] =>
  [...new Set(isIn(words, weekday).map(weekdayOf))].sort((one, other) => one - other);

/** `Friday to Monday` continues after Sunday. */
export function rangeOf(words: string): number[] {
  const [from = 1, to = 7] = isIn(words, weekday).map(weekdayOf);
  const count = ((to - from + 7) % 7) + 1;
  return Array.from({ length: count }, (_, at) => ((from - 1 + at) % 7) + 1).sort((one, other) => one - other);
}

/** `first and third Monday and the last Friday`: each ordinal belongs to the next weekday. */
export function nthsOf(words: string, months: number[] | null): Reading {
  const found: NthWeekday[] = [];
  let waiting: (number | 'last')[] = [];
  for (const word of isIn(words, `(?:${ordinal}|${weekday}s?)(?![a-z])`)) {
    const day = weekdayOf(word);
    if (day === 0 || new RegExp(`^${ordinal}$`, 'i').test(word)) waiting.push(ordinalOf(word));
    else {
      found.push(...waiting.map((nth) => ({ nth, weekday: day })));
      waiting = [];
    }
  }
  const byName = new Map(found.map((one) => [`${one.weekday}#${one.nth}`, one]));
  return rhythm({ kind: 'nth', days: [...byName.values()], months });
}

export function daysOf(said: string, { months, words }: { months: number[] | null; words: string }): Reading {
  const found = said.match(/\d{1,2}|first|last/gi) ?? [];
  const numbers = found.map((word) => (/last/i.test(word) ? 'last' : /first/i.test(word) ? 1 : Number(word)));
  if (numbers.some((one) => one !== 'last' && (one < 1 || one > 31)))
    return problem(`${quoted(words)}: a month has days from 1 to 31`);
  const isNever = (day: number | 'last') =>
    day !== 'last' && (months?.every((month) => day > (longest[month - 1] ?? 0)) ?? false);
  if (numbers.some(isNever)) return problem(`There is no ${quoted(words)}`);
  const inOrder = [...new Set(numbers)].sort((one, other) => spanIn(one) - spanIn(other));
  return rhythm({ kind: 'days', days: inOrder, months });
}

const spanIn = (day: number | 'last') => (day === 'last' ? 32 : day);

const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function yearlyOn({ day, month: number, words }: { day: number; month: number; words: string }): Reading {
  if (day < 1 || day > (longest[number - 1] ?? 0)) return problem(`There is no ${quoted(words)}`);
  const isLeapDay = day === 29 && number === 2;
  const said = rhythm({ kind: 'days', days: [day], months: [number] });
  return isLeapDay ? withNote(said, '29 February comes in leap years only') : said;
}

export function everyMonths({
  count,
  days: said,
  words,
}: {
  count: number;
  days: string | undefined;
  words: string;
}): Reading {
  const chosen = said === undefined ? null : daysOf(said, { months: null, words });
  if (chosen?.problem !== undefined) return chosen;
  const numbers = chosen?.kind === 'rhythm' && chosen.rhythm.kind === 'days' ? chosen.rhythm.days : [];
  if (count === 1)
    return rhythm(numbers.length === 0 ? { kind: 'monthly' } : { kind: 'days', days: numbers, months: null });
  if (count === 12) return problem(yearNeedsDay);
  if (12 % count !== 0) return problem(`${quoted(words)} does not divide a year evenly: use every 2, 3, 4 or 6 months`);
  return rhythm({ kind: 'months', every: count, days: numbers });
}

const yearNeedsDay = 'A yearly reminder needs a date: write “every year on 1 March”';

const everySecond = new RegExp(spaced(`(?:other|2nd|second|2|two|alternate) (?<weekday>${weekday})s?$`), 'i');

export function everyOther(_: Groups, words: string): Reading {
  const named = weekdayOf(everySecond.exec(words)?.groups?.weekday ?? '');
  if (/days?$/i.test(words) && named === 0 && !/\son\s/i.test(words))
    return problem(
      'Every other day cannot be a schedule: name the weekdays, such as “Mondays, Wednesdays and Fridays”',
    );
  if (/second|2nd/i.test(words) && named > 0) {
    const said = rhythm({ kind: 'nth', days: [{ nth: 2, weekday: named }], months: null });
    const reading = `the second ${weekdayName(named)} of each month, not as every two weeks`;
    return withNote(said, `${quoted(words)} is read as ${reading}`);
  }
  return problem(
    `${quoted(words)} cannot be a schedule: choose every week, or two days of the month such as “every 1st and 15th”`,
  );
}

export function everyUnit({ count, unit = '', half }: Groups, words: string): Reading {
  const number = amountOf(count);
  const name = unit.toLowerCase();
  if (name.startsWith('quarter')) return everyMinutes(15, words);
  if (name.startsWith('half')) return everyMinutes(30, words);
  if (half !== undefined && count === undefined && name.startsWith('h')) return everyMinutes(30, words);
  if (half === undefined && name.startsWith('m')) return everyMinutes(number, words);
  if (half === undefined && name.startsWith('h')) return everyHours(number, words);
  if (name.startsWith('year') || name.startsWith('annual')) return problem(yearNeedsDay);
  if (half === undefined && name.startsWith('week') && number === 1) return rhythm({ kind: 'weekly' });
  if (half === undefined && (name.startsWith('dai') || name === 'day') && number === 1)
    return rhythm({ kind: 'daily', months: null });
  if (half === undefined && name === 'day' && number === 7) return rhythm({ kind: 'weekly' });
  return problem(
    `${quoted(words)} cannot be a schedule: name weekdays, or days of the month such as “every 1st and 15th”`,
  );
}

function everyMinutes(number: number, words: string): Reading {
  if (number % 60 === 0 && number > 0) return everyHours(number / 60, words);
  if (number > 0 && 60 % number === 0) return rhythm({ kind: 'minutes', every: number, weekdays: null, months: null });
  return problem(`${quoted(words)} does not divide an hour evenly: use every 5, 10, 12, 15, 20 or 30 minutes`);
}

function everyHours(number: number, words: string): Reading {
  if (number === 24) return rhythm({ kind: 'daily', months: null });
  if (number > 0 && 24 % number === 0) return rhythm({ kind: 'hours', every: number, weekdays: null, months: null });
  return problem(`${quoted(words)} does not divide a day evenly: use every 2, 3, 4, 6, 8 or 12 hours`);
}
