import { comesOn } from './cadence.ts';
import { weekdayName } from './calendar-words.ts';
import { resolveDate, type ResolvedDate } from './resolve-date.ts';
import type { Rhythm } from './rhythm.ts';
import type { DateWords } from './said-schedule.ts';
import type { TimeOfDay } from './pieces.ts';

export function startingWith(start: DateWords, today: Temporal.PlainDate): ResolvedDate {
  const isOver = (day: Temporal.PlainDate) => Temporal.PlainDate.compare(day, today) < 0;
  return resolveDate(start.said, { today, words: start.words, isOver });
}

/** Completes a week without a weekday and a month without a day: takes that of the start, or the next possible one. */
export function wholeRhythm(
  rhythm: Rhythm,
  { day, hasStart }: { day: Temporal.PlainDate; hasStart: boolean },
): { rhythm: Rhythm; note: string | null } {
  const note = (text: string) => (hasStart ? null : text);
  const days = hasStart ? [day.day] : [1];
  if (rhythm.kind === 'weekly')
    return {
      rhythm: { kind: 'weekdays', days: [day.dayOfWeek], months: null },
      note: note(`No weekday was given: ${weekdayName(day.dayOfWeek)} is assumed`),
    };
  if (rhythm.kind === 'monthly')
    return { rhythm: { kind: 'days', days, months: null }, note: note('No day was given: the 1st is assumed') };
  if (rhythm.kind === 'months' && rhythm.days.length === 0)
    return { rhythm: { ...rhythm, days }, note: note('No day was given: the 1st is assumed') };
  return { rhythm, note: null };
}

// How many days are searched: more than from one 29 February to the next, across a year that has none.
const daysLookedAt = 3_000;

/** The first day from `floor` on that the rhythm includes. On the first two days its time may have passed. */
export function firstDay(
  rhythm: Rhythm,
  { floor, isPossible }: { floor: Temporal.PlainDate; isPossible: (day: Temporal.PlainDate) => boolean },
): Temporal.PlainDate | null {
  for (let days = 0; days < daysLookedAt; days += 1) {
    const day = floor.add({ days });
    if (comesOn(rhythm, day) && (days > 1 || isPossible(day))) return day;
  }
  return null;
}

type Step = { type: 'daily' | 'weekly' | 'monthly'; from: Temporal.PlainDateTime; note: string | null };

/**
 * The interval that counts from a start; null when only cron can express the rhythm.
 * @param shortMonthsFrom from which day on months count that lack the day, such as February for the 31st
 */
export function stepOf(
  rhythm: Rhythm,
  {
    first,
    times: [time, ...others],
    shortMonthsFrom,
  }: { first: Temporal.PlainDate; times: readonly TimeOfDay[]; shortMonthsFrom: Temporal.PlainDate },
): Step | null {
  if (time === undefined || others.length > 0) return null;
  const from = first.toPlainDateTime(time);
  if ('months' in rhythm && rhythm.months !== null) return null;
  if (rhythm.kind === 'daily') return { type: 'daily', from, note: null };
  if (rhythm.kind === 'weekdays') return rhythm.days.length === 1 ? { type: 'weekly', from, note: null } : null;
  if (rhythm.kind !== 'days' || rhythm.days.length !== 1) return null;
  const [day] = rhythm.days;
  if (day === undefined || day === 'last') return null;
  if (day <= 28) return { type: 'monthly', from, note: null };
  const isShortMonthAhead = Temporal.PlainDate.compare(first.subtract({ months: 1 }), shortMonthsFrom) >= 0;
  return {
    type: 'monthly',
    // Starts in the month before the shorter one, which has the day.
    from: isShortMonthAhead ? from.subtract({ months: 2 }) : from,
    note: 'In shorter months it is sent on the last day',
  };
}

/** Whether some months lack this day, so that cron skips them. */
export const passesOverMonths = (rhythm: Rhythm) =>
  (rhythm.kind === 'months' || (rhythm.kind === 'days' && rhythm.months?.length !== 1)) &&
  rhythm.days.some((day) => day !== 'last' && day > 28);
