import type { ScheduleConfig } from '#contract/schedules.ts';
import { nextOccurrence, occurrences } from '#domain/schedule.ts';

/**
 * Returns where to continue after `after` so that at most `limit` occurrences lie from there to `until`: the next one
 * or, when more were missed, the oldest of the newest `limit`. Null when none lies between them.
 */
export function recentOccurrence(
  config: ScheduleConfig,
  { after, until, limit }: { after: Temporal.Instant; until: Temporal.Instant; limit: number },
): Temporal.Instant | null {
  const fits = (from: Temporal.Instant) => {
    const last = occurrences(config, { after: from, count: limit + 1 })[limit];
    return last === undefined || Temporal.Instant.compare(last, until) > 0;
  };
  let from = after;
  if (!fits(from)) {
    // A binary search in time: an every-minute schedule may have been down for a year.
    let [tooEarly, lateEnough] = [after.epochMilliseconds, until.epochMilliseconds];
    while (lateEnough - tooEarly > 1) {
      const middle = Math.floor((tooEarly + lateEnough) / 2);
      if (fits(Temporal.Instant.fromEpochMilliseconds(middle))) lateEnough = middle;
      else tooEarly = middle;
    }
    from = Temporal.Instant.fromEpochMilliseconds(lateEnough);
  }
  const next = nextOccurrence(config, { after: from });
  return next === null || Temporal.Instant.compare(next, until) > 0 ? null : next;
}
