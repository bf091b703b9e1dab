import { amountOf, ordinalOf, weekday, weekdayName, weekdayOf } from './calendar-words.ts';
import { quoted } from './line.ts';
import type { Rhythm, SaidRhythm } from './rhythm.ts';

/** The named groups of a match. */
export type Groups = Partial<Record<string, string>>;

export const partHours = new Map([
  ['morning', 9],
  ['afternoon', 14],
  ['evening', 18],
]);

export const rhythm = (said: Rhythm): SaidRhythm => ({ rhythm: said, hour: null, note: null });

export const withNote = (said: SaidRhythm, note: string): SaidRhythm => ('problem' in said ? said : { ...said, note });

export function listOf(words: string): number[] {
  const found = words.match(new RegExp(`${weekday}`, 'gi')) ?? [];
  const numbers = found.map(weekdayOf);
  return /-|–|to|through|till|until/i.test(words.replaceAll(new RegExp(weekday, 'gi'), ''))
    ? numbers
    : [...new Set(numbers)].sort((one, other) => one - other);
}

export const nthOf = ({ nth = '', weekday: name = '' }: Groups, months: number[] | null) =>
  rhythm({ kind: 'nth', nth: ordinalOf(nth), weekday: weekdayOf(name), months });

export function daysOf(said: string, { months, words }: { months: number[] | null; words: string }): SaidRhythm {
  const found = said.match(/\d{1,2}|first|last/gi) ?? [];
  const numbers = found.map((word) => (/last/i.test(word) ? 'last' : /first/i.test(word) ? 1 : Number(word)));
  if (numbers.some((one) => one !== 'last' && (one < 1 || one > 31)))
    return { problem: `${quoted(words)}: a month has days from 1 to 31` };
  const inOrder = [...new Set(numbers)].sort((one, other) => spanIn(one) - spanIn(other));
  return rhythm({ kind: 'days', days: inOrder, months });
}

const spanIn = (day: number | 'last') => (day === 'last' ? 32 : day);

const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function yearlyOn({ day, month: number, words }: { day: number; month: number; words: string }): SaidRhythm {
  if (day < 1 || day > (longest[number - 1] ?? 0)) return { problem: `There is no ${quoted(words)}` };
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
}): SaidRhythm {
  const chosen = said === undefined ? null : daysOf(said, { months: null, words });
  if (chosen !== null && 'problem' in chosen) return chosen;
  const numbers = chosen?.rhythm.kind === 'days' ? chosen.rhythm.days : [];
  if (count === 1)
    return rhythm(numbers.length === 0 ? { kind: 'monthly' } : { kind: 'days', days: numbers, months: null });
  if (count === 12) return { problem: yearNeedsDay };
  if (12 % count !== 0)
    return { problem: `${quoted(words)} does not divide a year evenly: use every 2, 3, 4 or 6 months` };
  return rhythm({ kind: 'months', every: count, days: numbers });
}

const yearNeedsDay = 'A yearly reminder needs a date: write “every year on 1 March”';

export function everyOther(_: Groups, words: string): SaidRhythm {
  const named = weekdayOf(words.split(/\s+/).at(-1) ?? '');
  if (/days?$/i.test(words) && named === 0)
    return {
      problem: 'Every other day cannot be a schedule: name the weekdays, such as “Mondays, Wednesdays and Fridays”',
    };
  if (/second/i.test(words) && !/week/i.test(words) && named > 0) {
    const said = rhythm({ kind: 'nth', nth: 2, weekday: named, months: null });
    const reading = `the second ${weekdayName(named)} of each month, not as every two weeks`;
    return withNote(said, `${quoted(words)} is read as ${reading}`);
  }
  return {
    problem: `${quoted(words)} cannot be a schedule: choose every week, or two days of the month such as “every 1st and 15th”`,
  };
}

export function everyUnit({ count, unit = '', half }: Groups, words: string): SaidRhythm {
  const number = amountOf(count);
  const name = unit.toLowerCase();
  if (name.startsWith('quarter')) return rhythm({ kind: 'minutes', every: 15, weekdays: null });
  if (name.startsWith('half') || (half !== undefined && name === 'hour'))
    return rhythm({ kind: 'minutes', every: 30, weekdays: null });
  if (name.startsWith('min')) return everyMinutes(number, words);
  if (name.startsWith('hour')) return everyHours(number, words);
  if (name.startsWith('year') || name.startsWith('annual')) return { problem: yearNeedsDay };
  if (name.startsWith('week') && number === 1) return rhythm({ kind: 'weekly' });
  if ((name.startsWith('dai') || name === 'day') && number === 1) return rhythm({ kind: 'daily' });
  if (name === 'day' && number === 7) return rhythm({ kind: 'weekly' });
  return {
    problem: `${quoted(words)} cannot be a schedule: name weekdays, or days of the month such as “every 1st and 15th”`,
  };
}

function everyMinutes(number: number, words: string): SaidRhythm {
  if (number % 60 === 0 && number > 0) return everyHours(number / 60, words);
  if (number > 0 && 60 % number === 0) return rhythm({ kind: 'minutes', every: number, weekdays: null });
  return { problem: `${quoted(words)} does not divide an hour evenly: use every 5, 10, 12, 15, 20 or 30 minutes` };
}

function everyHours(number: number, words: string): SaidRhythm {
  if (number === 24) return rhythm({ kind: 'daily' });
  if (number > 0 && 24 % number === 0) return rhythm({ kind: 'hours', every: number, weekdays: null });
  return { problem: `${quoted(words)} does not divide a day evenly: use every 2, 3, 4, 6, 8 or 12 hours` };
}
