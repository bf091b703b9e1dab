import { type CronFields, isDueOn } from '#domain/cron-calendar.ts';

/** A schedule that can never run. The message is shown to people. */
export class ScheduleError extends Error {}

/**
 * Parses five fields: stars, numbers, names, lists `1,3`, ranges `1-5` and `FRI-SUN`, and steps over a whole field, in
 * a range `8-18/2` or from a number on `5/15`. In the day of the month `?` means any day and `L` the last; in the
 * weekday `5L` is the last Friday and `MON#2` the second Monday. Throws ScheduleError, which names the field and the
 * mistake.
 *
 * A day of the month and a weekday together mean either of them, unless one begins with a star: then a day must match
 * both, and a star with the step 1 means the same as a star. This is the rule of Debian's cron (DOM_STAR and DOW_STAR
 * in its entry.c).
 */
export function readCronFields(fields: readonly string[]): CronFields {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  const read = {
    minutes: inOrder(numbersOf(minute, minuteField)),
    hours: inOrder(numbersOf(hour, hourField)),
    days: isOpen(day) ? null : daysOf(day),
    months: new Set(numbersOf(month, monthField)),
    weekdays: isOpen(weekday) ? null : weekdaysOf(weekday),
    needsBothDays: day.startsWith('*') || weekday.startsWith('*'),
    hasFixedTimes: isPlain(minute) && isPlain(hour),
  };
  assertSomeDay(read);
  return read;
}

type Field = { label: string; min: number; max: number; names?: readonly string[] };

const minuteField: Field = { label: 'Minute', min: 0, max: 59 };
const hourField: Field = { label: 'Hour', min: 0, max: 23 };
const dayField: Field = { label: 'Day of the month', min: 1, max: 31 };
const monthField: Field = {
  label: 'Month',
  min: 1,
  max: 12,
  names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
};
const weekdayField: Field = {
  label: 'Weekday',
  min: 0,
  max: 6,
  names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
};

const isOpen = (text: string) => text === '*' || text === '?' || text === '*/1';
const isPlain = (text: string) => /^[\d,]+$/.test(text);
const inOrder = (numbers: number[]) => [...new Set(numbers)].sort((a, b) => a - b);

function daysOf(text: string): NonNullable<CronFields['days']> {
  const pieces = text.split(',').map((piece) => piece.toUpperCase());
  for (const piece of pieces) {
    if (piece.includes('W')) refuse(dayField, 'W, the nearest working day, is not supported');
    if (piece.includes('L') && piece !== 'L') refuse(dayField, `"${piece}" is not supported; L alone is the last day`);
  }
  const numbered = pieces.filter((piece) => piece !== 'L');
  return {
    numbers: new Set(numbered.length === 0 ? [] : numbersOf(numbered.join(','), dayField)),
    hasLast: numbered.length < pieces.length,
  };
}

function weekdaysOf(text: string): NonNullable<CronFields['weekdays']> {
  const numbers = new Set<number>();
  const nth = new Set<string>();
  const last = new Set<number>();
  for (const piece of text.split(',')) {
    const [day = '', number] = piece.split(/#(.*)/);
    if (number !== undefined) {
      if (!/^[1-5]$/.test(number)) refuse(weekdayField, `the number after # must be from 1 to 5, not "${number}"`);
      nth.add(`${weekdayOf(day)}#${number}`);
    } else if (/L$/i.test(piece)) {
      if (piece.length === 1) refuse(weekdayField, 'L needs a weekday before it; 5L is the last Friday');
      last.add(weekdayOf(piece.slice(0, -1)));
    } else {
      for (const one of numbersOf(piece, weekdayField)) numbers.add(one);
    }
  }
  return { numbers, nth, last };
}

const weekdayOf = (text: string) => numberOf(text, weekdayField) % 7;

function numbersOf(text: string, field: Field): number[] {
  return text.split(',').flatMap((piece) => {
    if (piece === '') refuse(field, `"${text}" has a comma with nothing beside it`);
    if (piece.includes('?')) refuse(field, '? is only for the day of the month or the weekday; write * for all');
    const [base = '', step] = piece.split(/\/(.*)/);
    const [from, to] = boundsOf(base, { field, isStepped: step !== undefined });
    const by = step === undefined ? 1 : stepOf(step, field);
    const count = Math.floor((to - from) / by) + 1;
    const found = Array.from({ length: count }, (_, index) => from + index * by);
    return field === weekdayField ? found.map((day) => day % 7) : found;
  });
}

function boundsOf(base: string, { field, isStepped }: { field: Field; isStepped: boolean }): [number, number] {
  if (base === '*') return [field.min, field.max];
  const ends = base.split('-');
  if (ends.length > 2 || (ends.length === 2 && ends.includes('')))
    refuse(field, `"${base}" is not a range such as ${field.min}-${field.min + 4}`);
  const [low = '', high] = ends;
  const from = numberOf(low, field);
  if (high === undefined) return [from, isStepped ? field.max : from];
  const end = numberOf(high, field);
  // Sunday may also end a range.
  const to = field === weekdayField && end === 0 && from > 0 ? 7 : end;
  if (from > to)
    refuse(field, `the range ${base} runs backwards; write ${from}-${field.max},${field.min}-${to} to go round`);
  return [from, to];
}

function stepOf(text: string, field: Field): number {
  const span = field.max - field.min + 1;
  if (!/^\d+$/.test(text)) refuse(field, `the step "${text}" is not a whole number`);
  const step = Number(text);
  if (step < 1) refuse(field, `the step must be at least 1, not ${text}`);
  if (step > span) refuse(field, `the step must be at most ${span}, not ${text}`);
  return step;
}

function numberOf(text: string, field: Field): number {
  const { min, names } = field;
  const max = field === weekdayField ? 7 : field.max;
  const named = names?.indexOf(text.toUpperCase()) ?? -1;
  if (named >= 0) return named + min;
  const orName = names === undefined ? '' : ` or a name from ${names[0]} to ${names.at(-1)}`;
  if (!/^\d+$/.test(text)) refuse(field, `"${text}" is not a number from ${min} to ${max}${orName}`);
  const number = Number(text);
  if (number < min || number > max) refuse(field, `${text} is not between ${min} and ${max}`);
  return number;
}

function refuse({ label }: Field, why: string): never {
  throw new ScheduleError(`${label}: ${why}`);
}

const monthNames = 'January February March April May June July August September October November December'.split(' ');
const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A weekday alone comes in every year, and so does a day that need not match both fields. */
function assertSomeDay(fields: CronFields): void {
  const { days, weekdays, needsBothDays } = fields;
  if (days === null || (weekdays !== null && !needsBothDays)) return;
  assertSomeDate(fields, days);
  // A step over the days may miss the days on which a second Monday can be.
  if (weekdays !== null && weekdays.numbers.size === 0 && !isSomeDayDue(fields))
    refuse(weekdayField, 'it is never on one of these days of the month');
}

function assertSomeDate({ months }: CronFields, days: NonNullable<CronFields['days']>): void {
  if (days.hasLast) return;
  const first = Math.min(...days.numbers);
  const chosen = [...months];
  if (chosen.some((month) => first <= (longest[month - 1] ?? 0))) return;
  const who = chosen.length === 1 ? `${monthNames[(chosen[0] ?? 1) - 1]} has no` : 'none of these months has a';
  refuse(dayField, `${who} day ${first}`);
}

// After 28 years each date has been on each weekday.
const daysOfCycle = 28 * 366;

const isSomeDayDue = (fields: CronFields) =>
  Array.from({ length: daysOfCycle }).some((_, day) => isDueOn(fields, new Date(Date.UTC(2000, 0, 1 + day))));
