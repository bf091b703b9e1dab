/** A period in which a zone keeps one offset from UTC. In epoch milliseconds; `fromMs` is included. */
export type CalmPeriod = { offsetMs: number; fromMs: number; untilMs: number };

const lastOf = new Map<string, CalmPeriod>();

/**
 * Returns the calm period around an instant. Between two clock changes every day has 24 hours, so wall time is plain
 * arithmetic. A scheduler asks thousands of times a second for the same few zones and periods.
 */
export function calmPeriodAt(atMs: number, timezone: string): CalmPeriod {
  const last = lastOf.get(timezone);
  if (last !== undefined && last.fromMs <= atMs && atMs < last.untilMs) return last;
  const local = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
  // A clock change at this very instant begins the period.
  const previous = local.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  const period = {
    offsetMs: local.offsetNanoseconds / 1_000_000,
    fromMs: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    untilMs: local.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
  };
  lastOf.set(timezone, period);
  return period;
}
