import type { ScheduleConfig } from '#contract/schedules.ts';
import { cronOf, rhythmInWords } from './cadence.ts';
import { dateInWords } from './calendar-words.ts';
import { firstDay, passesOverMonths, startingWith, stepOf, wholeRhythm } from './first-day.ts';
import { quoted, type Remark, remarkAt } from './line.ts';
import { type Asked, isAhead, type Scheduled, todayIn, usualTime, wallText } from './scheduled.ts';
import { resolveDate } from './resolve-date.ts';
import { isFast } from './rhythm.ts';
import type { SaidSchedule } from './said-schedule.ts';
import { timeInWords, timesInWords } from './times.ts';

type SaidRhythm = NonNullable<SaidSchedule['rhythm']>;

/** Schedules something that repeats. The first day that it includes decides from where it counts. */
export function scheduleRhythm(saidRhythm: SaidRhythm, { said, now, zone }: Asked): Scheduled {
  const wanted = saidRhythm.said;
  const isOften = isFast(wanted);
  const notes: Remark[] = [];
  if (isOften && said.times !== null) return { schedule: null, notes, problems: [remarkAt(said.times, noTimeOfDay)] };
  if (!isOften && said.times === null)
    notes.push(remarkAt(saidRhythm, `No time was given: ${timeInWords(usualTime)} is assumed`));
  const times = said.times?.times ?? [usualTime];
  const refuse = (at: { from: number; to: number } | null, problem: string): Scheduled => ({
    schedule: null,
    notes,
    problems: [remarkAt(at ?? saidRhythm, problem)],
  });

  const today = todayIn(zone, now);
  const start = said.start && startingWith(said.start, today);
  if (start && 'problem' in start) return refuse(said.start, start.problem);
  if (start?.note) notes.push(remarkAt(said.start ?? saidRhythm, start.note));
  const floor = start?.date ?? today;
  const last = times.at(-1) ?? usualTime;
  const isPossible = (day: Temporal.PlainDate) => isOften || isAhead(day, { time: last, zone, now });
  const { rhythm, note } = wholeRhythm(wanted, {
    day: isPossible(floor) ? floor : floor.add({ days: 1 }),
    hasStart: start !== null,
  });
  if (note !== null) notes.push(remarkAt(saidRhythm, note));
  const first = firstDay(rhythm, { floor, isPossible });
  if (first === null) return refuse(saidRhythm, 'No day matches');
  const end = endOf(said.end, { first, today });
  if (end && 'problem' in end) return refuse(said.end, end.problem);

  const step = stepOf(rhythm, { first, times, shortMonthsFrom: start === null ? today : first });
  if (step?.note) notes.push(remarkAt(saidRhythm, step.note));
  if (step === null && passesOverMonths(rhythm))
    notes.push(remarkAt(saidRhythm, 'Months without such a day are skipped'));
  const customCron = cronOf(rhythm, { times, window: saidRhythm.window, firstMonth: first.month });
  if (step === null && customCron === null) return refuse(said.times, unlikeTimes);
  const config: ScheduleConfig = {
    type: 'scheduled',
    ...(step === null
      ? {
          scheduleType: 'custom',
          customCron: customCron ?? '',
          ...(start && { startDate: `${floor.toString()}T00:00:00` }),
        }
      : { scheduleType: step.type, startDate: wallText(step.from) }),
    ...(end && { endDate: `${end.date.toString()}T23:59:59` }),
    timezone: zone,
  };
  const words = [
    `${rhythmInWords(rhythm, saidRhythm.window)}${isOften ? '' : ` ${timesInWords(times)}`} (${zone})`,
    ...(start === null ? [] : [`from ${dateInWords(first)}`]),
    ...(end === null ? [] : [`until ${dateInWords(end.date)}`]),
  ];
  return { schedule: { config, wording: words.join(', ') }, notes, problems: [] };
}

const noTimeOfDay = 'A schedule that repeats every few minutes or hours has no time of day';

const unlikeTimes =
  'These times do not fit into one schedule: write a reminder for each, or times with the same minute';

function endOf(
  end: SaidSchedule['end'],
  { first, today }: { first: Temporal.PlainDate; today: Temporal.PlainDate },
): { date: Temporal.PlainDate } | { problem: string } | null {
  if (end === null) return null;
  if (end.said.kind === 'span') {
    const { amount, unit } = end.said;
    if (unit === 'minutes' || unit === 'hours') return { problem: `${quoted(end.words)}: an end must be a date` };
    if (amount > 5_000) return { problem: `${quoted(end.words)} is too long` };
    return { date: first.add({ [unit]: amount }).subtract({ days: 1 }) };
  }
  const isOver = (day: Temporal.PlainDate) => Temporal.PlainDate.compare(day, today) < 0;
  const resolved = resolveDate(end.said, { today, words: end.words, isOver });
  if ('problem' in resolved) return resolved;
  return Temporal.PlainDate.compare(resolved.date, first) < 0
    ? { problem: `The end, ${dateInWords(resolved.date)}, is before the first date, ${dateInWords(first)}` }
    : { date: resolved.date };
}
