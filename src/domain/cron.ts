import { LRUCache } from 'lru-cache';
import { calmPeriodAt } from '#domain/calm-period.ts';
import { isNamed, nextWallMs } from '#domain/cron-calendar.ts';
import { readCron, tidied } from '#domain/cron-expression.ts';
import { type CronFields, ScheduleError } from '#domain/cron-fields.ts';

export { ScheduleError };

/** When a cron expression comes due in one zone. */
export type Timetable = {
  /** The first time strictly after `after`, null when there is none. */
  next(after: Temporal.Instant): Temporal.Instant | null;
  /** Whether a wall time is named as a fixed one, which moves or is taken once where clocks change. */
  hasFixedTime(wall: Temporal.PlainDateTime): boolean;
};

/**
 * Five fields (minute hour day month weekday) or a nickname such as `@daily`; a day of the month and a weekday together
 * mean either, as in every cron. `readCronFields` says what a field may hold. Throws ScheduleError with the reason in
 * words.
 *
 * Where clocks change, minutes and hours that are numbers (`30 2,14 * * *`) are fixed times: each comes once a day, in a
 * gap later by the gap and in a repeated hour the first time. Everything else (`*`, ranges, steps) follows elapsed time:
 * it skips an hour that is not there and runs through a repeated one twice.
 */
export function parseCron(expression: string | undefined, timezone: string): Timetable {
  const text = tidied(expression);
  const key = `${timezone} ${text}`;
  const known = timetables.get(key);
  if (known !== undefined) return known;
  const fields = readCron(text);
  const timetable = {
    next: fields.hasFixedTimes ? fixedTimes(fields, timezone) : elapsingTimes(fields, timezone),
    hasFixedTime: (wall: Temporal.PlainDateTime) => fields.hasFixedTimes && isNamed(fields, msOf(wall)),
  };
  timetables.set(key, timetable);
  return timetable;
}

// Understanding an expression costs more than asking it, and the engine asks the same ones again and again.
const timetables = new LRUCache<string, Timetable>({ max: 1_000 });

const dayMs = 86_400_000;

/** Between two clock changes a wall time is plain arithmetic, so that one calm period after the other is looked through. */
function elapsingTimes(fields: CronFields, timezone: string): Timetable['next'] {
  return (after) => {
    for (let fromMs = after.epochMilliseconds + 1; ; ) {
      const { offsetMs, untilMs } = calmPeriodAt(fromMs, timezone);
      const wallMs = nextWallMs(fields, fromMs - 1 + offsetMs);
      if (wallMs === null) return null;
      const atMs = wallMs - offsetMs;
      if (atMs < untilMs) return Temporal.Instant.fromEpochMilliseconds(atMs);
      // Only a change close by can repeat a wall time that has passed here; the others lie before what comes next.
      fromMs = untilMs - fromMs < 2 * dayMs ? untilMs : Math.max(untilMs, atMs - 2 * dayMs);
    }
  };
}

/** Beside a clock change the zone says when a wall time is; elsewhere, which is nearly always, arithmetic does. */
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
  // A time that a gap has moved may be overtaken by a later one that needed no moving.
  while (wallMs !== null && (best === null || wallMs < msOf(best.toPlainDateTime()))) {
    const at = wallOf(wallMs).toZonedDateTime(timezone, { disambiguation: 'compatible' });
    const isLater = Temporal.Instant.compare(at.toInstant(), after) > 0;
    if (isLater && (best === null || Temporal.ZonedDateTime.compare(at, best) < 0)) best = at;
    wallMs = nextWallMs(fields, wallMs);
  }
  return best?.toInstant() ?? null;
}

/** The wall clock at this instant; for a day after a gap the one that was never put forward, because its times still come. */
function earliestWallAt(instant: Temporal.Instant, timezone: string): Temporal.PlainDateTime {
  const wall = instant.toZonedDateTimeISO(timezone).toPlainDateTime();
  const unmoved = instant.subtract({ hours: 24 }).toZonedDateTimeISO(timezone).toPlainDateTime().add({ hours: 24 });
  return Temporal.PlainDateTime.compare(unmoved, wall) < 0 ? unmoved : wall;
}

const msOf = (wall: Temporal.PlainDateTime) => wall.toZonedDateTime('UTC').epochMilliseconds;

const wallOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC').toPlainDateTime();
