import { expect, it } from 'vitest';
import { dayOfMonthOf, onDayOfMonth, onWeekday, weekdayOf } from './start-day.ts';

// A Sunday.
const today = '2026-11-22';

it.each([
  ['2026-11-25T09:00:00', 5, '2026-11-27T09:00:00'],
  ['2026-11-25T09:00:00', 1, '2026-11-23T09:00:00'],
  ['2026-11-23T09:00:00', 0, '2026-11-29T09:00:00'],
  ['2027-03-03T09:00:00', 0, '2027-02-28T09:00:00'],
  ['2026-10-07T18:30:00', 1, '2026-10-05T18:30:00'],
  ['2026-11-25T09:00:00', 3, '2026-11-25T09:00:00'],
])('a start of %s moves to the nearest weekday %i: %s', (start, weekday, moved) => {
  expect(onWeekday(start, { weekday, today })).toBe(moved);
  expect(weekdayOf(moved)).toBe(weekday);
});

it.each([
  ['2026-11-25T09:00:00', 28, '2026-11-28T09:00:00'],
  ['2026-11-25T09:00:00', 1, '2026-12-01T09:00:00'],
  ['2026-11-25T09:00:00', 31, '2026-12-31T09:00:00'],
  ['2027-01-15T09:00:00', 30, '2027-01-30T09:00:00'],
  ['2027-02-01T09:00:00', 30, '2027-03-30T09:00:00'],
  ['2026-10-07T09:00:00', 1, '2026-10-01T09:00:00'],
  ['2026-11-25T09:00:00', 22, '2026-12-22T09:00:00'],
])('a start of %s moves to day %i of a month that has it: %s', (start, day, moved) => {
  expect(onDayOfMonth(start, { day, today })).toBe(moved);
  expect(dayOfMonthOf(moved)).toBe(day);
});
