import { type Component, type HealthDay, historyDays } from '#contract/status.ts';
import { dayMs } from '#domain/instants.ts';
import type { DayRow } from '#features/status/health.db.ts';

const minuteMs = 60_000;

/**
 * The days of each component since the first that was measured. In a minute that no process counted it was down: nothing ran, or the database did not
 * answer. The current minute does not count yet.
 */
export function historyOf(rows: readonly DayRow[], now: Temporal.Instant): Record<Component, HealthDay[]> {
  const of = (component: Component) =>
    daysOf(
      rows.filter((row) => row.component === component),
      now,
    );
  return { web: of('web'), deliveries: of('deliveries'), database: of('database') };
}

function daysOf(rows: readonly DayRow[], now: Temporal.Instant): HealthDay[] {
  const [first] = rows;
  if (first === undefined) return [];
  const known = new Map(rows.map((row) => [row.day, row]));
  const today = beginOf(now.toString().slice(0, 10));
  const begin = Math.max(beginOf(first.day), today - (historyDays - 1) * dayMs);
  const days: HealthDay[] = [];
  for (let at = begin; at <= today; at += dayMs) {
    const day = new Date(at).toISOString().slice(0, 10);
    const { operational = 0, degraded = 0 } = known.get(day) ?? {};
    const from = day === first.day ? Math.max(at, Date.parse(first.first_minute)) : at;
    const until = Math.min(at + dayMs, now.epochMilliseconds);
    const over = Math.max(0, Math.floor((until - from) / minuteMs));
    days.push({ day, operational, degraded, down: Math.max(0, over - operational - degraded) });
  }
  return days;
}

const beginOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
