import { analyticsLimits } from '#contract/analytics.ts';
import { dayMs } from '#domain/instants.ts';
import type { DayRange } from '#web/api/analytics.ts';

export const presets = [7, 30, 90, 365] as const;

/** The last so many days of the viewer, today among them. */
export function lastDays(count: number, now = new Date()): DayRange {
  const first = new Date(now);
  first.setDate(first.getDate() - (count - 1));
  return { from: dayOf(first), to: dayOf(now) };
}

/** The range from another first day: its last day follows where the range would end before it begins, or be too long. */
export function beginningAt({ to }: DayRange, from: string): DayRange {
  if (from > to) return { from, to: from };
  const latest = shifted(from, analyticsLimits.days - 1);
  return { from, to: to > latest ? latest : to };
}

/** The range to another last day; its first day follows likewise. */
export function endingAt({ from }: DayRange, to: string): DayRange {
  if (to < from) return { from: to, to };
  const earliest = shifted(to, 1 - analyticsLimits.days);
  return { from: from < earliest ? earliest : from, to };
}

const shifted = (day: string, days: number) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** The days that the address names; the last 30 where it names none, or ends before it begins. */
export function rangeOf({ from, to }: { from?: string | undefined; to?: string | undefined }): DayRange {
  return from !== undefined && to !== undefined && from <= to ? beginningAt({ from, to }, from) : lastDays(30);
}

const dayOf = (at: Date) =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`;
