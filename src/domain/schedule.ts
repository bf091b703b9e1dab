import type { ScheduleConfig } from '#contract/schedules.ts';
import { calmPeriodAt } from '#domain/calm-period.ts';
import { parseCron, ScheduleError } from '#domain/cron.ts';
import { dayMs } from '#domain/instants.ts';

export { parseCron, ScheduleError };

/** A one-time reminder whose start lies this far back is still sent at once. An older one is refused. */
export const oneTimeGrace = Temporal.Duration.from({ hours: 24 });

/**
 * Returns the first occurrence strictly after `after`; null when there is none.
 *
 * Daily, weekly and monthly keep the wall-clock time of the start date in the reminder's zone. Day 31 becomes the last
 * day of a shorter month. A time in a gap (clocks go forward) moves later by the gap, and an ambiguous one is the first
 * of the two. The end date means the end of that day in the zone. Throws ScheduleError for an invalid cron expression.
 */
export function nextOccurrence(
  config: ScheduleConfig,
  { after }: { after: Temporal.Instant },
): Temporal.Instant | null {
  if (config.type === 'event-based') return null;
  const next = nextWithoutEnd(config, after);
  return next === null || Temporal.Instant.compare(next, endOf(config)) >= 0 ? null : next;
}

/** `nextOccurrence` in epoch milliseconds. The claim calls it for every job, and objects for instants would cost more than the result. */
export function nextOccurrenceMs(config: ScheduleConfig, { afterMs }: { afterMs: number }): number | null {
  const isEndless = config.type === 'scheduled' && config.endDate === undefined;
  const calmMs = isEndless ? nextInCalm(config, afterMs) : null;
  if (calmMs !== null) return calmMs;
  return nextOccurrence(config, { after: Temporal.Instant.fromEpochMilliseconds(afterMs) })?.epochMilliseconds ?? null;
}

/** The end of a schedule in epoch milliseconds: its occurrences lie before it. */
export const endOfScheduleMs = (config: ScheduleConfig): number => endOf(config).epochMilliseconds;

/**
 * A schedule with the wall time of a start that was given as an instant, once that has passed: its later occurrences are the same, and are found faster.
 */
export const withWallStart = (config: ScheduleConfig, afterMs: number): ScheduleConfig =>
  config.startDate !== undefined && isInstant(config.startDate) && Date.parse(config.startDate) <= afterMs
    ? { ...config, startDate: startWall(config).toString() }
    : config;

/** The first occurrence of an activated or edited reminder: a one-time start that was just missed still counts. */
export function firstOccurrence(config: ScheduleConfig, { now }: { now: Temporal.Instant }): Temporal.Instant | null {
  if (config.type === 'scheduled' && config.scheduleType === 'once') {
    return nextOccurrence(config, { after: now.subtract(oneTimeGrace) });
  }
  // Strictly after the millisecond before, so that an occurrence due right now counts.
  return nextOccurrence(config, { after: now.subtract({ milliseconds: 1 }) });
}

/** Up to `count` occurrences strictly after `after`. */
export function occurrences(
  config: ScheduleConfig,
  { after, count }: { after: Temporal.Instant; count: number },
): Temporal.Instant[] {
  const found: Temporal.Instant[] = [];
  let from = after;
  while (found.length < count) {
    const next = nextOccurrence(config, { after: from });
    if (next === null) break;
    found.push(next);
    from = next;
  }
  return found;
}

/** The newest occurrence after `after` that is not later than `until`; null when there is none. */
export function latestOccurrence(
  config: ScheduleConfig,
  { after, until }: { after: Temporal.Instant; until: Temporal.Instant },
): Temporal.Instant | null {
  const nextMissed = (from: Temporal.Instant) => {
    const next = nextOccurrence(config, { after: from });
    return next === null || Temporal.Instant.compare(next, until) > 0 ? null : next;
  };
  // A binary search, because an every-minute schedule may have been down for a year.
  let latest = nextMissed(after);
  let quietAfter = until;
  while (latest !== null) {
    const next = nextMissed(latest);
    if (next === null) return latest;
    const middle = next.add({ milliseconds: Math.floor(next.until(quietAfter).total('milliseconds') / 2) });
    const later = nextMissed(middle);
    if (later === null) quietAfter = middle;
    latest = later ?? next;
  }
  return null;
}

function nextWithoutEnd(config: ScheduleConfig, after: Temporal.Instant): Temporal.Instant | null {
  const calmMs = nextInCalm(config, after.epochMilliseconds);
  if (calmMs !== null) return Temporal.Instant.fromEpochMilliseconds(calmMs);
  const kind = config.scheduleType ?? 'daily';
  switch (kind) {
    case 'once': {
      const start = startInstant(config);
      return Temporal.Instant.compare(start, after) > 0 ? start : null;
    }
    case 'daily':
      return nextStep(config, { after, unit: 'days' });
    case 'weekly':
      return nextStep(config, { after, unit: 'weeks' });
    case 'monthly':
      return nextStep(config, { after, unit: 'months' });
    case 'custom':
      return nextCron(config, after);
    default:
      return kind satisfies never;
  }
}

/** The days between two occurrences of a schedule that keeps its wall-clock time. */
const daysOf: Partial<Record<NonNullable<ScheduleConfig['scheduleType']>, number>> = { daily: 1, weekly: 7 };

/** `nextStep`, but ten times faster. Null near a clock change, and for schedules that are neither daily nor weekly. */
function nextInCalm({ startDate, timezone, scheduleType = 'daily' }: ScheduleConfig, afterMs: number): number | null {
  const days = daysOf[scheduleType];
  if (days === undefined || startDate === undefined || isInstant(startDate)) return null;
  const { offsetMs, fromMs, untilMs } = calmPeriodAt(afterMs, timezone);
  // Wall times counted as if they were UTC.
  const startMs = Date.parse(`${startDate}Z`);
  const steps = Math.max(0, Math.floor((afterMs + offsetMs - startMs) / (days * dayMs)) + 1);
  const nextMs = startMs + steps * days * dayMs - offsetMs;
  // Near a change a wall time may not exist or exist twice; `nextStep` handles that.
  const isCalm = fromMs + dayMs <= afterMs && nextMs < untilMs - dayMs;
  return isCalm && nextMs < endOfTime.epochMilliseconds ? nextMs : null;
}

/** start + n units, each counted from the start itself, so that a clamped month does not affect later ones. */
function nextStep(
  config: ScheduleConfig,
  { after, unit }: { after: Temporal.Instant; unit: 'days' | 'weeks' | 'months' },
): Temporal.Instant {
  const start = startWall(config);
  const at = (step: number) =>
    step === 0 ? startInstant(config) : toInstant(start.add({ [unit]: step }), config.timezone);
  const wallAfter = after.toZonedDateTimeISO(config.timezone).toPlainDateTime();
  let step = Math.max(0, start.until(wallAfter, { largestUnit: unit })[unit]);
  while (Temporal.Instant.compare(at(step), after) <= 0) step += 1;
  return at(step);
}

function nextCron(config: ScheduleConfig, after: Temporal.Instant): Temporal.Instant | null {
  const timetable = parseCron(config.customCron, config.timezone);
  if (config.startDate === undefined) return timetable.next(after);
  const beforeStart = startInstant(config).subtract({ milliseconds: 1 });
  return timetable.next(Temporal.Instant.compare(beforeStart, after) > 0 ? beforeStart : after);
}

/** Wall time in the reminder's zone. A start given as an instant means the wall time that it has there. */
export function startWall({ startDate, timezone }: ScheduleConfig): Temporal.PlainDateTime {
  if (startDate === undefined) throw new ScheduleError('The schedule has no start date');
  return isInstant(startDate)
    ? Temporal.Instant.from(startDate).toZonedDateTimeISO(timezone).toPlainDateTime()
    : Temporal.PlainDateTime.from(startDate);
}

const startInstant = (config: ScheduleConfig) =>
  config.startDate !== undefined && isInstant(config.startDate)
    ? Temporal.Instant.from(config.startDate)
    : toInstant(startWall(config), config.timezone);

// The last time that databases and browsers handle reliably.
const endOfTime = Temporal.Instant.from('9999-12-31T00:00:00Z');

/** The first instant after the end. */
function endOf({ endDate, timezone }: ScheduleConfig): Temporal.Instant {
  if (endDate === undefined) return endOfTime;
  const day = isInstant(endDate)
    ? Temporal.Instant.from(endDate).toZonedDateTimeISO(timezone).toPlainDate()
    : Temporal.PlainDate.from(endDate);
  const nextDay = day.add({ days: 1 }).toZonedDateTime(timezone).toInstant();
  return Temporal.Instant.compare(nextDay, endOfTime) < 0 ? nextDay : endOfTime;
}

const isInstant = (text: string) => /(Z|[+-]\d{2}:\d{2})$/.test(text);

const toInstant = (wall: Temporal.PlainDateTime, timezone: string) =>
  wall.toZonedDateTime(timezone, { disambiguation: 'compatible' }).toInstant();
