import { cronWeekday, listed, monthName, nth, ordinalName, weekdayName } from './calendar-words.ts';
import { nthWeekday } from './resolve-date.ts';
import type { HourWindow, Rhythm } from './rhythm.ts';
import { type TimeOfDay, timeInWords } from './times.ts';

/** Whether the rhythm includes this day. */
export function comesOn(rhythm: Rhythm, date: Temporal.PlainDate): boolean {
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
      return (rhythm.months?.includes(date.month) ?? true) && isOneOf(rhythm.days, date);
    case 'nth': {
      if (rhythm.months?.includes(date.month) === false) return false;
      const day = nthWeekday(date.year, { ...rhythm, month: date.month });
      return day !== null && day.equals(date);
    }
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
      return `* * ${rhythm.weekdays === null ? '*' : weekdayField(rhythm.weekdays)}`;
    case 'daily':
    case 'weekly':
    case 'monthly':
      return '* * *';
    case 'weekdays':
      return `* * ${weekdayField(rhythm.days)}`;
    case 'days':
      return `${dayField(rhythm.days)} ${rhythm.months?.join(',') ?? '*'} *`;
    case 'months':
      return `${dayField(rhythm.days)} ${monthsFrom(firstMonth, rhythm.every).join(',')} *`;
    case 'nth': {
      const weekday = cronWeekday(rhythm.weekday);
      const day = rhythm.nth === 'last' ? `${rhythm.weekday % 7}L` : `${weekday}#${rhythm.nth}`;
      return `* ${rhythm.months?.join(',') ?? '*'} ${day}`;
    }
    default:
      return rhythm satisfies never;
  }
}

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
      return window === null
        ? `${often}${days}`
        : `${often}${days} from ${hour(window.fromHour)} to ${hour(window.toHour)}`;
    }
    case 'daily':
      return 'Every day';
    case 'weekly':
      return 'Every week';
    case 'monthly':
      return 'Every month';
    case 'weekdays':
      return `Every ${weekdaysInWords(rhythm.days)}`.replace('weekdays', 'weekday');
    case 'months':
      return `Every ${rhythm.every} months${rhythm.days.length === 0 ? '' : ` on the ${daysInWords(rhythm.days)}`}`;
    case 'days':
      return daysOfMonths(rhythm);
    case 'nth': {
      const day = `${ordinalName(rhythm.nth)} ${weekdayName(rhythm.weekday)}`;
      return rhythm.months === null
        ? `Every month on the ${day}`
        : `Every year on the ${day} of ${listed(rhythm.months.map(monthName))}`;
    }
    default:
      return rhythm satisfies never;
  }
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
    : `Every year in ${listed(months.map(monthName))} on the ${daysInWords(days)}`;
}
