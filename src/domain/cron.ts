import { Cron } from 'croner';
import { LRUCache } from 'lru-cache';

/** A schedule that can never fire, with the sentence that a person reads. */
export class ScheduleError extends Error {}

/** When a cron expression comes due in one zone. */
export type Timetable = {
  /** The first time strictly after `after`, null when there is none. */
  next(after: Temporal.Instant): Temporal.Instant | null;
};

/**
 * Five fields (minute hour day month weekday) or a nickname such as `@daily`; a day of the month and a weekday together
 * mean either, as in every cron. Throws ScheduleError with the reason in words.
 *
 * Where clocks change, minutes and hours that are numbers (`30 2,14 * * *`) are fixed times: each comes once a day, in a
 * gap later by the gap and in a repeated hour the first time. Everything else (`*`, ranges, steps) follows elapsed time:
 * it skips an hour that is not there and runs through a repeated one twice.
 */
export function parseCron(expression: string | undefined, timezone: string): Timetable {
  const text = (expression ?? '').trim().replaceAll(/\s+/g, ' ');
  const key = `${timezone} ${text}`;
  const known = timetables.get(key);
  if (known !== undefined) return known;
  const pattern = patternOf(text);
  assertUnderstood(pattern, text);
  const timetable = hasFixedTimes(pattern) ? fixedTimes(pattern, timezone) : elapsingTimes(pattern, timezone);
  timetables.set(key, timetable);
  return timetable;
}

// Understanding an expression costs more than asking it, and the engine asks the same ones again and again.
const timetables = new LRUCache<string, Timetable>({ max: 1_000 });

const nicknames: ReadonlyMap<string, string> = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
]);

function patternOf(text: string): string {
  if (text === '')
    throw new ScheduleError('The cron expression is empty. Example: "0 9 * * MON" for every Monday at 9 AM');
  if (text.startsWith('@')) {
    const pattern = nicknames.get(text.toLowerCase());
    if (pattern === undefined)
      throw new ScheduleError(`"${text}" is not a cron nickname. There are ${[...nicknames.keys()].join(', ')}`);
    return pattern;
  }
  const fields = text.split(' ').length;
  if (fields !== 5) {
    throw new ScheduleError(
      `The cron expression "${text}" has ${fields} ${fields === 1 ? 'field' : 'fields'}; it needs five: minute hour day month weekday`,
    );
  }
  return text;
}

const allowed = [
  ['minute', '0 to 59'],
  ['hour', '0 to 23'],
  ['day of the month', '1 to 31, or L for the last'],
  ['month', '1 to 12, or JAN to DEC'],
  ['weekday', '0 to 7, or SUN to SAT; MON#1 is the first Monday and 5L the last Friday'],
] as const;

function assertUnderstood(pattern: string, text: string): void {
  pattern.split(' ').forEach((field, index) => {
    if (isUnderstood(['*', '*', '*', '*', '*'].with(index, field).join(' '))) return;
    const [name, values] = allowed[index] ?? ['field', ''];
    throw new ScheduleError(
      `The cron expression "${text}" is not understood: "${field}" is not a valid ${name} (${values}; with lists 1,3, ranges 1-5 and steps */2)`,
    );
  });
  // The calendar repeats, so that what finds no date in the years after this one never will.
  if (cronOf(pattern, 'UTC').nextRun(new Date('2000-01-01T00:00:00Z')) === null)
    throw new ScheduleError(`The cron expression "${text}" never comes due: no year has such a date`);
}

function isUnderstood(pattern: string): boolean {
  try {
    cronOf(pattern, 'UTC');
    return true;
  } catch {
    return false;
  }
}

const cronOf = (pattern: string, timezone: string) => new Cron(pattern, { timezone, mode: '5-part', paused: true });

const hasFixedTimes = (pattern: string) => /^[\d,]+ [\d,]+ /.test(pattern);

function elapsingTimes(pattern: string, timezone: string): Timetable {
  const cron = cronOf(pattern, timezone);
  return {
    next(after) {
      const next = cron.nextRun(new Date(after.epochMilliseconds));
      return next === null ? null : Temporal.Instant.fromEpochMilliseconds(next.getTime());
    },
  };
}

/** The expression is asked for wall times, as if in UTC, and the zone then says when each of them is. */
function fixedTimes(pattern: string, timezone: string): Timetable {
  const cron = cronOf(pattern, 'UTC');
  const nextWall = (wall: Temporal.PlainDateTime) => {
    const next = cron.nextRun(new Date(wall.toZonedDateTime('UTC').epochMilliseconds));
    if (next === null) return null;
    return Temporal.Instant.fromEpochMilliseconds(next.getTime()).toZonedDateTimeISO('UTC').toPlainDateTime();
  };
  return {
    next(after) {
      let best: Temporal.ZonedDateTime | null = null;
      let wall = nextWall(earliestWallAt(after, timezone));
      // A time that a gap has moved may be overtaken by a later one that needed no moving.
      while (wall !== null && (best === null || isBefore(wall, best.toPlainDateTime()))) {
        const at = wall.toZonedDateTime(timezone, { disambiguation: 'compatible' });
        const isLater = Temporal.Instant.compare(at.toInstant(), after) > 0;
        if (isLater && (best === null || Temporal.ZonedDateTime.compare(at, best) < 0)) best = at;
        wall = nextWall(wall);
      }
      return best?.toInstant() ?? null;
    },
  };
}

/** The wall clock at this instant; for a day after a gap the one that was never put forward, because its times still come. */
function earliestWallAt(instant: Temporal.Instant, timezone: string): Temporal.PlainDateTime {
  const wall = instant.toZonedDateTimeISO(timezone).toPlainDateTime();
  const unmoved = instant.subtract({ hours: 24 }).toZonedDateTimeISO(timezone).toPlainDateTime().add({ hours: 24 });
  return isBefore(unmoved, wall) ? unmoved : wall;
}

const isBefore = (one: Temporal.PlainDateTime, other: Temporal.PlainDateTime) =>
  Temporal.PlainDateTime.compare(one, other) < 0;
