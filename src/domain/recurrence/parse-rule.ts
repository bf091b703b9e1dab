import { frequencies, type Frequency, type RecurrenceRule, type RuleDay, type RuleEnd } from './rule.ts';

export type ParsedRule = { rule: RecurrenceRule } | { problem: string };

/** A rule longer than this is not read: the lists that the standard allows are shorter. */
const longestRule = 4_000;

/**
 * Reads the text of an RRULE, such as `FREQ=MONTHLY;BYDAY=-1FR`. What the standard forbids is a problem, in words that begin with "Its rule".
 * Never throws.
 */
export function parseRule(text: string): ParsedRule {
  if (text.length > longestRule) return { problem: 'Its rule is too long' };
  try {
    const rule = ruleOf(partsOf(text));
    assertAllowed(rule);
    return { rule };
  } catch (error) {
    if (error instanceof Refused) return { problem: `Its rule ${error.message}` };
    throw error;
  }
}

class Refused extends Error {}

const shown = (text: string) => text.slice(0, 40);

function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.trim().toUpperCase().split(';')) {
    // A semicolon at the end is common.
    if (part.trim() === '') continue;
    const [name = '', value = ''] = part.split('=').map((one) => one.trim());
    if (!known.has(name)) throw new Refused(`has a part that the standard does not have: ${shown(name)}`);
    if (parts.has(name)) throw new Refused(`says ${name} twice`);
    parts.set(name, value);
  }
  return parts;
}

const known = new Set(
  'FREQ INTERVAL COUNT UNTIL BYSECOND BYMINUTE BYHOUR BYDAY BYMONTHDAY BYYEARDAY BYWEEKNO BYMONTH BYSETPOS WKST RSCALE SKIP'.split(
    ' ',
  ),
);

function ruleOf(parts: ReadonlyMap<string, string>): RecurrenceRule {
  // RFC 7529.
  const calendar = parts.get('RSCALE') ?? 'GREGORIAN';
  if (calendar !== 'GREGORIAN') throw new Refused(`counts in another calendar: ${shown(calendar)}`);
  const skip = parts.get('SKIP') ?? 'OMIT';
  if (skip !== 'OMIT')
    throw new Refused(`moves days that do not exist (SKIP=${shown(skip)}), which is not possible here`);
  const numbers = (name: string, range: Range) => numbersIn(parts.get(name), { name, ...range });
  return {
    frequency: frequencyIn(parts.get('FREQ')),
    interval: numberIn(parts.get('INTERVAL') ?? '1', { name: 'INTERVAL', from: 1, to: 100_000_000 }),
    count: parts.has('COUNT')
      ? numberIn(parts.get('COUNT') ?? '', { name: 'COUNT', from: 1, to: 1_000_000_000 })
      : null,
    until: endIn(parts.get('UNTIL')),
    // A leap second counts as the second before it.
    seconds: unique(numbers('BYSECOND', { from: 0, to: 60 }).map((second) => Math.min(second, 59))),
    minutes: numbers('BYMINUTE', { from: 0, to: 59 }),
    hours: numbers('BYHOUR', { from: 0, to: 23 }),
    days: daysIn(parts.get('BYDAY')),
    monthDays: numbers('BYMONTHDAY', { from: 1, to: 31, isSigned: true }),
    yearDays: numbers('BYYEARDAY', { from: 1, to: 366, isSigned: true }),
    weeks: numbers('BYWEEKNO', { from: 1, to: 53, isSigned: true }),
    months: numbers('BYMONTH', { from: 1, to: 12 }),
    positions: numbers('BYSETPOS', { from: 1, to: 366, isSigned: true }),
    weekStart: weekdayIn(parts.get('WKST') ?? 'MO'),
  };
}

function frequencyIn(value: string | undefined): Frequency {
  if (value === undefined) throw new Refused('does not say how often (FREQ)');
  const found = frequencies.find((one) => one === value);
  if (found === undefined) throw new Refused(`has an unknown FREQ: ${shown(value)}`);
  return found;
}

type Range = { from: number; to: number; isSigned?: boolean };

/** In order, each once. */
const numbersIn = (text: string | undefined, range: Range & { name: string }): number[] =>
  text === undefined ? [] : unique(text.split(',').map((one) => numberIn(one, range)));

const unique = (numbers: readonly number[]) => [...new Set(numbers)].toSorted((one, other) => one - other);

function numberIn(text: string, { name, from, to, isSigned = false }: Range & { name: string }): number {
  const number = /^\s*[+-]?\d{1,9}\s*$/.test(text) ? Number(text) : Number.NaN;
  const size = isSigned ? Math.abs(number) : number;
  if (!(size >= from && size <= to))
    throw new Refused(`has a value of ${name} that does not exist: ${shown(text) || 'nothing'}`);
  return number;
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

function weekdayIn(text: string): number {
  const at = weekdays.indexOf(text.trim());
  if (at === -1) throw new Refused(`has an unknown weekday: ${shown(text) || 'nothing'}`);
  return at + 1;
}

const daysIn = (text: string | undefined): RuleDay[] =>
  text === undefined
    ? []
    : text.split(',').map((one) => {
        const [, nth = '', name = ''] = /^([+-]?\d{1,9})? ?(\D*)$/.exec(one.trim()) ?? [];
        return {
          weekday: weekdayIn(name),
          nth: nth === '' ? null : numberIn(nth, { name: 'BYDAY', from: 1, to: 53, isSigned: true }),
        };
      });

function endIn(text: string | undefined): RuleEnd | null {
  if (text === undefined) return null;
  const found = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/.exec(text);
  const [, year, month, day, hour, minute, second, utc] = found ?? [];
  try {
    const [h = 0, m = 0, s = 0] = hour === undefined ? [23, 59, 59] : [hour, minute, second].map(Number);
    const date = { year: Number(year), month: Number(month), day: Number(day) };
    const time = { hour: h, minute: m, second: Math.min(s, 59) };
    const wall = Temporal.PlainDateTime.from({ ...date, ...time }, { overflow: 'reject' });
    return { wall, kind: hour === undefined ? 'day' : utc === 'Z' ? 'utc' : 'local' };
  } catch (error) {
    if (error instanceof RangeError) throw new Refused(`has an UNTIL that is no time: ${shown(text) || 'nothing'}`);
    throw error;
  }
}

/** What RFC 5545, section 3.3.10, says "MUST NOT". */
function assertAllowed({ frequency, ...rule }: RecurrenceRule): void {
  const isMonthly = frequency === 'MONTHLY';
  const isYearly = frequency === 'YEARLY';
  const refuse = (part: string) => {
    throw new Refused(`is forbidden by the standard (RFC 5545): ${part}`);
  };
  if (rule.count !== null && rule.until !== null) refuse('COUNT and UNTIL together');
  const isNumbered = rule.days.some(({ nth }) => nth !== null);
  if (isNumbered && !isMonthly && !isYearly) refuse(`a numbered weekday in ${named[frequency]} rule`);
  if (isNumbered && rule.weeks.length > 0) refuse('a numbered weekday beside BYWEEKNO');
  if (rule.monthDays.length > 0 && frequency === 'WEEKLY') refuse('BYMONTHDAY in a weekly rule');
  if (rule.yearDays.length > 0 && (frequency === 'DAILY' || frequency === 'WEEKLY' || isMonthly))
    refuse(`BYYEARDAY in ${named[frequency]} rule`);
  if (rule.weeks.length > 0 && !isYearly) refuse(`BYWEEKNO in ${named[frequency]} rule`);
  const { seconds, minutes, hours, days, monthDays, yearDays, weeks, months } = rule;
  const others = [seconds, minutes, hours, days, monthDays, yearDays, weeks, months];
  if (rule.positions.length > 0 && others.every((list) => list.length === 0)) refuse('BYSETPOS alone');
}

const named: Record<Frequency, string> = {
  SECONDLY: 'a secondly',
  MINUTELY: 'a minutely',
  HOURLY: 'an hourly',
  DAILY: 'a daily',
  WEEKLY: 'a weekly',
  MONTHLY: 'a monthly',
  YEARLY: 'a yearly',
};
