import type { ScheduleConfig } from '#contract/schedules.ts';
import { dayMs } from '#domain/instants.ts';

const elapsingMs = { minutes: 60_000, hours: 3_600_000 };

/**
 * Returns when an event reminder is due. Minutes and hours elapse. Days and weeks are calendar days in the reminder's
 * zone, so that it keeps the event's time of day across a clock change; a fraction of a day elapses. A delay without a
 * unit is in hours, the form's default.
 */
export function dueAfterEvent(
  { delayAmount: amount = 0, delayUnit: unit = 'hours', timezone }: ScheduleConfig,
  { occurredAt }: { occurredAt: Temporal.Instant },
): Temporal.Instant {
  switch (unit) {
    case 'minutes':
    case 'hours':
      return occurredAt.add({ milliseconds: Math.round(amount * elapsingMs[unit]) });
    case 'days':
    case 'weeks': {
      const total = unit === 'weeks' ? amount * 7 : amount;
      const days = Math.trunc(total);
      const sameTime = occurredAt.toZonedDateTimeISO(timezone).add({ days }).toInstant();
      return sameTime.add({ milliseconds: Math.round((total - days) * dayMs) });
    }
    default:
      return unit satisfies never;
  }
}
