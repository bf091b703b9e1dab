import { LRUCache } from 'lru-cache';
import { calmPeriodAt } from '#domain/calm-period.ts';
import { type CronFields, isMatch, nextWallMs } from '#domain/cron-calendar.ts';
import { readCron, normalised } from '#domain/cron-expression.ts';
import { ScheduleError } from '#domain/cron-fields.ts';
import { dayMs } from '#domain/instants.ts';

export { ScheduleError };

/** The due times of a cron expression in one zone. */
export type Timetable = {
  /** The first time strictly after `after`; null when there is none. */
  next(after: Temporal.Instant): Temporal.Instant | null;
  /** Whether a wall time is one of the expression's fixed times, which are adjusted at clock changes. */
  hasFixedTime(wall: Temporal.PlainDateTime): boolean;
  /**
   * The first wall time from one to another that the expression names and leaves out where clocks skip it; null for fixed times, which are moved, and
   * for an expression of every hour, which goes on after the gap as if there were none.
   */
  leftOut(from: Temporal.PlainDateTime, to: Temporal.PlainDateTime): Temporal.PlainDateTime | null;
};

/**
 * Parses five fields (minute hour day month weekday) or a nickname such as `@daily`. `readCronFields` documents the
 * fields. Throws ScheduleError with the reason.
 *
 * At clock changes, minutes and hours that are numbers (`30 2,14 * * *`) are fixed times: each comes once a day, later
 * by the gap when it falls into one, and at the first of two repeated hours. Everything else (`*`, ranges, steps)
 * follows elapsed time: it skips an hour that does not exist and runs twice through a repeated one.
 */
export function parseCron(expression: string | undefined, timezone: string): Timetable {
  const text = normalised(expression);
  const key = `${timezone} ${text}`;
  const known = timetables.get(key);
  if (known !== undefined) return known;
  const fields = readCron(text);
  const timetable = {
    next: fields.hasFixedTimes ? fixedTimes(fields, timezone) : elapsingTimes(fields, timezone),
    hasFixedTime: (wall: Temporal.PlainDateTime) => fields.hasFixedTimes && isMatch(fields, msOf(wall)),
    leftOut(from: Temporal.PlainDateTime, to: Temporal.PlainDateTime) {
      if (fields.hasFixedTimes || fields.hours.length === 24) return null;
      const wallMs = nextWallMs(fields, msOf(from) - 1);
      return wallMs === null || wallMs >= msOf(to) ? null : wallOf(wallMs);
    },
  };
  timetables.set(key, timetable);
  return timetable;
}

// Parsing an expression costs more than evaluating it, and the engine uses the same ones again and again.
const timetables = new LRUCache<string, Timetable>({ max: 1_000 });

/** Between two clock changes wall time is plain arithmetic, so this searches one calm period after the other. */
function elapsingTimes(fields: CronFields, timezone: string): Timetable['next'] {
  return (after) => {
    for (let fromMs = after.epochMilliseconds + 1; ; ) {
      const { offsetMs, untilMs } = calmPeriodAt(fromMs, timezone);
      const wallMs = nextWallMs(fields, fromMs - 1 + offsetMs);
      if (wallMs === null) return null;
      const atMs = wallMs - offsetMs;
      if (atMs < untilMs) return Temporal.Instant.fromEpochMilliseconds(atMs);
      // Only a nearby change can repeat a wall time that has passed here. All other wall times up to then were
      // searched.
      fromMs = untilMs - fromMs < 2 * dayMs ? untilMs : Math.max(untilMs, atMs - 2 * dayMs);
    }
  };
}

/** Near a clock change the zone converts the wall time. Elsewhere, nearly always, arithmetic is enough. */
function fixedTimes(fields: CronFields, timezone: string): Timetable['next'] {
  return (after) => {
    const afterMs = after.epochMilliseconds;
    const { offsetMs, fromMs, untilMs } = calmPeriodAt(afterMs, timezone);
    const wallMs = nextWallMs(fields, afterMs + offsetMs);
    if (wallMs !== null && fromMs + dayMs <= afterMs && wallMs - offsetMs < untilMs)
      return Temporal.Instant.fromEpochMilliseconds(wallMs - offsetMs);
    return nextFixedTime(fields, { after, timezone });
  };
}

function nextFixedTime(
  fields: CronFields,
  { after, timezone }: { after: Temporal.Instant; timezone: string },
): Temporal.Instant | null {
  let best: Temporal.ZonedDateTime | null = null;
  let wallMs = nextWallMs(fields, msOf(earliestWallAt(after, timezone)));
  // A time that a gap has moved may come after a later one that was not moved.
  while (wallMs !== null && (best === null || wallMs < msOf(best.toPlainDateTime()))) {
    const at = wallOf(wallMs).toZonedDateTime(timezone, { disambiguation: 'compatible' });
    const isLater = Temporal.Instant.compare(at.toInstant(), after) > 0;
    if (isLater && (best === null || Temporal.ZonedDateTime.compare(at, best) < 0)) best = at;
    wallMs = nextWallMs(fields, wallMs);
  }
  return best?.toInstant() ?? null;
}

/**
 * The wall time of this instant. On a day after a gap it is the time without the shift, because the shifted times are
 * still to come.
 */
function earliestWallAt(instant: Temporal.Instant, timezone: string): Temporal.PlainDateTime {
  const wall = instant.toZonedDateTimeISO(timezone).toPlainDateTime();
  const unmoved = instant.subtract({ hours: 24 }).toZonedDateTimeISO(timezone).toPlainDateTime().add({ hours: 24 });
  return Temporal.PlainDateTime.compare(unmoved, wall) < 0 ? unmoved : wall;
}

const msOf = (wall: Temporal.PlainDateTime) => wall.toZonedDateTime('UTC').epochMilliseconds;

const wallOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC').toPlainDateTime();
