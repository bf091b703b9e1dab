export const instantOf = (date: Date): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(date.getTime());

/** ISO 8601 in UTC, always with milliseconds. */
export const isoOf = (epochMs: number): string => new Date(epochMs).toISOString();

export const dayMs = 86_400_000;

export const isBefore = (one: Temporal.Instant, other: Temporal.Instant) => Temporal.Instant.compare(one, other) < 0;
