export const frequencies = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof frequencies)[number];

/** An ISO weekday, or the `nth` one of its month or year, from the end where negative. */
export type RuleDay = { weekday: number; nth: number | null };

/** The last time of a rule: a whole day, or what a clock shows, in UTC or where the event is. */
export type RuleEnd = { wall: Temporal.PlainDateTime; kind: 'day' | 'local' | 'utc' };

/** A rule by which something repeats (RFC 5545, section 3.3.10). An empty list leaves all values open. */
export type RecurrenceRule = {
  frequency: Frequency;
  interval: number;
  count: number | null;
  until: RuleEnd | null;
  seconds: readonly number[];
  minutes: readonly number[];
  hours: readonly number[];
  days: readonly RuleDay[];
  monthDays: readonly number[];
  yearDays: readonly number[];
  weeks: readonly number[];
  months: readonly number[];
  positions: readonly number[];
  /** The ISO weekday with which a week begins. */
  weekStart: number;
};

/** Whether one day may have several times. */
export const hasManyADay = ({ frequency, hours, minutes, seconds }: RecurrenceRule): boolean =>
  isWithinDay(frequency) || [hours, minutes, seconds].some((list) => list.length > 1);

export const isWithinDay = (frequency: Frequency) =>
  frequency === 'SECONDLY' || frequency === 'MINUTELY' || frequency === 'HOURLY';

/** The rule of an event of whole days, for which the standard ignores times of day; null for one that repeats within a day. */
export const ofWholeDays = (rule: RecurrenceRule): RecurrenceRule | null =>
  isWithinDay(rule.frequency) ? null : { ...rule, hours: [], minutes: [], seconds: [] };
