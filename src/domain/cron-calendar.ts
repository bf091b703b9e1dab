import { dayMs } from '#domain/instants.ts';

const minuteMs = 60_000;
const endOfYears = Date.UTC(10_000, 0, 1);

/** The values that match in each field. Numbers ascend; Sunday is 0. */
export type CronFields = {
  minutes: readonly number[];
  hours: readonly number[];
  months: ReadonlySet<number>;
  /** Null when every day of the month matches. */
  days: { numbers: ReadonlySet<number>; hasLast: boolean } | null;
  /** Null when every weekday matches. `nth` holds weekday and number, such as `1#2`. */
  weekdays: { numbers: ReadonlySet<number>; nth: ReadonlySet<string>; last: ReadonlySet<number> } | null;
  /** Whether a day must match both day fields; otherwise one is enough. */
  needsBothDays: boolean;
  /** True when minutes and hours are plain numbers, so that they name fixed times of the day. */
  hasFixedTimes: boolean;
};

/**
 * Returns the first minute after a wall time that matches the fields; null when there is none within the supported
 * years. Wall times are counted in milliseconds as if they were UTC, without a zone.
 */
export function nextWallMs(fields: CronFields, afterMs: number): number | null {
  const fromMs = (Math.floor(afterMs / minuteMs) + 1) * minuteMs;
  const today = new Date(Math.floor(fromMs / dayMs) * dayMs);
  if (isDueOn(fields, today)) {
    const minute = nextMinuteOfDay(fields, (fromMs - today.getTime()) / minuteMs);
    if (minute !== null) return today.getTime() + minute * minuteMs;
  }
  const day = nextDueDay(fields, today);
  return day === null ? null : day + ((fields.hours[0] ?? 0) * 60 + (fields.minutes[0] ?? 0)) * minuteMs;
}

/** Whether a wall time matches the fields. */
export function isMatch(fields: CronFields, wallMs: number): boolean {
  return nextWallMs(fields, wallMs - 1) === wallMs;
}

function nextMinuteOfDay({ hours, minutes }: CronFields, from: number): number | null {
  const fromHour = Math.floor(from / 60);
  for (const hour of hours) {
    if (hour < fromHour) continue;
    const minute = hour > fromHour ? minutes[0] : minutes.find((one) => one >= from % 60);
    if (minute !== undefined) return hour * 60 + minute;
  }
  return null;
}

function nextDueDay(fields: CronFields, after: Date): number | null {
  const day = new Date(after);
  do {
    day.setUTCDate(day.getUTCDate() + 1);
    while (!fields.months.has(day.getUTCMonth() + 1)) day.setUTCMonth(day.getUTCMonth() + 1, 1);
    if (day.getTime() >= endOfYears) return null;
  } while (!isDueOn(fields, day));
  return day.getTime();
}

/** Whether the fields include this day; `readCronFields` says how a day of the month and a weekday combine. */
export function isDueOn(
  { months, days, weekdays, needsBothDays }: Pick<CronFields, 'months' | 'days' | 'weekdays' | 'needsBothDays'>,
  date: Date,
): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false;
  if (days === null) return weekdays === null || isOneOfWeekdays(weekdays, date);
  if (weekdays === null) return isOneOfDays(days, date);
  return needsBothDays
    ? isOneOfDays(days, date) && isOneOfWeekdays(weekdays, date)
    : isOneOfDays(days, date) || isOneOfWeekdays(weekdays, date);
}

const isOneOfDays = ({ numbers, hasLast }: NonNullable<CronFields['days']>, date: Date) =>
  numbers.has(date.getUTCDate()) || (hasLast && isInOtherMonth(date, 1));

function isOneOfWeekdays({ numbers, nth, last }: NonNullable<CronFields['weekdays']>, date: Date): boolean {
  const weekday = date.getUTCDay();
  return (
    numbers.has(weekday) ||
    (nth.size > 0 && nth.has(`${weekday}#${Math.ceil(date.getUTCDate() / 7)}`)) ||
    (last.has(weekday) && isInOtherMonth(date, 7))
  );
}

const isInOtherMonth = (date: Date, daysLater: number) =>
  new Date(date.getTime() + daysLater * dayMs).getUTCMonth() !== date.getUTCMonth();
