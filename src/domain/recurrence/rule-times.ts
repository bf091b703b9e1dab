import { dateOf, type DayNumber, dayNumberOf, modulo } from './day-number.ts';
import { limitsOf, periodsOf } from './period-days.ts';
import { isWithinDay, type RecurrenceRule } from './rule.ts';

/** Thrown where a rule has used up its steps: one step is a day that it looked at, or a time that it found. */
export class OutOfSteps extends Error {
  override readonly name = 'OutOfSteps';
}

export type Search = {
  /** The start of the first time (DTSTART), in its own zone, as are all others. */
  start: Temporal.PlainDateTime;
  /** Earlier times are counted, and not given. */
  from?: Temporal.PlainDateTime;
  /** No time after it is looked for. */
  last: Temporal.PlainDateTime;
  /** The steps that are left; they are taken away. */
  budget: { steps: number };
};

/**
 * The times of a rule in order, from its start on (RFC 5545, section 3.3.10). The start is one of them only where it fits the rule. `until` is the
 * caller's: it may be in another zone. Days that do not exist, such as 30 February, are left out. Throws OutOfSteps.
 */
export function* timesOfRule(rule: RecurrenceRule, search: Search): Generator<Temporal.PlainDateTime> {
  const start = momentOf(search.start);
  const from = search.from === undefined ? start : latest(start, momentOf(search.from));
  const last = momentOf(search.last);
  let count = 0;
  for (const found of isWithinDay(rule.frequency)
    ? shortPeriods(rule, { ...search, start, from, last })
    : longPeriods(rule, { ...search, start, from, last })) {
    if (isBefore(found, start)) continue;
    if (isBefore(last, found)) return;
    spend(search.budget, 1);
    count += 1;
    if (!isBefore(found, from)) yield wallOf(found);
    if (rule.count !== null && count >= rule.count) return;
  }
}

/** A day and a second of it. */
type At = { day: DayNumber; second: number };
type Bounds = { start: At; from: At; last: At; budget: { steps: number } };

const daySeconds = 86_400;

const momentOf = ({ year, month, day, hour, minute, second }: Temporal.PlainDateTime): At => ({
  day: dayNumberOf({ year, month, day }),
  second: hour * 3_600 + minute * 60 + second,
});

function wallOf({ day, second }: At): Temporal.PlainDateTime {
  const { year, month, day: date } = dateOf(day);
  return new Temporal.PlainDateTime(
    year,
    month,
    date,
    Math.floor(second / 3_600),
    Math.floor(second / 60) % 60,
    second % 60,
  );
}

const isBefore = (one: At, other: At) => one.day < other.day || (one.day === other.day && one.second < other.second);
const latest = (one: At, other: At) => (isBefore(one, other) ? other : one);

/** Takes steps away. Throws OutOfSteps where there are too few. */
export function spend(budget: { steps: number }, steps: number): void {
  budget.steps -= steps;
  if (budget.steps < 0) throw new OutOfSteps();
}

/** Days, weeks, months and years: the days of a period, each with all times of the rule. */
function* longPeriods(rule: RecurrenceRule, { start, from, last, budget }: Bounds): Generator<At> {
  const periods = periodsOf(rule, start.day);
  spend(budget, timesWithin(rule));
  const seconds = secondsOfDay(rule, start);
  const first = periods.of(start.day);
  const ahead = rule.count === null ? periodsUntil(periods.of(from.day) - first, rule.interval) : 0;
  for (let period = first + ahead; periods.firstDay(period) <= last.day; period += rule.interval) {
    const { days, looked } = periods.days(period);
    spend(budget, looked);
    if (rule.positions.length === 0) {
      for (const day of days) for (const second of seconds) yield { day, second };
    } else {
      const all = days.length * seconds.length;
      for (const at of positionsIn(rule.positions, all))
        yield { day: days[Math.floor(at / seconds.length)] ?? 0, second: seconds[at % seconds.length] ?? 0 };
    }
  }
}

/** How many periods lie before one, in whole intervals, without the last two: times of one may lie in the next. */
const periodsUntil = (periods: number, interval: number) => Math.max(0, Math.floor(periods / interval) - 1) * interval;

/** The most times that a rule has within a day, an hour or a minute, before it is known whether they are needed. */
const timesWithin = ({ hours, minutes, seconds }: RecurrenceRule) =>
  Math.max(1, hours.length) * Math.max(1, minutes.length) * Math.max(1, seconds.length);

function secondsOfDay({ hours, minutes, seconds }: RecurrenceRule, { second }: At): number[] {
  const ofHour = hours.length > 0 ? hours : [Math.floor(second / 3_600)];
  const ofMinute = minutes.length > 0 ? minutes : [Math.floor(second / 60) % 60];
  const ofSecond = seconds.length > 0 ? seconds : [second % 60];
  return ofHour.flatMap((h) => ofMinute.flatMap((m) => ofSecond.map((s) => h * 3_600 + m * 60 + s)));
}

/** Indexes of a set of so many times, in order, each once. */
const positionsIn = (positions: readonly number[], all: number): number[] =>
  [...new Set(positions.map((one) => (one > 0 ? one - 1 : all + one)))]
    .filter((at) => at >= 0 && at < all)
    .toSorted((one, other) => one - other);

const secondsIn = { HOURLY: 3_600, MINUTELY: 60, SECONDLY: 1 };

/** Hours, minutes and seconds, by the clock: a day, an hour or a minute that the rule does not take is passed over in one step. */
function* shortPeriods(rule: RecurrenceRule, { start, from, last, budget }: Bounds): Generator<At> {
  const { frequency, hours, minutes, seconds, positions, interval } = rule;
  const length = frequency === 'HOURLY' || frequency === 'MINUTELY' ? secondsIn[frequency] : 1;
  const { ofDay } = limitsOf(rule);
  const unitOf = ({ day, second }: At) => Math.floor((day * daySeconds + second) / length);
  spend(budget, timesWithin(rule));
  const within = secondsWithin(rule, { start, length });
  const first = unitOf(start);
  let unit = first + (rule.count === null ? periodsUntil(unitOf(from) - first, interval) : 0);
  const end = unitOf(last);
  /** The next unit of the rule that begins at this second of all time or later. */
  const since = (second: number) => {
    const wanted = Math.ceil(second / length);
    return unit + Math.max(1, Math.ceil((wanted - unit) / interval)) * interval;
  };
  let checked = { day: Number.NaN, isTaken: false };
  while (unit <= end) {
    spend(budget, 1);
    const at = unit * length;
    const day = Math.floor(at / daySeconds);
    if (checked.day !== day) checked = { day, isTaken: ofDay(day) };
    const hour = Math.floor((at - day * daySeconds) / 3_600);
    const minute = Math.floor(at / 60);
    if (!checked.isTaken) unit = since((day + 1) * daySeconds);
    else if (hours.length > 0 && !hours.includes(hour)) unit = since(day * daySeconds + (hour + 1) * 3_600);
    else if (length < 3_600 && minutes.length > 0 && !minutes.includes(modulo(minute, 60)))
      unit = since((minute + 1) * 60);
    else if (length === 1 && seconds.length > 0 && !seconds.includes(modulo(at, 60))) unit += interval;
    else {
      const begin = at - day * daySeconds;
      const taken =
        positions.length === 0 ? within : positionsIn(positions, within.length).map((one) => within[one] ?? 0);
      for (const offset of taken) yield { day, second: begin + offset };
      unit += interval;
    }
  }
}

/** The seconds of an hour, a minute or a second at which the rule has times. */
function secondsWithin(
  { minutes, seconds }: RecurrenceRule,
  { start, length }: { start: At; length: number },
): number[] {
  const ofMinute = length < 3_600 ? [0] : minutes.length > 0 ? minutes : [Math.floor(start.second / 60) % 60];
  const ofSecond = length < 60 ? [0] : seconds.length > 0 ? seconds : [start.second % 60];
  return ofMinute.flatMap((m) => ofSecond.map((s) => m * 60 + s));
}
