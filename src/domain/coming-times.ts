import type { ScheduleConfig } from '#contract/schedules.ts';
import { endOfScheduleMs, nextOccurrenceMs, ScheduleError, withWallStart } from '#domain/schedule.ts';

/** An occurrence: when it is due, and when it is sent. In epoch milliseconds. */
export type ComingTime = { dueMs: number; atMs: number };

/**
 * The times at which a reminder will really be sent, soonest first: within sending hours, and without those that have ended. None for an expression that
 * cannot be read, from before such ones were refused.
 * @param options.afterMs they are due later than this: now, or the moment before a pause ends
 * @param options.untilMs they are due before this
 * @param options.openingMs when what is due at this time may be sent: then, or when the sending hours open
 */
export function* comingTimes(
  schedule: ScheduleConfig,
  options: {
    afterMs: number;
    untilMs: number;
    isEnded: (dueMs: number) => boolean;
    openingMs: (dueMs: number) => number;
  },
): Generator<ComingTime, undefined> {
  if (schedule.type === 'event-based') return;
  const endMs = Math.min(options.untilMs, endOfScheduleMs(schedule));
  // The end is compared here: asking the schedule for it each time would cost more than the occurrence.
  const endless = withWallStart({ ...schedule, endDate: undefined }, options.afterMs);
  for (let fromMs = options.afterMs; ; ) {
    const dueMs = nextOf(endless, fromMs);
    if (dueMs === null || dueMs >= endMs) return;
    fromMs = dueMs;
    if (options.isEnded(dueMs)) continue;
    const atMs = options.openingMs(dueMs);
    yield { dueMs, atMs };
    // Of several occurrences that wait for the same opening, only one is sent.
    fromMs = atMs;
  }
}

function nextOf(schedule: ScheduleConfig, afterMs: number): number | null {
  try {
    return nextOccurrenceMs(schedule, { afterMs });
  } catch (error) {
    if (error instanceof ScheduleError) return null;
    throw error;
  }
}
