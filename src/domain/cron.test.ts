import { describe, expect, it } from 'vitest';
import { parseCron, ScheduleError } from '#domain/cron.ts';

/** The first times after the start of 2026, in UTC and to the minute. */
function times(expression: string, { count = 3 }: { count?: number } = {}): string[] {
  const timetable = parseCron(expression, 'UTC');
  const found: string[] = [];
  let at = Temporal.Instant.from('2026-01-01T00:00:00Z');
  while (found.length < count) {
    const next = timetable.next(at);
    if (next === null) break;
    found.push(next.toString({ smallestUnit: 'minute' }).replace('Z', ''));
    at = next;
  }
  return found;
}

const days = (expression: string, count?: number) => times(expression, { count }).map((time) => time.slice(5, 10));

describe('a cron expression', () => {
  it('may name minutes, hours, days, months and weekdays', () => {
    expect(times('0 9 * * MON')).toEqual(['2026-01-05T09:00', '2026-01-12T09:00', '2026-01-19T09:00']);
    expect(times('15 18 1 jul *', { count: 2 })).toEqual(['2026-07-01T18:15', '2027-07-01T18:15']);
    expect(times('5 0 * * *', { count: 1 })).toEqual(['2026-01-01T00:05']);
  });

  it('may hold lists, ranges and steps, mixed', () => {
    expect(times('0 9 * * mon,wed-fri', { count: 4 })).toEqual([
      '2026-01-01T09:00',
      '2026-01-02T09:00',
      '2026-01-05T09:00',
      '2026-01-07T09:00',
    ]);
    expect(times('*/25 8 * * *')).toEqual(['2026-01-01T08:00', '2026-01-01T08:25', '2026-01-01T08:50']);
    expect(times('10-30/10,59 0 * * *', { count: 4 }).map((time) => time.slice(11))).toEqual([
      '00:10',
      '00:20',
      '00:30',
      '00:59',
    ]);
    expect(days('0 0 * jan-mar/2 SUN', 7).slice(3)).toEqual(['01-25', '03-01', '03-08', '03-15']);
  });

  it('calls Sunday both 0 and 7', () => {
    expect(days('0 0 * * 0')).toEqual(['01-04', '01-11', '01-18']);
    expect(days('0 0 * * 7')).toEqual(days('0 0 * * SUN'));
    expect(days('0 0 * * 6-7', 4)).toEqual(['01-03', '01-04', '01-10', '01-11']);
  });

  it('with a day of the month and a weekday means either of them', () => {
    expect(days('0 0 13 * FRI', 5)).toEqual(['01-02', '01-09', '01-13', '01-16', '01-23']);
  });

  it('with a question mark leaves a day open', () => {
    expect(days('0 0 ? * MON')).toEqual(['01-05', '01-12', '01-19']);
    expect(days('0 0 13 * ?')).toEqual(['01-13', '02-13', '03-13']);
  });

  it('knows the last day of the month, the nth weekday and the last one', () => {
    expect(days('0 0 L * *')).toEqual(['01-31', '02-28', '03-31']);
    expect(days('0 0 * * FRI#2')).toEqual(['01-09', '02-13', '03-13']);
    expect(days('0 0 * * 5L')).toEqual(['01-30', '02-27', '03-27']);
  });

  it('waits for the next leap year, also over the year 2100', () => {
    expect(times('0 0 29 2 *', { count: 2 })).toEqual(['2028-02-29T00:00', '2032-02-29T00:00']);
    const after2096 = parseCron('0 0 29 2 *', 'UTC').next(Temporal.Instant.from('2096-03-01T00:00:00Z'));
    expect(after2096?.toString()).toBe('2104-02-29T00:00:00Z');
  });

  it.each([
    ['@hourly', '0 * * * *'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@weekly', '0 0 * * SUN'],
    ['@monthly', '0 0 1 * *'],
    ['@yearly', '0 0 1 1 *'],
    ['@annually', '0 0 1 1 *'],
    ['@Daily', '0 0 * * *'],
    ['  0   9\t* * MON ', '0 9 * * MON'],
  ])('"%s" is "%s"', (one, other) => {
    expect(times(one, { count: 5 })).toEqual(times(other, { count: 5 }));
    expect(times(one, { count: 5 })).toHaveLength(5);
  });

  it('is asked in whole minutes: what begins within a minute waits for the next', () => {
    const timetable = parseCron('* * * * *', 'UTC');
    const next = (after: string) => timetable.next(Temporal.Instant.from(after))?.toString();
    expect(next('2026-01-01T09:59:59.999999999Z')).toBe('2026-01-01T10:00:00Z');
    expect(next('2026-01-01T10:00:00Z')).toBe('2026-01-01T10:01:00Z');
    expect(next('2026-01-01T10:00:00.5Z')).toBe('2026-01-01T10:01:00Z');
    expect(next('1969-12-31T23:58:30.5Z')).toBe('1969-12-31T23:59:00Z');
  });
});

describe('a cron expression that cannot be', () => {
  it.each([
    ['', 'The cron expression is empty. Example: "0 9 * * MON" for every Monday at 9 AM'],
    ['   ', 'The cron expression is empty. Example: "0 9 * * MON" for every Monday at 9 AM'],
    ['junk', 'The cron expression "junk" has 1 field; it needs five: minute hour day month weekday'],
    ['0 0 9 * * MON', 'The cron expression "0 0 9 * * MON" has 6 fields; it needs five: minute hour day month weekday'],
    ['2026-01-01T00:00:00', /has 1 field/],
    ['@sometimes', /^"@sometimes" is not a cron nickname. There are @hourly, @daily/],
    ['@reboot', /^"@reboot" is not a cron nickname/],
    ['@daily MON', /^"@daily MON" is not a cron nickname/],
    ['0 0 30 2 *', 'The cron expression "0 0 30 2 *" never comes due: no year has such a date'],
    ['0 0 31 4,6,9,11 *', /never comes due/],
    ['*/0 * * * *', /"\*\/0" is not a valid minute \(0 to 59; with lists 1,3, ranges 1-5 and steps \*\/2\)$/],
    ['60 * * * *', /"60" is not a valid minute/],
    ['*/90 * * * *', /"\*\/90" is not a valid minute/],
    ['1.5 * * * *', /"1.5" is not a valid minute/],
    ['1,,2 * * * *', /"1,,2" is not a valid minute/],
    ['0 24 * * *', /"24" is not a valid hour \(0 to 23/],
    ['0 17-9 * * *', /"17-9" is not a valid hour/],
    ['0 0 0 * *', /"0" is not a valid day of the month \(1 to 31/],
    ['0 0 32 * *', /"32" is not a valid day of the month/],
    ['0 0 * 13 *', /"13" is not a valid month \(1 to 12/],
    ['0 0 * JANUARY *', /"JANUARY" is not a valid month/],
    ['0 0 * * 8', /"8" is not a valid weekday \(0 to 7/],
    ['0 0 * * FUNDAY', /"FUNDAY" is not a valid weekday/],
    ['0 0 * * 5#6', /"5#6" is not a valid weekday/],
    ['a b c d e', /"a" is not a valid minute/],
  ])('"%s" is refused in words that name what is wrong', (expression, words) => {
    expect(() => parseCron(expression, 'UTC')).toThrow(ScheduleError);
    expect(() => parseCron(expression, 'UTC')).toThrow(words);
  });

  it('is refused when there is none at all', () => {
    expect(() => parseCron(undefined, 'UTC')).toThrow('The cron expression is empty');
  });
});
