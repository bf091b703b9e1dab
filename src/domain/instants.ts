export const instantOf = (date: Date): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(date.getTime());

let last = { ms: Number.NaN, iso: '' };

/**
 * ISO 8601 in UTC, always with milliseconds. Cached, because formatting costs as much as rendering a message and many instants of a batch are equal.
 */
export function isoOf(epochMs: number): string {
  if (last.ms !== epochMs) last = { ms: epochMs, iso: new Date(epochMs).toISOString() };
  return last.iso;
}

export const dayMs = 86_400_000;

export const isBefore = (one: Temporal.Instant, other: Temporal.Instant) => Temporal.Instant.compare(one, other) < 0;
