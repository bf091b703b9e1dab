import { dayMs } from '#domain/instants.ts';

/**
 * The start moved to the nearest day with this weekday (0 is Sunday). One that lies ahead stays after today. All are local times
 * without a zone, such as `2026-12-01T09:00:00`.
 */
export function onWeekday(start: string, { weekday, today }: { weekday: number; today: string }): string {
  const day = dateOf(start);
  const ahead = (weekday - day.getUTCDay() + 7) % 7;
  const near = new Date(day.getTime() + (ahead > 3 ? ahead - 7 : ahead) * dayMs);
  const wasAhead = start.slice(0, 10) > today;
  return withDate(start, wasAhead && textOf(near) <= today ? new Date(near.getTime() + 7 * dayMs) : near);
}

/** The start moved to this day of its month, or of the next month that has the day and lies ahead, if the start did. */
export function onDayOfMonth(start: string, { day, today }: { day: number; today: string }): string {
  const from = dateOf(start);
  const wasAhead = start.slice(0, 10) > today;
  // Within two months there is one with 31 days, and within three one that lies ahead.
  for (let months = 0; months < 4; months += 1) {
    const found = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, day));
    if (found.getUTCDate() === day && (!wasAhead || textOf(found) > today)) return withDate(start, found);
  }
  return start;
}

export const weekdayOf = (start: string): number => dateOf(start).getUTCDay();
export const dayOfMonthOf = (start: string): number => dateOf(start).getUTCDate();

// Local dates are computed as UTC, so that no zone shifts them.
const dateOf = (start: string) => new Date(`${start.slice(0, 10)}T00:00:00Z`);
const textOf = (date: Date) => date.toISOString().slice(0, 10);
const withDate = (start: string, date: Date) => textOf(date) + start.slice(10);
