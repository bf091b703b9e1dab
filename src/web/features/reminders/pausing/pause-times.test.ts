import { expect, it } from 'vitest';
import { pauseTimes } from './pause-times.ts';

it('a pause is offered until nine in the morning, tomorrow and in a week, also over a change of the clocks', () => {
  const [tomorrow, week] = pauseTimes(new Date(2026, 9, 24, 23, 30)).map(({ until }) => new Date(until));
  expect([tomorrow?.getDate(), tomorrow?.getHours(), tomorrow?.getMinutes()]).toEqual([25, 9, 0]);
  expect([week?.getDate(), week?.getHours()]).toEqual([31, 9]);
});
