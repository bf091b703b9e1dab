import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseRule } from './parse-rule.ts';
import { ofWholeDays } from './rule.ts';
import { timesOfRule } from './rule-times.ts';

const wallOf = (text: string) => Temporal.PlainDateTime.from(text);
const textOf = (wall: Temporal.PlainDateTime, isDay: boolean) => {
  const text = wall.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
  return isDay ? text.slice(0, 8) : text;
};

type Asked = { rule: string; start: string; from?: string | undefined; zone?: string | undefined; most: number };

/** The times of a rule of the tables, or why it is refused. */
function expand({ rule: text, start, from, zone = 'UTC', most }: Asked): { times: string[] } | { problem: string } {
  const parsed = parseRule(text);
  if ('problem' in parsed) return parsed;
  const isDay = start.length === 8;
  const rule = isDay ? ofWholeDays(parsed.rule) : parsed.rule;
  if (rule === null) return { problem: 'Its rule repeats within a day' };
  const { until } = rule;
  const isOver = (wall: Temporal.PlainDateTime) => {
    if (until === null) return false;
    if (until.kind !== 'utc' || isDay) return Temporal.PlainDateTime.compare(wall, until.wall) > 0;
    const end = until.wall.toZonedDateTime('UTC').toInstant();
    return Temporal.Instant.compare(wall.toZonedDateTime(zone).toInstant(), end) > 0;
  };
  const times: string[] = [];
  const search = { start: wallOf(start), last: wallOf('9998-12-31T23:59:59'), budget: { steps: 10_000_000 } };
  for (const wall of timesOfRule(rule, from === undefined ? search : { ...search, from: wallOf(from) })) {
    if (isOver(wall)) break;
    times.push(textOf(wall, isDay));
    if (times.length >= most) break;
  }
  return { times };
}

/** Rows from which we differ, and why. */
const named = new Map([
  [
    // python-dateutil and rrule-temporal say as we do.
    'BYMONTHDAY in a yearly rule without BYMONTH is in every month: the standard calls it an expansion, and libical and lib-recur take the month of the start',
    [
      'FREQ=YEARLY;BYMONTHDAY=29;COUNT=3',
      'FREQ=YEARLY;BYMONTHDAY=-29,-1;COUNT=4',
      'FREQ=YEARLY;BYMONTHDAY=31;UNTIL=20171231',
      'FREQ=YEARLY;BYMONTHDAY=29;UNTIL=20171231',
      'FREQ=YEARLY;UNTIL=20191231;BYMONTHDAY=5',
    ],
  ],
  [
    'BYWEEKNO without a day takes the weekday of the start, as libical and lib-recur say, and not all days of the week',
    ['FREQ=YEARLY;COUNT=3;BYWEEKNO=20'],
  ],
  [
    'A year of weeks begins with its week 1, as other rows of libical say: a start in week 53 belongs to the year before',
    ['FREQ=YEARLY;BYWEEKNO=53;INTERVAL=6;BYDAY=TH;COUNT=1', 'FREQ=YEARLY;BYWEEKNO=53;INTERVAL=5;BYDAY=TH;COUNT=1'],
  ],
]);

/** The rules by which rows are refused. */
const refusals = [
  /^Its rule is forbidden by the standard \(RFC 5545\): (?:BY|a numbered weekday)/,
  /^Its rule moves days that do not exist \(SKIP=/,
  /^Its rule has a value of (?:INTERVAL|BYMONTH) that does not exist: (?:0|BYMONTHDAY)$/,
  /^Its rule has an UNTIL that is no time: \d{8}T\d{6}ZZ$/,
  /^Its rule has a part that the standard does not have: BYWEEKDAY$/,
  /^Its rule repeats within a day$/,
];

type Row = { rule: string; isEqual: boolean } | { rule: string; problem: string };

const linesOf = (name: string) =>
  readFileSync(new URL(`published/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((part) => part.trim()));

/** Rows with all times, or the first of them. */
function readTimes([rule = '', when = '', total = '', listed = '']: string[]): Row {
  const [start = '', , from] = when.split(' ');
  const isFirst = total === 'first';
  const wanted = listed === '' ? [] : listed.split(' ');
  const found = expand({ rule, start, from, most: isFirst ? wanted.length : 2_000 });
  if ('problem' in found) return { rule, problem: found.problem };
  const isCounted = isFirst || found.times.length === Number.parseInt(total, 10);
  return { rule, isEqual: isCounted && found.times.slice(0, 10).join() === wanted.join() };
}

/** Rows with what holds for all times, or with two rules that are one. */
function readConditions([rule = '', when = '', conditions = '']: string[]): Row {
  const [start = '', zone] = when.split(' ');
  const [one = '', other] = rule.split(' = ');
  if (other !== undefined) {
    const both = [one, other].map((text) => expand({ rule: text, start, zone, most: 10 }));
    const problem = both.find((found) => 'problem' in found);
    if (problem !== undefined) return { rule, ...problem };
    return { rule, isEqual: new Set(both.map((found) => JSON.stringify(found))).size === 1 };
  }
  const asked = conditions === '' ? [] : conditions.split('; ');
  const isWhole = asked.some((condition) => /^(?:count|last) /.test(condition));
  const found = expand({ rule, start, zone, most: isWhole ? 10_000 : 300 });
  if ('problem' in found) return { rule, problem: found.problem };
  return { rule, isEqual: found.times.length > 0 && asked.every((condition) => applies(condition, found.times)) };
}

const parts: Record<string, (wall: Temporal.PlainDateTime) => number | undefined> = {
  months: ({ month }) => month,
  weekdays: ({ dayOfWeek }) => dayOfWeek,
  monthdays: ({ day }) => day,
  weeks: ({ weekOfYear }) => weekOfYear,
  hours: ({ hour }) => hour,
  minutes: ({ minute }) => minute,
  seconds: ({ second }) => second,
};

function applies(condition: string, times: readonly string[]): boolean {
  const [name = '', ...values] = condition.split(' ');
  if (name === 'count') return times.length === Number(values[0]);
  if (name === 'last') return times.at(-1) === values[0];
  if (name === 'first') return times.slice(0, values.length).join() === values.join();
  const part = parts[name];
  const allowed = (values[0] ?? '').split(',').map(Number);
  return part !== undefined && times.every((time) => allowed.includes(part(wallOf(time)) ?? -1));
}

describe('the published tables of recurrence rules', () => {
  it.each([
    ['libical', { read: readTimes, equal: 142, refused: 12, different: 4 }],
    ['dateutil', { read: readTimes, equal: 164, refused: 57, different: 1 }],
    ['lib-recur', { read: readConditions, equal: 539, refused: 33, different: 3 }],
  ] as const)(
    'have the same times here, but where a rule is refused or a difference is named: %s',
    (name, { read, ...expected }) => {
      const rows = linesOf(name).map((line) => read([...line]));
      const equal = rows.filter((row) => 'isEqual' in row && row.isEqual);
      const refused = rows.filter((row) => 'problem' in row);
      const different = rows.filter((row) => 'isEqual' in row && !row.isEqual);
      const counted = { equal: equal.length, refused: refused.length, different: different.length };
      process.stdout.write(`${name}: ${JSON.stringify(counted)}\n`);
      const withReason = [...named.values()].flat();
      expect(different.map(({ rule }) => rule).filter((rule) => !withReason.includes(rule))).toEqual([]);
      const unexplained = refused.filter(({ problem }) => !refusals.some((pattern) => pattern.test(problem)));
      expect(unexplained).toEqual([]);
      expect(counted).toEqual(expected);
    },
  );
});
