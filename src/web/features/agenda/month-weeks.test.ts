import { expect, it } from 'vitest';
import { dayAfter, inMonth, monthsBetween, weeksOf, weeksShown } from './month-weeks.ts';

it('a month begins with the Sunday of its first week', () => {
  // 1 December 2026 is a Tuesday.
  const weeks = weeksOf('2026-12');
  expect(weeks[0]).toEqual([null, null, '2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04', '2026-12-05']);
  expect(weeks.at(-1)).toEqual(['2026-12-27', '2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31', null, null]);
  // February of 2026 fills four weeks.
  expect(weeksOf('2026-02').flat()).toHaveLength(28);
});

it('sixty days lie in three months, over the turn of the year too', () => {
  expect(monthsBetween('2026-11-28', '2027-01-26')).toEqual(['2026-11', '2026-12', '2027-01']);
  expect(monthsBetween('2026-12-31', '2026-12-31')).toEqual(['2026-12']);
});

it('a day moves by days, whatever the clocks do', () => {
  expect([dayAfter('2026-12-31', 1), dayAfter('2026-03-29', -1), dayAfter('2027-03-01', -7)]).toEqual([
    '2027-01-01',
    '2026-03-28',
    '2027-02-22',
  ]);
});

it('a day of a longer month leads to the last of a shorter one', () => {
  expect([
    inMonth('2027-02', '2027-01-30'),
    inMonth('2027-03', '2027-02-28'),
    inMonth('2026-12', '2027-01-31'),
  ]).toEqual(['2027-02-28', '2027-03-28', '2026-12-31']);
});

it('a month that ends soon goes on with the weeks of the next one', () => {
  const time = { from: '2026-11-28', to: '2027-01-26' };
  const sundays = (month: string) => weeksShown(month, time).map(([sunday]) => sunday);
  expect(sundays('2026-11')).toEqual(['2026-11-22', '2026-11-29', '2026-12-06', '2026-12-13', '2026-12-20']);
  expect(sundays('2026-12')).toEqual(['2026-11-29', '2026-12-06', '2026-12-13', '2026-12-20', '2026-12-27']);
  expect(sundays('2027-01')).toEqual(['2026-12-27', '2027-01-03', '2027-01-10', '2027-01-17', '2027-01-24']);
  expect(weeksShown('2026-11', { from: '2026-11-02', to: '2026-12-31' })).toHaveLength(5);
});

it('a month shows no week after the last day', () => {
  expect(weeksShown('2027-01', { from: '2026-11-04', to: '2027-01-02' }).flat().at(-1)).toBe('2027-01-02');
});
