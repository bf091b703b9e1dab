import type { ScheduleConfig } from '#contract/schedules.ts';

const dayMs = 86_400_000;
const elapsingMs = { minutes: 60_000, hours: 3_600_000 };

/**
 * When an event reminder is due. Minutes and hours elapse; days and weeks are calendar days in the reminder's zone, so that
 * it keeps the event's time of day across a clock change; what remains of a broken number of days elapses. A delay
 * without its unit is in hours, as the form begins.
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
