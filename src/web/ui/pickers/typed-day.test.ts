import { expect, it } from 'vitest';
import { typedDay, untakenText } from './typed-day.ts';

it.each([
  ['2026-11-28', '2026-11-28'],
  [' 28 Nov 2026 ', '2026-11-28'],
  ['28 november 2026', '2026-11-28'],
  ['28. Nov. 2026', '2026-11-28'],
  ['1 Sept 2026', '2026-09-01'],
  ['5.1.2026', '2026-01-05'],
  ['29.2.2028', '2028-02-29'],
])('%s is a day', (typed, day) => {
  expect(typedDay(typed)).toBe(day);
});

it.each(['11/28/2026', '31.11.2026', '29 Feb 2026', '28 Nog 2026', '28 Nov 26', '0020-01-01', 'tomorrow', ''])(
  '%s is no day that is sure',
  (typed) => {
    expect(typedDay(typed)).toBeNull();
  },
);

it.each([
  ['11/28/2026', '“11/28/2026” was not taken: write a day as 28 Nov 2026 or 2026-11-28'],
  ['2026-11-01', '“2026-11-01” was not taken: the first day is 5 Nov 2026'],
  ['1 Jan 2027', '“1 Jan 2027” was not taken: the last day is 30 Nov 2026'],
  ['x'.repeat(5_000), `“${'x'.repeat(40)}” was not taken: write a day as 28 Nov 2026 or 2026-11-28`],
  ['5 Nov 2026', null],
  ['  ', null],
])('what was typed and is not taken is said: %.20s', (typed, text) => {
  expect(untakenText(typed, { min: '2026-11-05', max: '2026-11-30' })).toBe(text);
});
