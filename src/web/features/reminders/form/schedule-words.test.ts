import { expect, it } from 'vitest';
import type { ScheduleConfig } from '#contract/schedules.ts';
import { storedScheduleInWords } from './schedule-words.ts';

const zone = { timezone: 'Europe/Berlin' };

it.each([
  [{ type: 'scheduled', scheduleType: 'daily', startDate: '2026-12-01T09:00:00' }, 'Every day at 09:00'],
  [{ type: 'scheduled', scheduleType: 'weekly', startDate: '2026-12-01T08:30:00Z' }, 'Every Tuesday at 09:30'],
  [{ type: 'scheduled', scheduleType: 'custom', customCron: '0 9 * * MON' }, 'Every Monday at 09:00'],
  [{ type: 'scheduled', scheduleType: 'custom', customCron: '0 99 * * *' }, null],
  [{ type: 'scheduled', scheduleType: 'daily' }, null],
  [{ type: 'scheduled' }, null],
  [
    { type: 'event-based', eventTrigger: 'trial_ending', delayAmount: 2, delayUnit: 'hours' },
    '2 hours after “trial ending” happens',
  ],
  [
    { type: 'event-based', eventTrigger: 'trial_ending', delayAmount: 1, delayUnit: 'days' },
    '1 day after “trial ending” happens',
  ],
  [{ type: 'event-based', eventTrigger: 'trial_ending' }, 'As soon as “trial ending” happens'],
  [{ type: 'event-based' }, null],
  ...[-1, 999_999_999, Number.NaN].map((delayAmount) => [
    { type: 'event-based', eventTrigger: 'trial_ending', delayAmount, delayUnit: 'hours' },
    null,
  ]),
] as [Omit<ScheduleConfig, 'timezone'>, string | null][])('the stored schedule %j reads as %j', (config, words) => {
  expect(storedScheduleInWords({ ...config, ...zone })).toBe(words);
});
