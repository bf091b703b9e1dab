import { Cron } from 'croner';
import type { ScheduleConfig } from '#contract/schedules.ts';

/** A schedule that can never fire, with the sentence that a person reads. */
export class ScheduleError extends Error {}

/** A one-time reminder whose start lies this far back still goes out at once; an older one is refused. */
export const oneTimeGrace = Temporal.Duration.from({ hours: 24 });

/**
 * The first occurrence strictly after `after`, null when there is none.
 *
 * Daily, weekly and monthly keep the wall-clock time of the start date in the reminder's zone; day 31 clamps to the
 * month's end; a time in a gap (clocks go forward) moves later by the gap and an ambiguous one takes the first; the end
 * date means the end of that day in the zone. Throws ScheduleError for a cron expression that cannot be understood.
 */
export function nextOccurrence(
  config: ScheduleConfig,
  { after }: { after: Temporal.Instant },
): Temporal.Instant | null {
  if (config.type === 'event-based') return null;
  const next = nextWithoutEnd(config, after);
  if (next === null) return null;
  const end = endOf(config);
  return end !== null && Temporal.Instant.compare(next, end) >= 0 ? null : next;
}

/** The occurrence with which an activated or edited reminder begins: a one-time start just missed still counts. */
export function firstOccurrence(config: ScheduleConfig, { now }: { now: Temporal.Instant }): Temporal.Instant | null {
  if (config.type === 'scheduled' && config.scheduleType === 'once') {
    return nextOccurrence(config, { after: now.subtract(oneTimeGrace) });
  }
  // Strictly after the millisecond before: an occurrence due right now is not lost.
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

/** The newest occurrence after `after` that is not later than `until`, null when none was missed between them. */
export function latestOccurrence(
  config: ScheduleConfig,
  { after, until }: { after: Temporal.Instant; until: Temporal.Instant },
): Temporal.Instant | null {
  // Windows grow so that a schedule of every minute is not walked through a year of downtime.
  for (const hours of [1, 25, 24 * 8, 24 * 32, Number.POSITIVE_INFINITY]) {
    const windowStart = hours === Number.POSITIVE_INFINITY ? after : until.subtract({ hours });
    const from = Temporal.Instant.compare(windowStart, after) > 0 ? windowStart : after;
    let latest: Temporal.Instant | null = null;
    let next = nextOccurrence(config, { after: from });
    while (next !== null && Temporal.Instant.compare(next, until) <= 0) {
      latest = next;
      next = nextOccurrence(config, { after: next });
    }
    if (latest !== null || from === after) return latest;
  }
  return null;
}

function nextWithoutEnd(config: ScheduleConfig, after: Temporal.Instant): Temporal.Instant | null {
  const kind = config.scheduleType ?? 'daily';
  switch (kind) {
    case 'once': {
      const start = startOf(config).toZonedDateTime(config.timezone).toInstant();
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

/** start + n units, each counted from the start itself so that a clamped month does not drag the later ones along. */
function nextStep(
  config: ScheduleConfig,
  { after, unit }: { after: Temporal.Instant; unit: 'days' | 'weeks' | 'months' },
): Temporal.Instant {
  const start = startOf(config);
  const at = (step: number) =>
    start
      .add({ [unit]: step })
      .toZonedDateTime(config.timezone, { disambiguation: 'compatible' })
      .toInstant();
  const passed = start.until(after.toZonedDateTimeISO(config.timezone).toPlainDateTime(), { largestUnit: unit })[unit];
  // The wall clock's count is never too late; it is too early where a month was clamped or clocks went back.
  let step = Math.max(0, passed);
  let next = at(step);
  while (Temporal.Instant.compare(next, after) <= 0) {
    step += 1;
    next = at(step);
  }
  return next;
}

function nextCron(config: ScheduleConfig, after: Temporal.Instant): Temporal.Instant | null {
  const cron = parseCron(config.customCron, config.timezone);
  const start = config.startDate === undefined ? null : startOf(config).toZonedDateTime(config.timezone).toInstant();
  const beforeStart = start?.subtract({ milliseconds: 1 });
  const from = beforeStart !== undefined && Temporal.Instant.compare(beforeStart, after) > 0 ? beforeStart : after;
  const next = cron.nextRun(new Date(from.epochMilliseconds));
  return next === null ? null : Temporal.Instant.fromEpochMilliseconds(next.getTime());
}

/** Five fields, or a nickname such as `@daily`. Throws ScheduleError with the reason in words. */
export function parseCron(expression: string | undefined, timezone: string): Cron {
  const text = (expression ?? '').trim();
  if (text === '')
    throw new ScheduleError('The cron expression is empty. Example: "0 9 * * MON" for every Monday at 9 AM');
  const fields = text.split(/\s+/).length;
  if (!text.startsWith('@') && fields !== 5) {
    throw new ScheduleError(
      `The cron expression "${text}" has ${fields} ${fields === 1 ? 'field' : 'fields'}; it needs five: minute hour day month weekday`,
    );
  }
  try {
    const cron = new Cron(text, { timezone, paused: true });
    if (cron.nextRun() === null) throw new ScheduleError(`The cron expression "${text}" never comes due`);
    return cron;
  } catch (error) {
    if (error instanceof ScheduleError) throw error;
    const reason = error instanceof Error ? error.message.replace(/^Cron(Pattern|Date)?:\s*/, '') : String(error);
    throw new ScheduleError(`The cron expression "${text}" is not understood: ${reason}`);
  }
}

/** Wall time in the reminder's zone. A start written as an instant stands for the wall time it has there. */
function startOf(config: ScheduleConfig): Temporal.PlainDateTime {
  if (config.startDate === undefined) throw new ScheduleError('The schedule has no start date');
  return wallTime(config.startDate, config.timezone);
}

function endOf(config: ScheduleConfig): Temporal.Instant | null {
  if (config.endDate === undefined) return null;
  const day = wallTime(config.endDate, config.timezone).toPlainDate();
  return day.add({ days: 1 }).toZonedDateTime(config.timezone).toInstant();
}

function wallTime(text: string, timezone: string): Temporal.PlainDateTime {
  if (/(Z|[+-]\d{2}:\d{2})$/.test(text))
    return Temporal.Instant.from(text).toZonedDateTimeISO(timezone).toPlainDateTime();
  return Temporal.PlainDateTime.from(text);
}
