import { dateInWords, weekdayName } from './calendar-words.ts';
import type { SaidDate } from './pieces.ts';
import { quoted } from './line.ts';

export type ResolvedDate = { date: Temporal.PlainDate; note: string | null } | { problem: string };

/**
 * Resolves a day, seen from today. Without a year it is the first one that is not over.
 * @param isOver whether nothing can happen on this day any more
 */
export function resolveDate(
  said: SaidDate,
  options: { today: Temporal.PlainDate; words: string; isOver: (date: Temporal.PlainDate) => boolean },
): ResolvedDate {
  const resolved = resolve(said, options);
  // Stored dates lie before the year 9999.
  const isTooFar = 'date' in resolved && resolved.date.year > 9_998;
  return isTooFar ? { problem: `${quoted(options.words)} is too far ahead` } : resolved;
}

function resolve(
  said: SaidDate,
  { today, words, isOver }: { today: Temporal.PlainDate; words: string; isOver: (date: Temporal.PlainDate) => boolean },
): ResolvedDate {
  switch (said.kind) {
    case 'ahead':
      return ahead(said, { today, words });
    case 'weekday':
      return nextWeekday(said, { today, words, isOver });
    case 'next week':
      return { date: today.add({ days: 7 - today.dayOfWeek + said.weekday }), note: null };
    case 'next month': {
      const next = today.with({ day: 1 }).add({ months: 1 });
      return firstOf([next], { dayOf: ({ year: y, month: m }) => dateAt(y, m, said.day), isOver, words });
    }
    case 'day': {
      const dayOf = ({ year: y, month: m }: Temporal.PlainDate) => dateAt(y, m, said.day);
      return onWeekday(firstOf(months(today), { dayOf, isOver, words }), said.weekday);
    }
    case 'calendar': {
      const dayOf = (y: number) => dateAt(y, said.month, said.day);
      return onWeekday(firstOf(years(today, said.year), { dayOf, isOver, words }), said.weekday);
    }
    case 'shifted': {
      const isBaseOver = (day: Temporal.PlainDate) => Temporal.PlainDate.compare(day, today) < 0;
      const base = resolve(said.base, { today, words, isOver: isBaseOver });
      if ('problem' in base) return base;
      if (Math.abs(said.amount) > 20_000) return { problem: `${quoted(words)} is too far ahead` };
      const date = base.date.add({ [said.unit]: said.amount });
      return { date, note: `${quoted(words)} is read as ${dateInWords(date)}` };
    }
    case 'nth':
      return firstOf(years(today, said.year), { dayOf: (y) => nthWeekday(y, said), isOver, words });
    case 'end': {
      if (said.month === null) return endOfMonth({ today, words, isOver });
      const monthNumber = said.month === 'year' ? 12 : said.month;
      return firstOf(years(today, said.year), { dayOf: (y) => lastDay(y, monthNumber), isOver, words });
    }
    case 'doubtful':
      return { problem: said.reason };
    default:
      return said satisfies never;
  }
}

/** Of one month, although `the end of the month` may also be meant of each. */
function endOfMonth(options: {
  today: Temporal.PlainDate;
  words: string;
  isOver: (date: Temporal.PlainDate) => boolean;
}): ResolvedDate {
  const end = firstOf(months(options.today), { dayOf: ({ year: y, month: m }) => lastDay(y, m), ...options });
  if ('problem' in end) return end;
  const note = `${quoted(options.words)} is read as ${dateInWords(end.date)}; write “of each month” for all`;
  return { date: end.date, note };
}

/** A weekday next to a date must be the date's: otherwise one of them is a mistake. */
function onWeekday(found: ResolvedDate, weekday: number | null): ResolvedDate {
  return 'problem' in found || weekday === null || found.date.dayOfWeek === weekday
    ? found
    : { problem: `${dateInWords(found.date)} is not a ${weekdayName(weekday)}: write one of both` };
}

function ahead(
  { amount: count, unit }: Extract<SaidDate, { kind: 'ahead' }>,
  { today, words }: { today: Temporal.PlainDate; words: string },
): ResolvedDate {
  // Minutes and hours ahead are instants, resolved elsewhere.
  if (unit === 'minutes' || unit === 'hours') return { date: today, note: null };
  if (count > 20_000) return { problem: `${quoted(words)} is too far ahead` };
  const date = today.add({ [unit]: count });
  return { date, note: /^next/i.test(words) ? `${quoted(words)} is read as ${dateInWords(date)}` : null };
}

function nextWeekday(
  { weekday: wanted, isNext }: Extract<SaidDate, { kind: 'weekday' }>,
  { today, words, isOver }: { today: Temporal.PlainDate; words: string; isOver: (date: Temporal.PlainDate) => boolean },
): ResolvedDate {
  const days = (wanted - today.dayOfWeek + 7) % 7;
  const date = today.add({ days: days === 0 && (isNext || isOver(today)) ? 7 : days });
  // In the same week, some people mean its day with `next`, and others the one a week later.
  const isDoubtful = isNext && wanted > today.dayOfWeek;
  return {
    date,
    note: isDoubtful ? `${quoted(words)} is read as ${dateInWords(date)}, the first one to come` : null,
  };
}

function firstOf<T>(
  candidates: Iterable<T>,
  options: {
    dayOf: (candidate: T) => Temporal.PlainDate | null;
    isOver: (date: Temporal.PlainDate) => boolean;
    words: string;
  },
): ResolvedDate {
  let last: Temporal.PlainDate | null = null;
  for (const candidate of candidates) {
    const date = options.dayOf(candidate);
    if (date !== null && !options.isOver(date)) return { date, note: null };
    last = date ?? last;
  }
  return {
    problem:
      last === null
        ? `There is no ${quoted(options.words)}`
        : `${quoted(options.words)}, ${dateInWords(last)}, is in the past`,
  };
}

// Eight years always include a 29 February.
const years = ({ year: now }: Temporal.PlainDate, said: number | null) =>
  said === null ? Array.from({ length: 9 }, (_, index) => now + index) : [said];

const months = (today: Temporal.PlainDate) =>
  Array.from({ length: 13 }, (_, index) => today.with({ day: 1 }).add({ months: index }));

function dateAt(y: number, m: number, d: number): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from({ year: y, month: m, day: d }, { overflow: 'reject' });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const lastDay = (y: number, m: number) => Temporal.PlainDate.from({ year: y, month: m, day: 31 });

/** The first, the fifth (if there is one) or the last weekday of a month. */
export function nthWeekday(
  y: number,
  { nth, weekday: wanted, month: m }: { nth: number | 'last'; weekday: number; month: number },
): Temporal.PlainDate | null {
  if (nth === 'last') {
    const last = lastDay(y, m);
    return last.subtract({ days: (last.dayOfWeek - wanted + 7) % 7 });
  }
  const first = Temporal.PlainDate.from({ year: y, month: m, day: 1 });
  const date = first.add({ days: ((wanted - first.dayOfWeek + 7) % 7) + (nth - 1) * 7 });
  return date.month === m ? date : null;
}
