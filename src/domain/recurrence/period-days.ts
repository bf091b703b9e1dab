import {
  dateOf,
  type DayNumber,
  daysInMonth,
  daysInYear,
  firstDayOfMonth,
  firstDayOfYear,
  firstWeekOfYear,
  modulo,
  weekdayOfDay,
} from './day-number.ts';
import type { RecurrenceRule, RuleDay } from './rule.ts';

/** The periods of a daily to yearly rule: a day, a week, a month or a year, each with a number. */
export type Periods = {
  of: (day: DayNumber) => number;
  firstDay: (period: number) => DayNumber;
  /** The days of a period that the rule takes, in order; `looked` is how many it considered. */
  days: (period: number) => { days: DayNumber[]; looked: number };
};

export function periodsOf(rule: RecurrenceRule, start: DayNumber): Periods {
  switch (rule.frequency) {
    case 'YEARLY':
      return rule.weeks.length > 0 ? yearsOfWeeks(rule, start) : years(rule, start);
    case 'MONTHLY':
      return months(rule, start);
    case 'WEEKLY':
      return weeks(rule, start);
    case 'DAILY':
    case 'HOURLY':
    case 'MINUTELY':
    case 'SECONDLY':
      return singleDays(rule);
    default:
      return rule.frequency satisfies never;
  }
}

function years(rule: RecurrenceRule, start: DayNumber): Periods {
  const limits = limitsOf(rule);
  const { month, day } = dateOf(start);
  return {
    of: (of) => dateOf(of).year,
    firstDay: firstDayOfYear,
    days(year) {
      const first = firstDayOfYear(year);
      const length = daysInYear(year);
      const monthsOfYear = rule.months.map((one) => year * 12 + one - 1);
      const inMonths = monthsOfYear.length > 0 ? monthsOfYear : Array.from({ length: 12 }, (_, at) => year * 12 + at);
      if (rule.yearDays.length > 0) return sorted(numbered(rule.yearDays, { first, length }), limits.ofYear);
      if (rule.monthDays.length > 0)
        return sorted(
          inMonths.flatMap((one) => numbered(rule.monthDays, monthSpan(one))),
          limits.weekdayInYear,
        );
      if (rule.days.length > 0)
        return sorted(
          rule.months.length > 0
            ? inMonths.flatMap((one) => weekdaysIn(rule.days, monthSpan(one)))
            : weekdaysIn(rule.days, { first, length }),
        );
      const only = rule.months.length > 0 ? inMonths : [year * 12 + month - 1];
      return sorted(only.flatMap((one) => numbered([day], monthSpan(one))));
    },
  };
}

/** Years of weeks: the days of week 1 that lie in December belong to the next one. */
function yearsOfWeeks(rule: RecurrenceRule, start: DayNumber): Periods {
  const { ofYear } = limitsOf(rule);
  const weekday = weekdayOfDay(start);
  const hasDay = rule.days.length > 0 || rule.monthDays.length > 0 || rule.yearDays.length > 0;
  const firstWeek = (year: number) => firstWeekOfYear(year, rule.weekStart);
  return {
    of(day) {
      const { year } = dateOf(day);
      return day < firstWeek(year) ? year - 1 : day >= firstWeek(year + 1) ? year + 1 : year;
    },
    firstDay: firstWeek,
    days(year) {
      const first = firstWeek(year);
      const length = (firstWeek(year + 1) - first) / 7;
      const days = numbered(rule.weeks, { first: 0, length }).flatMap((week) =>
        Array.from({ length: 7 }, (_, at) => first + week * 7 + at),
      );
      return sorted(days, (day) => ofYear(day) && (hasDay || weekdayOfDay(day) === weekday));
    },
  };
}

function months(rule: RecurrenceRule, start: DayNumber): Periods {
  const limits = limitsOf(rule);
  const { day } = dateOf(start);
  return {
    of(of) {
      const { year, month } = dateOf(of);
      return year * 12 + month - 1;
    },
    firstDay: firstDayOfMonth,
    days(month) {
      if (rule.months.length > 0 && !rule.months.includes(modulo(month, 12) + 1)) return { days: [], looked: 1 };
      const span = monthSpan(month);
      if (rule.monthDays.length > 0) return sorted(numbered(rule.monthDays, span), limits.weekdayInMonth);
      return sorted(rule.days.length > 0 ? weekdaysIn(rule.days, span) : numbered([day], span));
    },
  };
}

function weeks(rule: RecurrenceRule, start: DayNumber): Periods {
  const limits = limitsOf(rule);
  const weekdays = rule.days.length > 0 ? rule.days.map(({ weekday }) => weekday) : [weekdayOfDay(start)];
  // 1 January 1970 was a Thursday.
  const offset = modulo(rule.weekStart - 4, 7) - 7;
  return {
    of: (day) => Math.floor((day - offset) / 7),
    firstDay: (week) => week * 7 + offset,
    days(week) {
      const first = week * 7 + offset;
      return sorted(
        weekdays.map((weekday) => first + modulo(weekday - rule.weekStart, 7)),
        limits.month,
      );
    },
  };
}

const singleDays = (rule: RecurrenceRule): Periods => {
  const { ofDay } = limitsOf(rule);
  return {
    of: (day) => day,
    firstDay: (day) => day,
    days: (day) => ({ days: ofDay(day) ? [day] : [], looked: 1 }),
  };
};

type Span = { first: DayNumber; length: number };

const monthSpan = (month: number): Span => ({ first: firstDayOfMonth(month), length: daysInMonth(month) });

/** The days with these numbers, from the end where negative; those that the span does not have are left out. */
const numbered = (numbers: readonly number[], { first, length }: Span): DayNumber[] =>
  numbers
    .map((number) => (number > 0 ? number - 1 : length + number))
    .filter((at) => at >= 0 && at < length)
    .map((at) => first + at);

function weekdaysIn(days: readonly RuleDay[], { first, length }: Span): DayNumber[] {
  return days.flatMap(({ weekday, nth }) => {
    const offset = modulo(weekday - weekdayOfDay(first), 7);
    const count = Math.ceil((length - offset) / 7);
    const all = { first: 0, length: count };
    const which = nth === null ? Array.from({ length: count }, (_, at) => at) : numbered([nth], all);
    return which.map((at) => first + offset + at * 7);
  });
}

/** In order, each once. */
function sorted(days: readonly DayNumber[], isTaken: (day: DayNumber) => boolean = () => true) {
  const taken = [...new Set(days.filter(isTaken))].toSorted((one, other) => one - other);
  return { days: taken, looked: days.length + 1 };
}

/** The parts of a rule that take days away. */
export function limitsOf(rule: RecurrenceRule) {
  const weekdays = new Set(rule.days.map(({ weekday }) => weekday));
  const hasWeekday = (day: DayNumber) => weekdays.size === 0 || weekdays.has(weekdayOfDay(day));
  const month = (day: DayNumber) => rule.months.length === 0 || rule.months.includes(dateOf(day).month);
  const monthDay = (day: DayNumber) => {
    if (rule.monthDays.length === 0) return true;
    const date = dateOf(day);
    const length = daysInMonth(date.year * 12 + date.month - 1);
    return rule.monthDays.some((one) => (one > 0 ? one : length + one + 1) === date.day);
  };
  const yearDay = (day: DayNumber) => {
    if (rule.yearDays.length === 0) return true;
    const { year } = dateOf(day);
    const at = day - firstDayOfYear(year) + 1;
    return rule.yearDays.some((one) => (one > 0 ? one : daysInYear(year) + one + 1) === at);
  };
  const isNumbered = rule.days.some(({ nth }) => nth !== null);
  /** Whether the day is, say, the second Monday of its month. */
  const weekdayInMonth = (day: DayNumber) => {
    if (!isNumbered) return hasWeekday(day);
    const date = dateOf(day);
    return weekdaysIn(rule.days, monthSpan(date.year * 12 + date.month - 1)).includes(day);
  };
  const weekdayInYear = (day: DayNumber) => {
    if (!isNumbered) return hasWeekday(day);
    if (rule.months.length > 0) return weekdayInMonth(day);
    const { year } = dateOf(day);
    return weekdaysIn(rule.days, { first: firstDayOfYear(year), length: daysInYear(year) }).includes(day);
  };
  return {
    month,
    weekdayInMonth,
    weekdayInYear,
    ofYear: (day: DayNumber) => month(day) && monthDay(day) && yearDay(day) && weekdayInYear(day),
    ofDay: (day: DayNumber) => month(day) && hasWeekday(day) && monthDay(day) && yearDay(day),
  };
}
