import type { ScheduleConfig } from '#contract/schedules.ts';
import { latestOccurrence, nextOccurrence } from '#domain/schedule.ts';

// Further than this no zone has ever moved: across the date line, or by an hour or two.
const reach = Temporal.Duration.from({ hours: 26 });

/**
 * When an occurrence comes that was planned with other time-zone data: at the nearest time of its schedule, because a
 * zone moves by hours where most schedules go by days; where that time is taken, at the next free one. Null when the
 * schedule has no time left. (Fixed cron times as close together as the zone has moved cannot be told apart by this.)
 */
export function sameOccurrence(
  config: ScheduleConfig,
  { planned, isTaken }: { planned: Temporal.Instant; isTaken: (at: Temporal.Instant) => boolean },
): Temporal.Instant | null {
  let at = nearestOccurrence(config, planned);
  while (at !== null && isTaken(at)) at = nextOccurrence(config, { after: at });
  return at;
}

function nearestOccurrence(config: ScheduleConfig, planned: Temporal.Instant): Temporal.Instant | null {
  const later = nextOccurrence(config, { after: planned.subtract({ milliseconds: 1 }) });
  if (later?.equals(planned) === true) return planned;
  const earlier = latestOccurrence(config, { after: planned.subtract(reach), until: planned });
  if (earlier === null || later === null) return earlier ?? later;
  return earlier.until(planned).total('milliseconds') <= planned.until(later).total('milliseconds') ? earlier : later;
}
