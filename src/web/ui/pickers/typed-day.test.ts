import { expect, it } from 'vitest';
import { typedDay } from './typed-day.ts';

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
