import type { EngineStore, TakenTimes } from '#engine/store.ts';
import type { Tables } from '#testing/simulation/tables.ts';

/** What `paces.sql.ts` does; nobody takes times further ahead than a second. */
export function takeTimes(
  tables: Tables,
  [{ id, ratePerSecond }, { count: wanted, now }]: Parameters<EngineStore['takeTimes']>,
): TakenTimes {
  const nowMs = now.epochMilliseconds;
  const spaceMs = 1_000 / ratePerSecond;
  const pace = tables.paces.get(id) ?? { nextFreeMs: nowMs, heldUntilMs: 0 };
  const firstMs = Math.max(Math.min(pace.nextFreeMs, nowMs + 1_000 + spaceMs), pace.heldUntilMs, nowMs);
  const count = Math.max(0, Math.min(wanted, Math.ceil((nowMs + 1_000 - firstMs) / spaceMs)));
  const nextFreeMs = firstMs + count * spaceMs;
  tables.paces.set(id, { ...pace, nextFreeMs });
  const [first, next] = [firstMs, nextFreeMs].map(Temporal.Instant.fromEpochMilliseconds);
  return { first: first ?? now, count, next: next ?? now };
}

export function holdChannel(tables: Tables, [{ id }, until]: Parameters<EngineStore['holdChannel']>): void {
  const pace = tables.paces.get(id);
  if (pace !== undefined) pace.heldUntilMs = Math.max(pace.heldUntilMs, until.epochMilliseconds);
}
