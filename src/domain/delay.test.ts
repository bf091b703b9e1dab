import { describe, expect, it } from 'vitest';
import type { ScheduleConfig } from '#contract/schedules.ts';
import { dueAfterEvent } from '#domain/delay.ts';

const due = (at: string, delay: Partial<ScheduleConfig>) =>
  dueAfterEvent(
    { type: 'event-based', timezone: 'UTC', ...delay },
    { occurredAt: Temporal.Instant.from(at) },
  ).toString();

describe('an event reminder is due', () => {
  it.each<[string, Partial<ScheduleConfig>, string]>([
    ['at once without a delay', {}, '2026-03-02T08:00:00Z'],
    ['at once after a delay of nothing', { delayAmount: 0, delayUnit: 'weeks' }, '2026-03-02T08:00:00Z'],
    ['after minutes', { delayAmount: 90, delayUnit: 'minutes' }, '2026-03-02T09:30:00Z'],
    ['after hours', { delayAmount: 36, delayUnit: 'hours' }, '2026-03-03T20:00:00Z'],
    ['after days', { delayAmount: 3, delayUnit: 'days' }, '2026-03-05T08:00:00Z'],
    ['after weeks', { delayAmount: 2, delayUnit: 'weeks' }, '2026-03-16T08:00:00Z'],
    ['after hours where the unit was left out', { delayAmount: 2 }, '2026-03-02T10:00:00Z'],
    ['after a fraction of a minute', { delayAmount: 0.5, delayUnit: 'minutes' }, '2026-03-02T08:00:30Z'],
    ['after a day and a half', { delayAmount: 1.5, delayUnit: 'days' }, '2026-03-03T20:00:00Z'],
    ['after ten days and a half', { delayAmount: 1.5, delayUnit: 'weeks' }, '2026-03-12T20:00:00Z'],
    ['after the longest delay there is', { delayAmount: 100_000, delayUnit: 'weeks' }, '3942-09-14T08:00:00Z'],
  ])('%s', (_, delay, expected) => {
    expect(due('2026-03-02T08:00:00Z', delay)).toBe(expected);
  });

  // Clocks in Berlin go forward in the night to 29 March 2026, and back in the night to 25 October.
  it.each<[string, string, Partial<ScheduleConfig>, string]>([
    [
      'a day keeps the time of day when clocks go forward',
      '2026-03-28T08:00:00Z',
      { delayAmount: 1, delayUnit: 'days' },
      '2026-03-29T07:00:00Z',
    ],
    [
      'a day keeps the time of day when clocks go back',
      '2026-10-24T07:00:00Z',
      { delayAmount: 1, delayUnit: 'days' },
      '2026-10-25T08:00:00Z',
    ],
    ['a week keeps it as well', '2026-03-25T08:00:00Z', { delayAmount: 1, delayUnit: 'weeks' }, '2026-04-01T07:00:00Z'],
    ['24 hours elapse', '2026-03-28T08:00:00Z', { delayAmount: 24, delayUnit: 'hours' }, '2026-03-29T08:00:00Z'],
    [
      '1440 minutes elapse',
      '2026-10-24T07:00:00Z',
      { delayAmount: 1440, delayUnit: 'minutes' },
      '2026-10-25T07:00:00Z',
    ],
    [
      'a time of day that is skipped comes later by the gap',
      '2026-03-28T01:30:00Z',
      { delayAmount: 1, delayUnit: 'days' },
      '2026-03-29T01:30:00Z',
    ],
  ])('in Berlin %s', (_, at, delay, expected) => {
    expect(due(at, { ...delay, timezone: 'Europe/Berlin' })).toBe(expected);
  });
});
