import type { Pool } from 'pg';
import type { Percentiles } from '#contract/admin-system.ts';
import { type Bounds, latenessBounds, percentileOf, responseBounds } from '#domain/histogram.ts';
import { daysBetween, type MinuteKind, minutesSince } from '#features/metrics/minutes.db.ts';
import { sumOf } from '#features/metrics/state.service.ts';

type Recent = { quarter_hour: Percentiles; hour: Percentiles };
type Minute = { minute: string; sent: number; failed: number };

const minuteMs = 60_000;

export const recentResponses = (pool: Pool, now: Temporal.Instant): Promise<Recent> =>
  recent(pool, { kind: 'responses', bounds: responseBounds, now });

export const recentLateness = (pool: Pool, now: Temporal.Instant): Promise<Recent> =>
  recent(pool, { kind: 'lateness', bounds: latenessBounds, now });

async function recent(
  pool: Pool,
  { kind, bounds, now }: { kind: MinuteKind; bounds: Bounds; now: Temporal.Instant },
): Promise<Recent> {
  const minutes = await minutesSince(pool, { kind, since: now.subtract({ minutes: 60 }) });
  const quarter = now.subtract({ minutes: 15 });
  const ofQuarter = minutes.filter(({ minute }) => Temporal.Instant.compare(minute, quarter) >= 0);
  return { quarter_hour: percentiles(ofQuarter, bounds), hour: percentiles(minutes, bounds) };
}

function percentiles(minutes: readonly { counts: readonly number[] }[], bounds: Bounds): Percentiles {
  const counts = sumOf(minutes);
  const at = (share: number) => percentileOf(counts, { bounds, share });
  const [median, p95, p99] = [at(0.5), at(0.95), at(0.99)];
  if (median === null || p95 === null || p99 === null) return null;
  return { count: counts.reduce((sum, count) => sum + count, 0), median, p95, p99 };
}

/** The last sixty minutes, the earliest first, including those without deliveries. */
export async function recentDeliveries(pool: Pool, now: Temporal.Instant): Promise<Minute[]> {
  const last = Math.floor(now.epochMilliseconds / minuteMs);
  const since = Temporal.Instant.fromEpochMilliseconds((last - 59) * minuteMs);
  const known = new Map(
    (await minutesSince(pool, { kind: 'deliveries', since })).map(({ minute, counts: [sent = 0, failed = 0] }) => [
      Date.parse(minute),
      { sent, failed },
    ]),
  );
  return Array.from({ length: 60 }, (_, index) => {
    const at = (last - 59 + index) * minuteMs;
    return { minute: new Date(at).toISOString(), ...(known.get(at) ?? { sent: 0, failed: 0 }) };
  });
}

/** Deliveries of all workspaces by day (UTC) and channel. */
export const deliveriesByDay = daysBetween;
