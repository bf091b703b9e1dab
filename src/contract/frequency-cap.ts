import { z } from 'zod';
import { TimeZone } from '#contract/schedules.ts';

export const capLimits = { perDay: 100, perWeek: 700 } as const;

const most = (limit: number) =>
  z
    .number()
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(limit, `must be at most ${limit}`)
    .nullable();

/**
 * How many messages that people can leave go to one address or number on a day and in a week, which begins on Monday; null for any number. Required topics
 * and reminders of high priority are not counted.
 */
export const FrequencyCap = z.strictObject({
  perDay: most(capLimits.perDay),
  perWeek: most(capLimits.perWeek),
  /** Whose days and weeks they are. */
  timezone: TimeZone,
});
export type FrequencyCap = z.output<typeof FrequencyCap>;
