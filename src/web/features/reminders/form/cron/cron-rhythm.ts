import { readCron } from '#domain/cron-expression.ts';
import type { CronFields } from '#domain/cron-calendar.ts';
import { ScheduleError } from '#domain/cron-fields.ts';

/** A schedule that choices can express. `time` is `HH:mm`; Sunday is 0. */
export type CronRhythm =
  | { every: 'minutes'; step: number }
  | { every: 'hours'; step: number; minute: number }
  | { every: 'day'; time: string }
  | { every: 'week'; weekdays: readonly number[]; time: string }
  | { every: 'month'; day: number | 'last'; time: string }
  | { every: 'nth'; nth: number | 'last'; weekday: number; time: string };

/** Divisors only, so that the steps are equal across the end of an hour or a day. */
export const minuteSteps = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30] as const;
export const hourSteps = [1, 2, 3, 4, 6, 8, 12] as const;

export function cronOf(rhythm: CronRhythm): string {
  switch (rhythm.every) {
    case 'minutes':
      return `${stepped(rhythm.step)} * * * *`;
    case 'hours':
      return `${rhythm.minute} ${stepped(rhythm.step)} * * *`;
    case 'day':
      return `${clockFields(rhythm.time)} * * *`;
    case 'week':
      return `${clockFields(rhythm.time)} * * ${weekdayField(rhythm.weekdays)}`;
    case 'month':
      return `${clockFields(rhythm.time)} ${rhythm.day === 'last' ? 'L' : rhythm.day} * *`;
    case 'nth': {
      const { nth, weekday, time } = rhythm;
      return `${clockFields(time)} * * ${nth === 'last' ? `${weekday}L` : `${names[weekday]}#${nth}`}`;
    }
    default:
      return rhythm satisfies never;
  }
}

/** The rhythm of an expression; null when choices cannot express it, or it is invalid. */
export function rhythmOf(expression: string): CronRhythm | null {
  try {
    return rhythmIn(readCron(expression));
  } catch (error) {
    if (error instanceof ScheduleError) return null;
    throw error;
  }
}

/** The scheduler's error for an expression; null when it is valid or blank. */
export function cronProblem(expression: string): string | null {
  if (expression.trim() === '') return null;
  try {
    readCron(expression);
    return null;
  } catch (error) {
    if (error instanceof ScheduleError) return error.message;
    throw error;
  }
}

function rhythmIn(fields: CronFields): CronRhythm | null {
  const { minutes, hours, days, months, weekdays } = fields;
  if (months.size < 12 || (days !== null && weekdays !== null)) return null;
  const [minute = 0] = minutes;
  if (minutes.length > 1 || hours.length > 1) {
    if (days !== null || weekdays !== null) return null;
    const minuteStep = minuteSteps.find((step) => isWhole(minutes, { step, size: 60 }));
    if (hours.length === 24 && minuteStep !== undefined) return { every: 'minutes', step: minuteStep };
    const hourStep = hourSteps.find((step) => isWhole(hours, { step, size: 24 }));
    return minutes.length === 1 && hourStep !== undefined ? { every: 'hours', step: hourStep, minute } : null;
  }
  const time = `${two(hours[0] ?? 0)}:${two(minute)}`;
  if (days !== null) return dayRhythm(days, time);
  return weekdays === null ? { every: 'day', time } : weekRhythm(weekdays, time);
}

function dayRhythm({ numbers, hasLast }: NonNullable<CronFields['days']>, time: string): CronRhythm | null {
  if (numbers.size + Number(hasLast) !== 1) return null;
  return { every: 'month', day: [...numbers][0] ?? 'last', time };
}

function weekRhythm({ numbers, nth, last }: NonNullable<CronFields['weekdays']>, time: string): CronRhythm | null {
  if (nth.size + last.size === 0) return { every: 'week', weekdays: [...numbers].sort((a, b) => a - b), time };
  if (numbers.size > 0 || nth.size + last.size > 1) return null;
  const [lastDay] = last;
  if (lastDay !== undefined) return { every: 'nth', nth: 'last', weekday: lastDay, time };
  const [weekday, ordinal] = ([...nth][0] ?? '').split('#').map(Number);
  return weekday === undefined || ordinal === undefined ? null : { every: 'nth', nth: ordinal, weekday, time };
}

const names = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

function weekdayField(weekdays: readonly number[]): string {
  const sorted = [...new Set(weekdays)].sort((a, b) => a - b);
  if (sorted.join() === '1,2,3,4,5') return 'MON-FRI';
  return sorted.map((day) => names[day]).join(',');
}

const stepped = (step: number) => (step === 1 ? '*' : `*/${step}`);
const two = (number: number) => String(number).padStart(2, '0');
const isWhole = (numbers: readonly number[], { step, size }: { step: number; size: number }) =>
  numbers.length === size / step && numbers.every((number, ordinal) => number === ordinal * step);

function clockFields(time: string): string {
  const [hour = '0', minute = '0'] = time.split(':');
  return `${Number(minute)} ${Number(hour)}`;
}
