import { z } from 'zod';
import { hoursOfDays } from '#contract/sending-hours.ts';
import { TimeZone } from '#contract/schedules.ts';

/** Shorter hours would leave no room for what waits. */
export const shortestHoursMinutes = 60;

/** The minutes of a time of day since midnight. */
export const minutesOf = (time: string): number => {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
};

export const receivingHours = { ...hoursOfDays, timezone: TimeZone };

/** The hours in which somebody wants messages, in their timezone; outside of them messages wait. `days`, `from` and `to` as those of sending hours. */
export const ReceivingHours = z
  .strictObject(receivingHours)
  .refine(({ from, to }) => (minutesOf(to) - minutesOf(from) + 1_440) % 1_440 >= shortestHoursMinutes, {
    path: ['to'],
    error: 'Choose at least one hour',
  });
export type ReceivingHours = z.output<typeof ReceivingHours>;
