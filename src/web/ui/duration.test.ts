import { expect, it } from 'vitest';
import { durationText } from './duration.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

it.each([
  [-5, '0.0s'],
  [40, '0.0s'],
  [400, '0.4s'],
  [9_949, '9.9s'],
  [9_950, '10s'],
  [59_499, '59s'],
  [59_500, '1m 00s'],
  [61 * second, '1m 01s'],
  [59 * minute + 59 * second, '59m 59s'],
  [hour, '1h 0m 00s'],
  [2 * hour + 5 * minute + 9 * second, '2h 5m 09s'],
  [50 * hour, '50h 0m 00s'],
])('%d ms are shown in hours, minutes and seconds as %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});
