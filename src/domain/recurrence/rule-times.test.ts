import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRule } from './parse-rule.ts';
import { hasManyADay, ofWholeDays, type RecurrenceRule } from './rule.ts';
import { OutOfSteps, timesOfRule } from './rule-times.ts';

function ruleOf(text: string): RecurrenceRule {
  const parsed = parseRule(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.rule;
}
const wallOf = (text: string) => Temporal.PlainDateTime.from(text);
const textOf = (wall: Temporal.PlainDateTime) => wall.toString({ smallestUnit: 'minute' }).replace('T09:00', '');

/** The first times of a rule; those at 09:00 as days. */
function firstOf(
  text: string,
  { start, most = 4, steps = 1_000_000 }: { start: string; most?: number; steps?: number },
) {
  const search = { start: wallOf(start), last: wallOf('2200-01-01T00:00'), budget: { steps } };
  return timesOfRule(ruleOf(text), search).take(most).map(textOf).toArray();
}
const problemOf = (text: string) => {
  const parsed = parseRule(text);
  return 'problem' in parsed ? parsed.problem : null;
};

describe('the times of a recurrence rule', () => {
  it.each([
    ['FREQ=YEARLY;BYDAY=20MO', '2027-05-17T09:00', ['2027-05-17', '2028-05-15', '2029-05-14', '2030-05-20']],
    ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '2027-05-17T09:00', ['2027-05-17', '2028-05-15', '2029-05-14', '2030-05-13']],
    ['FREQ=YEARLY;BYWEEKNO=1', '2024-12-31T09:00', ['2024-12-31', '2025-12-30', '2027-01-05', '2028-01-04']],
    [
      'FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=-1',
      '2027-03-05T09:00',
      ['2027-03-05', '2027-03-12', '2027-03-19', '2027-03-26'],
    ],
    ['FREQ=YEARLY', '2024-02-29T09:00', ['2024-02-29', '2028-02-29', '2032-02-29', '2036-02-29']],
    ['FREQ=MONTHLY;BYMONTH=5,4', '2027-04-30T09:00', ['2027-04-30', '2027-05-30', '2028-04-30', '2028-05-30']],
    ['FREQ=DAILY;BYMONTHDAY=20,-2', '2027-02-20T09:00', ['2027-02-20', '2027-02-27', '2027-03-20', '2027-03-30']],
    ['FREQ=DAILY;BYMONTHDAY=-1', '2027-01-31T09:00', ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
    [
      'FREQ=MONTHLY;INTERVAL=13;BYMONTH=3',
      '2027-03-01T09:00',
      ['2027-03-01', '2040-03-01', '2053-03-01', '2066-03-01'],
    ],
    [
      'FREQ=HOURLY;BYHOUR=9,17;INTERVAL=8',
      '2027-03-01T09:00',
      ['2027-03-01', '2027-03-01T17:00', '2027-03-02', '2027-03-02T17:00'],
    ],
    [
      'FREQ=MINUTELY;INTERVAL=90',
      '2027-03-01T23:00',
      ['2027-03-01T23:00', '2027-03-02T00:30', '2027-03-02T02:00', '2027-03-02T03:30'],
    ],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      '2027-03-31T09:00',
      ['2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30'],
    ],
    ['FREQ=YEARLY;BYYEARDAY=-1,60', '2027-03-01T09:00', ['2027-03-01', '2027-12-31', '2028-02-29', '2028-12-31']],
    [
      'FREQ=DAILY;BYHOUR=17,9;BYMINUTE=30',
      '2027-03-01T09:30',
      ['2027-03-01T09:30', '2027-03-01T17:30', '2027-03-02T09:30', '2027-03-02T17:30'],
    ],
    ['FREQ=DAILY', '1969-12-30T09:00', ['1969-12-30', '1969-12-31', '1970-01-01', '1970-01-02']],
  ])('are those of the standard: %s', (rule, start, times) => {
    expect(firstOf(rule, { start })).toEqual(times);
  });

  it('end with the count, and leave days out that do not exist', () => {
    expect(firstOf('FREQ=MONTHLY;COUNT=3', { start: '2027-01-31T09:00', most: 9 })).toEqual([
      '2027-01-31',
      '2027-03-31',
      '2027-05-31',
    ]);
  });

  it('begin with the first one that fits, where the start does not', () => {
    expect(firstOf('FREQ=WEEKLY;BYDAY=TU', { start: '2027-03-01T09:00', most: 1 })).toEqual(['2027-03-02']);
  });

  it.each([
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;INTERVAL=12;BYMONTH=5',
  ])('end where a rule never has one: %s', (rule) => {
    expect(firstOf(rule, { start: '2027-03-01T09:00' })).toEqual([]);
    expect(() => firstOf(rule, { start: '2027-03-01T09:00', steps: 10 })).toThrow(OutOfSteps);
  });

  it('cost a step for each time that a day may have, before one is made', () => {
    const all = (most: number) => Array.from({ length: most }, (_, at) => at).join(',');
    const rule = `FREQ=DAILY;BYHOUR=${all(24)};BYMINUTE=${all(60)};BYSECOND=${all(60)};BYSETPOS=1`;
    expect(() => firstOf(rule, { start: '2027-03-01T00:00', steps: 80_000 })).toThrow(OutOfSteps);
  });

  it('are the same from a later day on as when all are looked at', () => {
    const numbers = (min: number, max: number) => fc.uniqueArray(fc.integer({ min, max }), { maxLength: 3 });
    const part = (name: string, values: fc.Arbitrary<readonly (number | string)[]>) =>
      values.map((list) => (list.length === 0 ? '' : `;${name}=${list.join(',')}`));
    const days = fc.uniqueArray(fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'), { maxLength: 3 });
    const rules = fc
      .record({
        frequency: fc.constantFrom('HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
        interval: fc.integer({ min: 1, max: 5 }),
        months: part('BYMONTH', numbers(1, 12)),
        days: part('BYDAY', days),
        hours: part('BYHOUR', numbers(0, 23)),
        position: fc.constantFrom('', '', ';BYSETPOS=1', ';BYSETPOS=-1,2'),
      })
      .map(({ frequency, interval, months, days: weekdays, hours, position }) => {
        const by = `${months}${weekdays}${hours}`;
        return `FREQ=${frequency};INTERVAL=${interval}${by}${by === '' ? '' : position}`;
      });
    fc.assert(
      fc.property(rules, fc.integer({ min: 0, max: 900 }), (rule, later) => {
        const start = wallOf('2026-12-30T07:20');
        const search = { start, last: start.add({ days: 1_200 }), budget: { steps: 1_000_000 } };
        const from = start.add({ days: later, hours: later % 24 });
        const isLater = (wall: Temporal.PlainDateTime) => Temporal.PlainDateTime.compare(wall, from) >= 0;
        const all = timesOfRule(ruleOf(rule), search).filter(isLater).map(String).toArray();
        expect(
          timesOfRule(ruleOf(rule), { ...search, from })
            .map(String)
            .toArray(),
        ).toEqual(all);
        expect(all).toEqual(all.toSorted());
      }),
      { numRuns: 200 },
    );
  });

  it('of an event of whole days have no time of day', () => {
    expect(ofWholeDays(ruleOf('FREQ=DAILY;BYHOUR=9,17'))?.hours).toEqual([]);
    expect(ofWholeDays(ruleOf('FREQ=HOURLY'))).toBeNull();
    expect(
      ['FREQ=HOURLY', 'FREQ=DAILY;BYHOUR=9,17', 'FREQ=DAILY;BYHOUR=9'].map((text) => hasManyADay(ruleOf(text))),
    ).toEqual([true, true, false]);
  });
});

describe('a rule that the standard forbids', () => {
  it.each([
    ['FREQ=WEEKLY;BYWEEKNO=20', 'is forbidden by the standard (RFC 5545): BYWEEKNO in a weekly rule'],
    ['FREQ=DAILY;BYDAY=+2MO', 'is forbidden by the standard (RFC 5545): a numbered weekday in a daily rule'],
    [
      'FREQ=YEARLY;BYWEEKNO=20;BYDAY=2MO',
      'is forbidden by the standard (RFC 5545): a numbered weekday beside BYWEEKNO',
    ],
    ['FREQ=WEEKLY;BYMONTHDAY=1', 'is forbidden by the standard (RFC 5545): BYMONTHDAY in a weekly rule'],
    ['FREQ=MONTHLY;BYYEARDAY=1', 'is forbidden by the standard (RFC 5545): BYYEARDAY in a monthly rule'],
    ['FREQ=DAILY;BYSETPOS=1', 'is forbidden by the standard (RFC 5545): BYSETPOS alone'],
    ['FREQ=DAILY;COUNT=2;UNTIL=20270301', 'is forbidden by the standard (RFC 5545): COUNT and UNTIL together'],
    ['INTERVAL=2', 'does not say how often (FREQ)'],
    ['FREQ=FORTNIGHTLY', 'has an unknown FREQ: FORTNIGHTLY'],
    ['FREQ=DAILY;FREQ=DAILY', 'says FREQ twice'],
    ['FREQ=DAILY;INTERVAL=0', 'has a value of INTERVAL that does not exist: 0'],
    ['FREQ=DAILY;BYMONTHDAY=0', 'has a value of BYMONTHDAY that does not exist: 0'],
    ['FREQ=WEEKLY;BYDAY=', 'has an unknown weekday: nothing'],
    ['FREQ=DAILY;UNTIL=20270231', 'has an UNTIL that is no time: 20270231'],
    ['FREQ=DAILY;BYEASTER=1', 'has a part that the standard does not have: BYEASTER'],
    [
      'FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=FORWARD',
      'moves days that do not exist (SKIP=FORWARD), which is not possible here',
    ],
    ['RSCALE=CHINESE;FREQ=YEARLY', 'counts in another calendar: CHINESE'],
    [`FREQ=DAILY;BYHOUR=${'1,'.repeat(3_000)}1`, 'is too long'],
  ])('is named: %s', (rule, problem) => {
    expect(problemOf(rule)).toBe(`Its rule ${problem}`);
  });

  it('is none where it is only written otherwise', () => {
    for (const rule of [
      'freq=daily;',
      'FREQ=DAILY;;COUNT=2',
      'FREQ=YEARLY;RSCALE=GREGORIAN;SKIP=OMIT',
      'FREQ=DAILY;BYSECOND=60',
    ])
      expect(problemOf(rule)).toBeNull();
  });
});
