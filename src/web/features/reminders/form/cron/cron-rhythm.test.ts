import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readCron } from '#domain/cron-expression.ts';
import { type CronRhythm, cronOf, cronProblem, hourSteps, minuteSteps, rhythmOf } from './cron-rhythm.ts';

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const weekday = fc.integer({ min: 0, max: 6 });
const rhythms: fc.Arbitrary<CronRhythm> = fc.oneof(
  fc.record({ every: fc.constant('minutes' as const), step: fc.constantFrom(...minuteSteps) }),
  fc.record({
    every: fc.constant('hours' as const),
    step: fc.constantFrom(...hourSteps),
    minute: fc.integer({ min: 0, max: 59 }),
  }),
  fc.record({ every: fc.constant('day' as const), time }),
  fc.record({
    every: fc.constant('week' as const),
    weekdays: fc.uniqueArray(weekday, { minLength: 1 }).map((days) => days.sort((a, b) => a - b)),
    time,
  }),
  fc.record({
    every: fc.constant('month' as const),
    day: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constant('last' as const)),
    time,
  }),
  fc.record({
    every: fc.constant('nth' as const),
    nth: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant('last' as const)),
    weekday,
    time,
  }),
);

it('every choice is written as cron, and read back as the same choice', () => {
  fc.assert(
    fc.property(rhythms, (rhythm) => {
      expect(readCron(cronOf(rhythm)).months.size).toBe(12);
      expect(rhythmOf(cronOf(rhythm))).toEqual(rhythm);
    }),
  );
});

it.each([
  ['0 9 * * 1-5', { every: 'week', weekdays: [1, 2, 3, 4, 5], time: '09:00' }],
  ['@weekly', { every: 'week', weekdays: [0], time: '00:00' }],
  ['0 9 ? * 2#2', { every: 'nth', nth: 2, weekday: 2, time: '09:00' }],
  ['0 9 L * *', { every: 'month', day: 'last', time: '09:00' }],
  ['0,30 * * * *', { every: 'minutes', step: 30 }],
  ['@hourly', { every: 'hours', step: 1, minute: 0 }],
])('%s, when typed, is shown as the matching choice', (expression, rhythm) => {
  expect(rhythmOf(expression)).toEqual(rhythm);
});

it.each(['0 9,17 * * *', '0 9 1 * MON', '0 9 * 6 *', '*/7 * * * *', '0 9 1,15 * *', '0 9 * * MON,2#2', 'nonsense', ''])(
  '%s matches no choice and is kept as typed',
  (expression) => {
    expect(rhythmOf(expression)).toBeNull();
  },
);

it('an error names the cron field that it is in', () => {
  expect(cronProblem('0 99 * * *')).toBe('Hour: 99 is not between 0 and 23');
  expect(cronProblem('0 9 * *')).toMatch(/has 4 fields; it needs five: minute hour day month weekday$/);
  expect([cronProblem(' '), cronProblem('0 9 * * MON')]).toEqual([null, null]);
});
