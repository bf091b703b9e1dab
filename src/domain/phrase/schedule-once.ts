import { dateInWords } from './calendar-words.ts';
import { quoted, type Remark, remarkAt } from './line.ts';
import { type Asked, isAhead, type Schedule, type Scheduled, todayIn, usualTime, wallText } from './scheduled.ts';
import { resolveDate } from './resolve-date.ts';
import type { DateWords } from './said-schedule.ts';
import { timeInWords } from './times.ts';

/** Schedules a day, a time of day, or both. */
export function scheduleOnce({ said, now, zone }: Asked): Scheduled {
  const { date, times } = said;
  const problems = contradictionsOf(said);
  if (problems.length > 0) return { schedule: null, notes: [], problems };
  if (date?.said.kind === 'ahead' && (date.said.unit === 'minutes' || date.said.unit === 'hours'))
    return scheduleAhead(date, { now, zone, amount: date.said.amount, unit: date.said.unit });

  const notes: Remark[] = [];
  const time = times?.times[0] ?? usualTime;
  const today = todayIn(zone, now);
  const isOver = (day: Temporal.PlainDate) => !isAhead(day, { time, zone, now });
  if (date === null) {
    const day = isOver(today) ? today.add({ days: 1 }) : today;
    const next = `No day was given: ${dateInWords(day)} is assumed`;
    if (times !== null) notes.push(remarkAt(times, next));
    return { schedule: once(day.toPlainDateTime(time), zone), notes, problems: [] };
  }
  if (times === null) notes.push(remarkAt(date, 'No time was given: 09:00 is assumed'));
  const resolved = resolveDate(date.said, { today, words: date.words, isOver });
  if ('problem' in resolved) return refused(date, resolved.problem);
  if (isOver(resolved.date))
    return refused(date, `${dateInWords(resolved.date)} at ${timeInWords(time)} is in the past`);
  if (resolved.note !== null) notes.push(remarkAt(date, resolved.note));
  return { schedule: once(resolved.date.toPlainDateTime(time), zone), notes, problems: [] };
}

function contradictionsOf({ start, end, times, date }: Asked['said']): Remark[] {
  const ends = [start, end].filter((one) => one !== null);
  const problems = ends.map((one) =>
    remarkAt(one, 'It is sent once: leave out the start or the end, or write “every”'),
  );
  if (times === null) return problems;
  const isClocked = date?.said.kind === 'ahead' && (date.said.unit === 'minutes' || date.said.unit === 'hours');
  if (isClocked) problems.push(remarkAt(times, `${quoted(date.words)} already gives the time`));
  else if (times.times.length > 1) problems.push(remarkAt(times, 'It is sent once: write one time'));
  return problems;
}

function scheduleAhead(
  date: DateWords,
  { now, zone, amount, unit }: { now: Temporal.Instant; zone: string; amount: number; unit: 'minutes' | 'hours' },
): Scheduled {
  if (amount > 1_000_000) return refused(date, `${quoted(date.words)} is too far ahead`);
  const exact = now.add({ [unit]: amount }).toZonedDateTimeISO(zone);
  // Rounds up: better half a minute late than early.
  const at = exact.round({ smallestUnit: 'minute', roundingMode: 'ceil' });
  return { schedule: once(at.toPlainDateTime(), zone), notes: [], problems: [] };
}

const refused = (span: DateWords, problem: string): Scheduled => ({
  schedule: null,
  notes: [],
  problems: [remarkAt(span, problem)],
});

const once = (at: Temporal.PlainDateTime, timezone: string): Schedule => ({
  config: { type: 'scheduled', scheduleType: 'once', startDate: wallText(at), timezone },
  wording: `Once, on ${dateInWords(at.toPlainDate())} at ${timeInWords(at)} (${timezone})`,
});
