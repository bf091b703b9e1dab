import { cronWeekday, listed, monthName, nth, ordinalName, weekdayName } from './calendar-words.ts';
import { nthWeekday } from './resolve-date.ts';
import type { NthWeekday, Rhythm } from './rhythm.ts';
import type { HourWindow } from './said-schedule.ts';
import { timeInWords } from './times.ts';
import type { TimeOfDay } from './pieces.ts';

/** Whether the rhythm includes this day. */
export function comesOn(rhythm: Rhythm, date: Temporal.PlainDate): boolean {
  if ('months' in rhythm && rhythm.months?.includes(date.month) === false) return false;
  switch (rhythm.kind) {
    case 'minutes':
    case 'hours':
      return rhythm.weekdays?.includes(date.dayOfWeek) ?? true;
    case 'daily':
    case 'weekly':
    case 'monthly':
      return true;
    case 'weekdays':
      return rhythm.days.includes(date.dayOfWeek);
    case 'months':
      return isOneOf(rhythm.days, date);
    case 'days':
      return isOneOf(rhythm.days, date);
    case 'nth':
      return rhythm.days.some((day) => nthWeekday(date.year, { ...day, month: date.month })?.equals(date) ?? false);
    default:
      return rhythm satisfies never;
  }
}

const isOneOf = (days: readonly (number | 'last')[], date: Temporal.PlainDate) =>
  days.includes(date.day) || (days.includes('last') && date.day === date.daysInMonth);

/** The rhythm as five cron fields; null when one expression cannot hold its times. */
export function cronOf(
  rhythm: Rhythm,
  { times, window, firstMonth }: { times: readonly TimeOfDay[]; window: HourWindow | null; firstMonth: number },
): string | null {
  const clock = clockFields(rhythm, { times, window });
  return clock === null ? null : `${clock} ${dayFields(rhythm, firstMonth)}`;
}

function clockFields(
  rhythm: Rhythm,
  { times, window }: { times: readonly TimeOfDay[]; window: HourWindow | null },
): string | null {
  if (rhythm.kind === 'minutes') {
    const hours = window === null ? '*' : `${window.fromHour}-${window.toHour - 1}`;
    return `${rhythm.every === 1 ? '*' : `*/${rhythm.every}`} ${hours}`;
  }
  if (rhythm.kind === 'hours') {
    const hours = window === null ? '*' : `${window.fromHour}-${window.toHour}`;
    return `0 ${hours}${rhythm.every === 1 ? '' : `/${rhythm.every}`}`;
  }
  const minutes = [...new Set(times.map(({ minute }) => minute))].sort((one, other) => one - other);
  const hours = [...new Set(times.map(({ hour }) => hour))];
  // Cron combines all minutes of an expression with all its hours.
  return minutes.length * hours.length === times.length ? `${minutes.join(',')} ${hours.join(',')}` : null;
}

function dayFields(rhythm: Rhythm, firstMonth: number): string {
  switch (rhythm.kind) {
    case 'minutes':
    case 'hours':
      return `* ${monthField(rhythm.months)} ${rhythm.weekdays === null ? '*' : weekdayField(rhythm.weekdays)}`;
    case 'daily':
      return `* ${monthField(rhythm.months)} *`;
    case 'weekly':
    case 'monthly':
      return '* * *';
    case 'weekdays':
      return `* ${monthField(rhythm.months)} ${weekdayField(rhythm.days)}`;
    case 'days':
      return `${dayField(rhythm.days)} ${monthField(rhythm.months)} *`;
    case 'months':
      return `${dayField(rhythm.days)} ${monthsFrom(firstMonth, rhythm.every).join(',')} *`;
    case 'nth':
      return `* ${monthField(rhythm.months)} ${rhythm.days.map(nthField).join(',')}`;
    default:
      return rhythm satisfies never;
  }
}

const monthField = (months: readonly number[] | null) =>
  months === null
    ? '*'
    : runsOf(months)
        .map(([first, last]) => (first === last ? first : `${first}-${last}`))
        .join(',');

/** Four or more consecutive months are one run. */
function runsOf(months: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const month of months) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === month - 1) run[1] = month;
    else runs.push([month, month]);
  }
  return runs.flatMap(([first, last]): [number, number][] =>
    last - first > 2 ? [[first, last]] : months.filter((one) => one >= first && one <= last).map((one) => [one, one]),
  );
}

const nthField = ({ nth: number, weekday }: NthWeekday) =>
  number === 'last' ? `${weekday % 7}L` : `${cronWeekday(weekday)}#${number}`;

const dayField = (days: readonly (number | 'last')[]) => days.map((day) => (day === 'last' ? 'L' : day)).join(',');

const monthsFrom = (first: number, every: number) =>
  Array.from({ length: 12 / every }, (_, at) => ((first - 1 + at * every) % 12) + 1).sort((one, other) => one - other);

/** `MON-FRI`, `MON,THU`. */
function weekdayField(days: readonly number[]): string {
  const [first = 1] = days;
  const last = days.at(-1) ?? first;
  return isRun(days) ? `${cronWeekday(first)}-${cronWeekday(last)}` : days.map(cronWeekday).join(',');
}

/** `Every month on the 1st`. */
export function rhythmInWords(rhythm: Rhythm, window: HourWindow | null): string {
  switch (rhythm.kind) {
    case 'minutes':
    case 'hours': {
      const unit = rhythm.kind.slice(0, -1);
      const often = rhythm.every === 1 ? `Every ${unit}` : `Every ${rhythm.every} ${rhythm.kind}`;
      const days =
        rhythm.weekdays === null ? '' : ` on ${weekdaysInWords(rhythm.weekdays).replace('day from', 'days from')}`;
      const hour = (atHour: number) => timeInWords({ hour: atHour, minute: 0 });
      const said = `${often}${days}${inMonths(rhythm.months)}`;
      return window === null ? said : `${said} from ${hour(window.fromHour)} to ${hour(window.toHour)}`;
    }
    case 'daily':
      return `Every day${inMonths(rhythm.months)}`;
    case 'weekly':
      return 'Every week';
    case 'monthly':
      return 'Every month';
    case 'weekdays':
      return `Every ${weekdaysInWords(rhythm.days).replace('weekdays', 'weekday')}${inMonths(rhythm.months)}`;
    case 'months':
      return `Every ${rhythm.every} months${rhythm.days.length === 0 ? '' : ` on the ${daysInWords(rhythm.days)}`}`;
    case 'days':
      return daysOfMonths(rhythm);
    case 'nth': {
      const days = nthsInWords(rhythm.days);
      return rhythm.months === null
        ? `Every month on the ${days}`
        : `Every year on the ${days} of ${monthsInWords(rhythm.months)}`;
    }
    default:
      return rhythm satisfies never;
  }
}

const monthsInWords = (months: readonly number[]) =>
  listed(
    runsOf(months).map(([first, last]) =>
      first === last ? monthName(first) : `${monthName(first)} to ${monthName(last)}`,
    ),
  );

const inMonths = (months: readonly number[] | null) => (months === null ? '' : ` in ${monthsInWords(months)}`);

/** `first and third Monday`, `first Monday and last Friday`. */
function nthsInWords(days: readonly NthWeekday[]): string {
  const byWeekday = Map.groupBy(days, ({ weekday }) => weekday);
  const said = [...byWeekday].map(
    ([weekday, some]) => `${listed(some.map(({ nth: number }) => ordinalName(number)))} ${weekdayName(weekday)}`,
  );
  return said.length === 1 ? said.join('') : said.join(' and the ');
}

function weekdaysInWords(days: readonly number[]): string {
  if (days.join() === '1,2,3,4,5') return 'weekdays';
  const [first = 1] = days;
  return isRun(days)
    ? `day from ${weekdayName(first)} to ${weekdayName(days.at(-1) ?? 7)}`
    : listed(days.map(weekdayName));
}

const isRun = (days: readonly number[]) => days.length > 2 && days.every((day, at) => day === (days[0] ?? 1) + at);

const daysInWords = (days: readonly (number | 'last')[]) =>
  listed(days.map((day) => (day === 'last' ? 'last day' : nth(day))));

function daysOfMonths({ days, months }: Extract<Rhythm, { kind: 'days' }>): string {
  if (months === null) return `Every month on the ${daysInWords(days)}`;
  const [only] = months;
  const [day] = days;
  return months.length === 1 && days.length === 1 && only !== undefined && typeof day === 'number'
    ? `Every year on ${day} ${monthName(only)}`
    : `Every year in ${monthsInWords(months)} on the ${daysInWords(days)}`;
}
