/** A stretch of time in which a zone's clocks keep one offset from UTC. Epoch milliseconds, `fromMs` included. */
export type CalmPeriod = { offsetMs: number; fromMs: number; untilMs: number };

const lastOf = new Map<string, CalmPeriod>();

/**
 * The calm period around an instant. Between two clock changes every day has 24 hours, so that wall time is plain
 * arithmetic; a scheduler that asks a thousand times a second asks about the same few zones and the same period.
 */
export function calmPeriodAt(atMs: number, timezone: string): CalmPeriod {
  const last = lastOf.get(timezone);
  if (last !== undefined && last.fromMs <= atMs && atMs < last.untilMs) return last;
  const local = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
  // A change at this very instant belongs to what follows it.
  const previous = local.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  const period = {
    offsetMs: local.offsetNanoseconds / 1_000_000,
    fromMs: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    untilMs: local.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
  };
  lastOf.set(timezone, period);
  return period;
}
