import type { ScheduleConfig } from '#contract/schedules.ts';
import type { Remark } from './line.ts';
import type { SaidSchedule } from './said-schedule.ts';
import type { TimeOfDay } from './pieces.ts';

export type Schedule = { config: ScheduleConfig; wording: string };
export type Asked = { said: SaidSchedule; now: Temporal.Instant; zone: string };
/** The schedule; null where there is a problem. */
export type Scheduled = { schedule: Schedule | null; notes: Remark[]; problems: Remark[] };

/** The time of day when none is given; the form has the same default. */
export const usualTime: TimeOfDay = { hour: 9, minute: 0 };

/** Wall time, as stored. */
export const wallText = (at: Temporal.PlainDateTime) => at.toString({ smallestUnit: 'second' });

export const todayIn = (zone: string, now: Temporal.Instant) => now.toZonedDateTimeISO(zone).toPlainDate();

/** Whether this time on this day is still in the future in the zone. */
export function isAhead(
  day: Temporal.PlainDate,
  { time, zone, now }: { time: TimeOfDay; zone: string; now: Temporal.Instant },
): boolean {
  const at = day.toPlainDateTime(time).toZonedDateTime(zone, { disambiguation: 'compatible' });
  return Temporal.Instant.compare(at.toInstant(), now) > 0;
}
