/** A day as the number of days since 1 January 1970, in the proleptic Gregorian calendar of ISO 8601. */
export type DayNumber = number;

export type YearMonthDay = { year: number; month: number; day: number };

const daysOf400Years = 146_097;

/** Integers instead of Temporal: a rule looks at many days of which it takes few. */
export function dayNumberOf({ year, month, day }: YearMonthDay): DayNumber {
  // Years that begin in March, so that a leap day is the last of its year.
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    era * daysOf400Years +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719_468
  );
}

export function dateOf(dayNumber: DayNumber): YearMonthDay {
  const days = dayNumber + 719_468;
  const era = Math.floor(days / daysOf400Years);
  const dayOfEra = days - era * daysOf400Years;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted + (shifted < 10 ? 3 : -9);
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
  };
}

/** ISO: Monday is 1. */
export const weekdayOfDay = (dayNumber: DayNumber) => modulo(dayNumber + 3, 7) + 1;

export const modulo = (value: number, by: number) => ((value % by) + by) % by;

export const firstDayOfYear = (year: number): DayNumber => dayNumberOf({ year, month: 1, day: 1 });

export const daysInYear = (year: number) => firstDayOfYear(year + 1) - firstDayOfYear(year);

/** @param month counted from the year 0: 12 months a year, January first */
export const firstDayOfMonth = (month: number): DayNumber =>
  dayNumberOf({ year: Math.floor(month / 12), month: modulo(month, 12) + 1, day: 1 });

export const daysInMonth = (month: number) => firstDayOfMonth(month + 1) - firstDayOfMonth(month);

/** The first day of week 1 of a year: the first week with four days or more in it. */
export function firstWeekOfYear(year: number, weekStart: number): DayNumber {
  const fourth = firstDayOfYear(year) + 3;
  return fourth - modulo(weekdayOfDay(fourth) - weekStart, 7);
}
