import type { ScheduleConfig } from '#contract/schedules.ts';
import { parseCron } from '#domain/cron.ts';
import { startWall } from '#domain/schedule.ts';

/**
 * Explains why an occurrence is not where its schedule says: a clock change or a short month has moved it, or its wall
 * time comes twice. Usually empty. Throws ScheduleError for an invalid cron expression.
 */
export function notesOf(config: ScheduleConfig, at: Temporal.Instant): string[] {
  if (config.type === 'event-based') return [];
  const local = at.toZonedDateTimeISO(config.timezone);
  const skipped = skippedWall(local);
  return [
    skipped !== null && isIncluded(config, skipped) ? skippedNote(config, { local, skipped }) : null,
    leftOutNote(config, local),
    twiceNote(config, local),
    monthEndNote(config, skipped !== null && isIncluded(config, skipped) ? skipped : local.toPlainDateTime()),
  ].filter((note) => note !== null);
}

/** The wall time that a gap has moved here, if the schedule includes it; null when no gap ends nearby. */
function skippedWall(local: Temporal.ZonedDateTime): Temporal.PlainDateTime | null {
  // A change at this very instant counts.
  const change = local.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  if (change === null) return null;
  const gapMs = (change.offsetNanoseconds - change.subtract({ nanoseconds: 1 }).offsetNanoseconds) / 1_000_000;
  const isWithin = local.epochMilliseconds - change.epochMilliseconds < gapMs;
  return isWithin ? local.toPlainDateTime().subtract({ milliseconds: gapMs }) : null;
}

function skippedNote(
  config: ScheduleConfig,
  { local, skipped }: { local: Temporal.ZonedDateTime; skipped: Temporal.PlainDateTime },
): string {
  const wall = local.toPlainDateTime();
  // The occurrence may stand for two times of the schedule, which became one.
  const verb = isIncluded(config, wall) ? 'also replaces' : 'moved from';
  if (skipped.toPlainTime().equals(wall))
    return `${verb} ${skipped.toPlainDate().toString()}: this zone has no such day`;
  const day = skipped.toPlainDate().equals(wall) ? '' : ' the day before';
  return `${verb} ${clock(skipped)}${day}: clocks go forward`;
}

const elapses = 'an expression with *, a range or a step follows elapsed time';

/** On the first occurrence after a gap: which time of a cron expression the clocks skipped. */
function leftOutNote(config: ScheduleConfig, local: Temporal.ZonedDateTime): string | null {
  if (config.scheduleType !== 'custom') return null;
  const change = local.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  if (change === null) return null;
  const before = change.subtract({ nanoseconds: 1 });
  const gap = change.offsetNanoseconds - before.offsetNanoseconds;
  const timetable = parseCron(config.customCron, config.timezone);
  if (gap <= 0 || timetable.next(before.toInstant())?.equals(local.toInstant()) !== true) return null;
  const end = change.toPlainDateTime();
  const skipped = timetable.leftOut(end.subtract({ nanoseconds: gap }), end);
  return skipped === null ? null : `${clock(skipped)} was left out: clocks went forward, and ${elapses}`;
}

function twiceNote(config: ScheduleConfig, local: Temporal.ZonedDateTime): string | null {
  const wall = local.toPlainDateTime();
  const [first, second] = (['earlier', 'later'] as const).map((disambiguation) =>
    wall.toZonedDateTime(local.timeZoneId, { disambiguation }),
  );
  if (first === undefined || second === undefined || first.equals(second)) return null;
  const twice = 'happens twice that night:';
  if (!isIncluded(config, wall)) return `${twice} both ${clock(wall)} count: clocks go back, and ${elapses}`;
  return `${twice} the ${local.equals(first) ? 'first' : 'second'} ${clock(wall)} counts: clocks go back`;
}

function monthEndNote(config: ScheduleConfig, wall: Temporal.PlainDateTime): string | null {
  if (config.scheduleType !== 'monthly') return null;
  const { day } = startWall(config);
  if (wall.day >= day) return null;
  return `moved from the ${day}${day === 31 ? 'st' : 'th'}: the month has ${wall.daysInMonth} days`;
}

/** Whether the schedule includes this wall time. Cron does so with fixed times only; the others follow elapsed time. */
function isIncluded(config: ScheduleConfig, wall: Temporal.PlainDateTime): boolean {
  const kind = config.scheduleType ?? 'daily';
  if (kind === 'custom') return parseCron(config.customCron, config.timezone).hasFixedTime(wall);
  const start = startWall(config);
  if (Temporal.PlainDateTime.compare(wall, start) < 0 || !wall.toPlainTime().equals(start)) return false;
  switch (kind) {
    case 'once':
      return wall.equals(start);
    case 'daily':
      return true;
    case 'weekly':
      return wall.dayOfWeek === start.dayOfWeek;
    case 'monthly':
      return wall.day === Math.min(start.day, wall.daysInMonth);
    default:
      return kind satisfies never;
  }
}

const clock = (wall: Temporal.PlainDateTime) =>
  wall.toPlainTime().toString({ smallestUnit: wall.second === 0 ? 'minute' : 'second' });
