import { comesOn } from './cadence.ts';
import { weekdayName } from './calendar-words.ts';
import { resolveDate, type ResolvedDate } from './resolve-date.ts';
import type { Rhythm } from './rhythm.ts';
import type { DateWords } from './said-schedule.ts';
import type { TimeOfDay } from './times.ts';

export function startingWith(start: DateWords, today: Temporal.PlainDate): ResolvedDate {
  const isOver = (day: Temporal.PlainDate) => Temporal.PlainDate.compare(day, today) < 0;
  return resolveDate(start.said, { today, words: start.words, isOver });
}

/** A week without its weekday, a month without its day: those of the start, or the next that can be. */
export function wholeRhythm(
  rhythm: Rhythm,
  { day, hasStart }: { day: Temporal.PlainDate; hasStart: boolean },
): { rhythm: Rhythm; note: string | null } {
  const note = (text: string) => (hasStart ? null : text);
  const days = hasStart ? [day.day] : [1];
  if (rhythm.kind === 'weekly')
    return {
      rhythm: { kind: 'weekdays', days: [day.dayOfWeek] },
      note: note(`No weekday was said: ${weekdayName(day.dayOfWeek)} is taken`),
    };
  if (rhythm.kind === 'monthly')
    return { rhythm: { kind: 'days', days, months: null }, note: note('No day was said: the 1st is taken') };
  if (rhythm.kind === 'months' && rhythm.days.length === 0)
    return { rhythm: { ...rhythm, days }, note: note('No day was said: the 1st is taken') };
  return { rhythm, note: null };
}

// Longer than from one 29 February to the next, over a year that skips it.
const daysLookedAt = 3_000;

/** The first day from `floor` on that the rhythm names; on the first two its time may be over. */
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
 * What counts on from a start; null where only cron can say it.
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
  if (rhythm.kind === 'daily') return { type: 'daily', from, note: null };
  if (rhythm.kind === 'weekdays') return rhythm.days.length === 1 ? { type: 'weekly', from, note: null } : null;
  if (rhythm.kind !== 'days' || rhythm.months !== null || rhythm.days.length !== 1) return null;
  const [day] = rhythm.days;
  if (day === undefined || day === 'last') return null;
  if (day <= 28) return { type: 'monthly', from, note: null };
  const isShortMonthAhead = Temporal.PlainDate.compare(first.subtract({ months: 1 }), shortMonthsFrom) >= 0;
  return {
    type: 'monthly',
    // Begun in the month before the shorter one, which has the day.
    from: isShortMonthAhead ? from.subtract({ months: 2 }) : from,
    note: 'In shorter months it goes out on the last day',
  };
}

/** Whether some months have no such day, and cron passes over them. */
export const passesOverMonths = (rhythm: Rhythm) =>
  (rhythm.kind === 'months' || (rhythm.kind === 'days' && rhythm.months === null)) &&
  rhythm.days.some((day) => day !== 'last' && day > 28);
