import type { EngineStore, TakenTimes } from '#engine/store.ts';
import type { Tables } from '#simulation/tables.ts';

/** The model of `rate-limits.sql.ts`. Nobody reserves slots further ahead than a second. */
export function takeTimes(
  tables: Tables,
  [{ id, ratePerSecond }, { count: wanted, now }]: Parameters<EngineStore['takeTimes']>,
): TakenTimes {
  const nowMs = now.epochMilliseconds;
  const spaceMs = 1_000 / ratePerSecond;
  const rateLimit = tables.rateLimits.get(id) ?? { nextFreeMs: nowMs, backedOffUntilMs: 0 };
  const firstMs = Math.max(Math.min(rateLimit.nextFreeMs, nowMs + 1_000 + spaceMs), rateLimit.backedOffUntilMs, nowMs);
  const count = Math.max(0, Math.min(wanted, Math.ceil((nowMs + 1_000 - firstMs) / spaceMs)));
  const nextFreeMs = firstMs + count * spaceMs;
  tables.rateLimits.set(id, { ...rateLimit, nextFreeMs });
  const [first, next] = [firstMs, nextFreeMs].map(Temporal.Instant.fromEpochMilliseconds);
  return { first: first ?? now, count, next: next ?? now };
}

export function backOffChannel(tables: Tables, [{ id }, until]: Parameters<EngineStore['backOffChannel']>): void {
  const rateLimit = tables.rateLimits.get(id);
  if (rateLimit !== undefined)
    rateLimit.backedOffUntilMs = Math.max(rateLimit.backedOffUntilMs, until.epochMilliseconds);
}
