import fc from 'fast-check';
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
    expect(times('5/20 0 * * *', { count: 4 }).map((time) => time.slice(11))).toEqual([
      '00:05',
      '00:25',
      '00:45',
      '00:05',
    ]);
    expect(times('*/60 */24 * * *')).toEqual(times('0 0 * * *'));
    expect(days('0 0 * * 1/2', 4)).toEqual(['01-02', '01-05', '01-07', '01-09']);
    expect(days('0 0 * jan-mar/2 SUN', 7).slice(3)).toEqual(['01-25', '03-01', '03-08', '03-15']);
  });

  it('calls Sunday both 0 and 7', () => {
    expect(days('0 0 * * 0')).toEqual(['01-04', '01-11', '01-18']);
    expect(days('0 0 * * 7')).toEqual(days('0 0 * * SUN'));
    for (const weekend of ['6-7', '6-0', 'SAT-SUN', 'SUN,SAT', '0,6', '7,6', '6L,0-6/6'])
      expect(days(`0 0 * * ${weekend}`, 4)).toEqual(['01-03', '01-04', '01-10', '01-11']);
    expect(days('0 0 * * 0-7', 8)).toEqual(days('0 0 * * *', 8));
    expect(days('0 0 * * MON-SUN', 8)).toEqual(days('0 0 * * *', 8));
  });

  it('with a day of the month and a weekday means either of them', () => {
    expect(days('0 0 13 * FRI', 5)).toEqual(['01-02', '01-09', '01-13', '01-16', '01-23']);
    expect(days('0 0 30 2 MON', 4)).toEqual(['02-02', '02-09', '02-16', '02-23']);
    expect(days('0 0 1-31 * MON')).toEqual(days('0 0 * * *'));
    expect(days('0 0 10,*/2 * MON', 4)).toEqual(['01-03', '01-05', '01-07', '01-09']);
  });

  it('with a star in front of one of them means days that match both, as in Debian’s cron', () => {
    expect(days('0 0 */2 * MON', 4)).toEqual(['01-05', '01-19', '02-09', '02-23']);
    expect(days('0 0 13 * */2', 4)).toEqual(['01-13', '06-13', '08-13', '09-13']);
    expect(days('0 0 */10 * MON#1', 3)).toEqual(['06-01', '02-01', '03-01']);
    expect(days('0 0 */2,10 * SAT', 3)).toEqual(['01-03', '01-10', '01-17']);
  });

  it('with a star and the step 1 means the same as a star', () => {
    expect(days('0 0 */1 * MON', 9)).toEqual(days('0 0 * * MON', 9));
    expect(days('0 0 13 * */1', 9)).toEqual(days('0 0 13 * *', 9));
    expect(times('*/1 */1 */1 */1 */1')).toEqual(times('* * * * *'));
  });

  it('with a question mark matches any day', () => {
    expect(days('0 0 ? * MON')).toEqual(['01-05', '01-12', '01-19']);
    expect(days('0 0 13 * ?')).toEqual(['01-13', '02-13', '03-13']);
    expect(days('0 0 ? * ?')).toEqual(days('0 0 * * *'));
  });

  it('knows the last day of the month, the nth weekday and the last one', () => {
    expect(days('0 0 L * *')).toEqual(['01-31', '02-28', '03-31']);
    expect(days('0 0 * * FRI#2')).toEqual(['01-09', '02-13', '03-13']);
    expect(days('0 0 * * 5L')).toEqual(['01-30', '02-27', '03-27']);
    expect(days('0 0 l,15 * *', 4)).toEqual(['01-15', '01-31', '02-15', '02-28']);
    expect(days('0 0 * * fril,0#1,7L', 5)).toEqual(['01-04', '01-25', '01-30', '02-01', '02-22']);
    expect(days('0 0 L * 5L', 4)).toEqual(['01-30', '01-31', '02-27', '02-28']);
    expect(times('0 0 * 2 MON#5', { count: 1 })).toEqual(['2044-02-29T00:00']);
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

  it('works in whole minutes: a time within a minute waits for the next', () => {
    const timetable = parseCron('* * * * *', 'UTC');
    const next = (after: string) => timetable.next(Temporal.Instant.from(after))?.toString();
    expect(next('2026-01-01T09:59:59.999999999Z')).toBe('2026-01-01T10:00:00Z');
    expect(next('2026-01-01T10:00:00Z')).toBe('2026-01-01T10:01:00Z');
    expect(next('2026-01-01T10:00:00.5Z')).toBe('2026-01-01T10:01:00Z');
    expect(next('1969-12-31T23:58:30.5Z')).toBe('1969-12-31T23:59:00Z');
  });
});

describe('an invalid cron expression', () => {
  it.each([
    ['', 'The cron expression is empty. Example: "0 9 * * MON" for every Monday at 9 AM'],
    ['   ', 'The cron expression is empty. Example: "0 9 * * MON" for every Monday at 9 AM'],
    ['junk', 'The cron expression "junk" has 1 field; it needs five: minute hour day month weekday'],
    ['0 0 9 * * MON', 'The cron expression "0 0 9 * * MON" has 6 fields; it needs five: minute hour day month weekday'],
    ['2026-01-01T00:00:00', /has 1 field/],
    ['@sometimes', /^"@sometimes" is not a cron nickname. There are @hourly, @daily/],
    ['@reboot', /^"@reboot" is not a cron nickname/],
    ['@daily MON', /^"@daily MON" is not a cron nickname/],
    ['*/0 * * * *', 'Minute: the step must be at least 1, not 0'],
    ['1-9/00 * * * *', 'Minute: the step must be at least 1, not 00'],
    ['*/90 * * * *', 'Minute: the step must be at most 60, not 90'],
    ['0 */25 * * *', 'Hour: the step must be at most 24, not 25'],
    ['*/ * * * *', 'Minute: the step "" is not a whole number'],
    ['*/x * * * *', 'Minute: the step "x" is not a whole number'],
    ['*/2/3 * * * *', 'Minute: the step "2/3" is not a whole number'],
    ['60 * * * *', 'Minute: 60 is not between 0 and 59'],
    ['1.5 * * * *', 'Minute: "1.5" is not a number from 0 to 59'],
    ['0x5 * * * *', 'Minute: "0x5" is not a number from 0 to 59'],
    ['٣ * * * *', 'Minute: "٣" is not a number from 0 to 59'],
    ['1,,2 * * * *', 'Minute: "1,,2" has a comma with nothing beside it'],
    ['1, * * * *', 'Minute: "1," has a comma with nothing beside it'],
    ['-5 * * * *', 'Minute: "-5" is not a range such as 0-4'],
    ['1-2-3 * * * *', 'Minute: "1-2-3" is not a range such as 0-4'],
    ['? * * * *', 'Minute: ? is only for the day of the month or the weekday; write * for all'],
    ['0 24 * * *', 'Hour: 24 is not between 0 and 23'],
    ['0 17-9 * * *', 'Hour: the range 17-9 runs backwards; write 17-23,0-9 to go round'],
    ['0 L * * *', 'Hour: "L" is not a number from 0 to 23'],
    ['0 0 0 * *', 'Day of the month: 0 is not between 1 and 31'],
    ['0 0 32 * *', 'Day of the month: 32 is not between 1 and 31'],
    ['0 0 30 2 *', 'Day of the month: February has no day 30'],
    ['0 0 31 feb,apr-jun/2,SEP *', 'Day of the month: none of these months has a day 31'],
    ['0 0 15W * *', 'Day of the month: W, the nearest working day, is not supported'],
    ['0 0 LW * *', 'Day of the month: W, the nearest working day, is not supported'],
    ['0 0 L-3 * *', 'Day of the month: "L-3" is not supported; L alone is the last day'],
    ['0 0 MON * *', 'Day of the month: "MON" is not a number from 1 to 31'],
    ['0 0 ?/2 * *', 'Day of the month: ? is only for the day of the month or the weekday; write * for all'],
    ['0 0 * 13 *', 'Month: 13 is not between 1 and 12'],
    ['0 0 * JANUARY *', 'Month: "JANUARY" is not a number from 1 to 12 or a name from JAN to DEC'],
    ['0 0 * * 8', 'Weekday: 8 is not between 0 and 7'],
    ['0 0 * * FUNDAY', 'Weekday: "FUNDAY" is not a number from 0 to 7 or a name from SUN to SAT'],
    ['0 0 * * FRI-MON', 'Weekday: the range FRI-MON runs backwards; write 5-6,0-1 to go round'],
    ['0 0 * * 5#6', 'Weekday: the number after # must be from 1 to 5, not "6"'],
    ['0 0 * * MON#', 'Weekday: the number after # must be from 1 to 5, not ""'],
    ['0 0 * * #2', 'Weekday: "" is not a number from 0 to 7 or a name from SUN to SAT'],
    ['0 0 * * 1-5#2', 'Weekday: "1-5" is not a number from 0 to 7 or a name from SUN to SAT'],
    ['0 0 * * L', 'Weekday: L needs a weekday before it; 5L is the last Friday'],
    ['0 0 * * 8L', 'Weekday: 8 is not between 0 and 7'],
    ['0 0 */31 * MON#2', 'Weekday: it is never on one of these days of the month'],
    ['0 0 30 2 */2', 'Day of the month: February has no day 30'],
    ['a b c d e', 'Minute: "a" is not a number from 0 to 59'],
  ])('"%s" is refused in words that name the field and what is wrong with it', (expression, words) => {
    expect(() => parseCron(expression, 'UTC')).toThrow(ScheduleError);
    expect(() => parseCron(expression, 'UTC')).toThrow(words);
  });

  it('is refused when there is none at all', () => {
    expect(() => parseCron(undefined, 'UTC')).toThrow('The cron expression is empty');
  });
});

describe('whatever is written as a cron expression', () => {
  const token = fc.constantFrom(
    '*',
    '?',
    'L',
    'W',
    '#',
    '/',
    '-',
    ',',
    '0',
    '1',
    '5',
    '7',
    '12',
    '31',
    '60',
    'MON',
    'FEB',
  );
  const field = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom('*', '?', '2', '1-5', '*/2', '1,3', '5/3', 'L', '5L', 'SUN#5', '29', '31'),
    },
    { weight: 1, arbitrary: fc.array(token, { minLength: 1, maxLength: 4 }).map((tokens) => tokens.join('')) },
  );
  const written = fc.oneof(
    { weight: 5, arbitrary: fc.array(field, { minLength: 5, maxLength: 5 }).map((fields) => fields.join(' ')) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  );
  const valid = fc.constantFrom<string>('*', '0', '1-5', '*/2', '1,3', '5/3');

  const outcomeOf = (expression: string): { next: Temporal.Instant | null } | { refusal: string } => {
    try {
      return { next: parseCron(expression, 'Europe/Berlin').next(Temporal.Instant.from('2026-01-01T00:00:00Z')) };
    } catch (error) {
      if (error instanceof ScheduleError) return { refusal: error.message };
      throw error;
    }
  };

  it('either comes due some day or is refused in words', () => {
    const seen = { due: 0, refused: 0 };
    fc.assert(
      fc.property(written, (expression) => {
        const outcome = outcomeOf(expression);
        if ('next' in outcome) {
          seen.due += 1;
          expect(outcome.next).not.toBeNull();
        } else {
          seen.refused += 1;
          expect(outcome.refusal).toMatch(
            /^(Minute|Hour|Day of the month|Month|Weekday): .|^The cron expression |is not a cron nickname/,
          );
        }
      }),
      { seed: 20_261_120, numRuns: 3_000 },
    );
    expect(Math.min(seen.due, seen.refused)).toBeGreaterThan(20);
  });

  it('is refused for the one field that is wrong', () => {
    const labels = ['Minute', 'Hour', 'Day of the month', 'Month', 'Weekday'];
    const wrong = fc.constantFrom('x', '*/0', '99', '5-1', '1,', '1-2-3', '1.5', '-1');
    fc.assert(
      fc.property(fc.array(valid, { minLength: 5, maxLength: 5 }), fc.nat(4), wrong, (fields, index, piece) => {
        // Every month has some of these days, so that only the one field is wrong.
        const right = fields.with(2, '*').with(3, '*');
        expect(outcomeOf(right.with(index, piece).join(' '))).toEqual({
          refusal: expect.stringMatching(new RegExp(`^${labels[index]}: `)),
        });
      }),
      { seed: 20_261_120, numRuns: 200 },
    );
  });
});
