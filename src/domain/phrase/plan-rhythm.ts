import type { ScheduleConfig } from '#contract/schedules.ts';
import { cronOf, rhythmInWords } from './cadence.ts';
import { dateInWords } from './calendar-words.ts';
import { firstDay, passesOverMonths, startingWith, stepOf, wholeRhythm } from './first-day.ts';
import { quoted, type Remark } from './line.ts';
import { type Asked, isAhead, type Planned, remarkAt, todayIn, usualTime, wallText } from './planned.ts';
import { resolveDate } from './resolve-date.ts';
import type { Rhythm } from './rhythm.ts';
import type { SaidSchedule } from './said-schedule.ts';
import { type TimeOfDay, timeInWords, timesInWords } from './times.ts';

type SaidRhythm = NonNullable<SaidSchedule['rhythm']>;

/** Plans something that repeats. The first day that it includes decides from where it counts. */
export function planRhythm(saidRhythm: SaidRhythm, { said, now, zone }: Asked): Planned {
  const { wanted, isJoined } = joinedRhythm(said, saidRhythm.said);
  const isFast = wanted.kind === 'minutes' || wanted.kind === 'hours';
  const { times, notes, problems } = timesOf(saidRhythm, { said, isFast, isJoined });
  const refuse = (at: { from: number; to: number } | null, problem: string): Planned => ({
    plan: null,
    notes,
    problems: [...problems, remarkAt(at ?? saidRhythm, problem)],
  });

  const today = todayIn(zone, now);
  const start = said.start && startingWith(said.start, today);
  if (start && 'problem' in start) return refuse(said.start, start.problem);
  if (start?.note) notes.push(remarkAt(said.start ?? saidRhythm, start.note));
  const floor = start?.date ?? today;
  const last = times.at(-1) ?? usualTime;
  const isPossible = (day: Temporal.PlainDate) => isFast || isAhead(day, { time: last, zone, now });
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
    `${rhythmInWords(rhythm, saidRhythm.window)}${isFast ? '' : ` ${timesInWords(times)}`} (${zone})`,
    ...(start === null ? [] : [`from ${dateInWords(first)}`]),
    ...(end === null ? [] : [`until ${dateInWords(end.date)}`]),
  ];
  return { plan: { config, wording: words.join(', ') }, notes, problems };
}

const unlikeTimes =
  'These times do not fit into one schedule: write a reminder for each, or times with the same minute';

/** "Weekly, on a Monday": two parts that mean one rhythm. */
function joinedRhythm({ date }: SaidSchedule, rhythm: Rhythm): { wanted: Rhythm; isJoined: boolean } {
  if (rhythm.kind === 'weekly' && date?.said.kind === 'weekday')
    return { wanted: { kind: 'weekdays', days: [date.said.weekday] }, isJoined: true };
  if (date?.said.kind !== 'day') return { wanted: rhythm, isJoined: false };
  const days = [date.said.day];
  if (rhythm.kind === 'monthly') return { wanted: { kind: 'days', days, months: null }, isJoined: true };
  return rhythm.kind === 'months'
    ? { wanted: { ...rhythm, days }, isJoined: true }
    : { wanted: rhythm, isJoined: false };
}

/** The times of day, and the parts that have no effect. */
function timesOf(
  rhythm: SaidRhythm,
  { said, isFast, isJoined }: { said: SaidSchedule; isFast: boolean; isJoined: boolean },
): { times: TimeOfDay[]; notes: Remark[]; problems: Remark[] } {
  const notes: Remark[] = [];
  const problems: Remark[] = [];
  const usual = rhythm.hour === null ? usualTime : { hour: rhythm.hour, minute: 0 };
  if (said.date !== null && !isJoined)
    problems.push(remarkAt(said.date, `${quoted(said.date.words)} was ignored: write “starting” or “until” before it`));
  if (isFast && said.times !== null)
    problems.push(remarkAt(said.times, 'A schedule that repeats every few minutes or hours has no time of day'));
  if (!isFast && rhythm.window !== null)
    problems.push(remarkAt(rhythm.window, 'From and to hours work only with “every 15 minutes” or “every hour”'));
  if (!isFast && said.times === null)
    notes.push(remarkAt(rhythm, `No time was given: ${timeInWords(usual)} is assumed`));
  return { times: said.times?.times ?? [usual], notes, problems };
}

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
