import type { ScheduleConfig } from '#contract/schedules.ts';
import { latestOccurrence, nextOccurrence } from '#domain/schedule.ts';

// How far a new time is searched for: no zone ever moved further, and then across the date line.
const reach = Temporal.Duration.from({ hours: 26 });

/**
 * The new time of an occurrence that was scheduled with other timezone data: the nearest time of its schedule, because
 * zones move by hours and most schedules by days; when that time has a job, the next free one. Null when the schedule
 * has no time left. (Fixed cron times as close together as the zone's move cannot be told apart.)
 */
export function sameOccurrence(
  config: ScheduleConfig,
  { scheduled, isTaken }: { scheduled: Temporal.Instant; isTaken: (at: Temporal.Instant) => boolean },
): Temporal.Instant | null {
  let at = nearestOccurrence(config, scheduled);
  while (at !== null && isTaken(at)) at = nextOccurrence(config, { after: at });
  return at;
}

function nearestOccurrence(config: ScheduleConfig, scheduled: Temporal.Instant): Temporal.Instant | null {
  const later = nextOccurrence(config, { after: scheduled.subtract({ milliseconds: 1 }) });
  if (later?.equals(scheduled) === true) return scheduled;
  const earlier = latestOccurrence(config, { after: scheduled.subtract(reach), until: scheduled });
  if (earlier === null || later === null) return earlier ?? later;
  return earlier.until(scheduled).total('milliseconds') <= scheduled.until(later).total('milliseconds')
    ? earlier
    : later;
}
