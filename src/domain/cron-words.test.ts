import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCron } from '#domain/cron-expression.ts';
import { ScheduleError } from '#domain/cron-fields.ts';
import { cronInWords } from '#domain/cron-words.ts';

const said = (expression: string) => cronInWords(readCron(expression));

it.each([
  ['* * * * *', 'Every minute'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['5/15 * * * *', 'Every 15 minutes from minute 5 to 50 of every hour'],
  ['*/7 9-17 * * MON-FRI', 'Every 7 minutes from minute 0 to 56, from 09:00 to 17:59, every Monday to Friday'],
  ['0,10,15 * * * *', 'At minutes 0, 10 and 15 of every hour'],
  ['*/20 8,12,17 * * *', 'Every 20 minutes, in the hours of 08:00, 12:00 and 17:00'],
  ['*/5 */2 * * *', 'Every 5 minutes, in every 2nd hour from 00:00 to 22:59'],
  ['*/10 9 * * *', 'Every 10 minutes, from 09:00 to 09:59'],
  ['@hourly', 'Every hour'],
  ['30 * * * *', 'Every hour at minute 30'],
  ['0 */2 * * *', 'Every 2 hours'],
  ['0 */5 * * *', 'Every 5 hours from 00:00 to 20:00'],
  ['30 9-17 * * 1-5', 'Every hour from 09:30 to 17:30, every Monday to Friday'],
  ['0 9 * * *', 'Every day at 09:00'],
  ['0 9,17 * * *', 'Every day at 09:00 and 17:00'],
  ['@daily', 'Every day at 00:00'],
  ['0 9 * * MON', 'Every Monday at 09:00'],
  ['0 9 * * mon,wed,0', 'Every Monday, Wednesday and Sunday at 09:00'],
  ['0 9 * * FRI-SUN', 'Every Friday to Sunday at 09:00'],
  ['0 9 1 * *', 'On the 1st of every month at 09:00'],
  ['0 9 1,15,L * ?', 'On the 1st, 15th and last day of every month at 09:00'],
  ['0 9 1-7 * *', 'On the 1st to 7th of every month at 09:00'],
  ['0 9 * * 2#2', 'On the 2nd Tuesday of every month at 09:00'],
  ['0 16 * * 5L', 'On the last Friday of every month at 16:00'],
  ['0 9 25 12 *', 'On the 25th of December at 09:00'],
  ['0 9 * 6-8 *', 'Every day in June to August at 09:00'],
  ['0 9 13 * FRI', 'On the 13th of every month and also every Friday at 09:00'],
  ['0 9 */1 * MON', 'Every Monday at 09:00'],
  ['0 9 13 * */1', 'On the 13th of every month at 09:00'],
  ['0 9 */10 * MON', 'On the 1st, 11th, 21st and 31st of every month, only if it is also Monday at 09:00'],
  ['0 9 13 * */5', 'On the 13th of every month, only if it is also Friday and Sunday at 09:00'],
  ['0 9 * 1,7 MON', 'Every Monday in January and July at 09:00'],
  ['0 9 * * MON,2#2', 'Every Monday and also on the 2nd Tuesday of every month at 09:00'],
])('%s is “%s”', (expression, words) => {
  expect(said(expression)).toBe(words);
});

it('is the same for expressions that mean the same', () => {
  const same = ['0 9 * * 1-5', '0 9 ? * MON-FRI', ' 00  09 * 1-12 mon,tue,wed,thu,fri '];
  expect(new Set(same.map(said)).size).toBe(1);
});

function comesDue(expression: string): boolean {
  try {
    return readCron(expression).months.size > 0;
  } catch (error) {
    if (error instanceof ScheduleError) return false;
    throw error;
  }
}

const pick = (min: number, max: number) =>
  fc.oneof(
    fc.constant('*'),
    fc.integer({ min, max }).map(String),
    fc.integer({ min: 1, max: max - min }).map((step) => `*/${step}`),
    fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc.uniqueArray(fc.integer({ min, max }), { minLength: 2, maxLength: 5 }).map((list) => list.join(',')),
  );
const expressions = fc
  .tuple(
    pick(0, 59),
    pick(0, 23),
    fc.oneof(pick(1, 28), fc.constantFrom('L', '1,L', '?')),
    pick(1, 12),
    fc.oneof(pick(0, 6), fc.constantFrom('5L', 'MON#2', '1,2#3,FRIL', '?')),
  )
  .map((fields) => fields.join(' '))
  // A step over the days may never meet the second Monday.
  .filter(comesDue);

/** A unique text for the minutes that match. */
function meaningOf(expression: string): string {
  const { minutes, hours, days: someDays, months, weekdays: someWeekdays, needsBothDays } = readCron(expression);
  const isEither = someDays !== null && someWeekdays !== null && !needsBothDays;
  const isEveryDay = isEither && (someDays.numbers.size === 31 || someWeekdays.numbers.size === 7);
  const days = !isEither && someDays?.numbers.size === 31 ? null : someDays;
  const weekdays = !isEither && someWeekdays?.numbers.size === 7 ? null : someWeekdays;
  const sorted = (some: Iterable<number | string>) => [...some].map(String).sort();
  const day =
    isEveryDay || (days === null && weekdays === null)
      ? null
      : {
          isEither,
          days: days && [sorted(days.numbers), days.hasLast],
          weekdays: weekdays && [sorted(weekdays.numbers), sorted(weekdays.nth), sorted(weekdays.last)],
        };
  return JSON.stringify([minutes, hours, sorted(months), day]);
}

it('describes every expression, and never two different ones in the same words', () => {
  const heard = new Map<string, string>();
  fc.assert(
    fc.property(expressions, (expression) => {
      const words = said(expression);
      expect(words).toMatch(/^[A-Z][\w:, ]+$/);
      expect(words).not.toMatch(/undefined|NaN| {2}/);
      const meaning = meaningOf(expression);
      expect(heard.get(words) ?? meaning).toBe(meaning);
      heard.set(words, meaning);
    }),
    { numRuns: 3_000 },
  );
});
