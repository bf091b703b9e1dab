import type { DayRange } from '#web/api/analytics.ts';

export const presets = [7, 30, 90, 365] as const;

/** The last so many days of the viewer, today among them. */
export function lastDays(count: number, now = new Date()): DayRange {
  const first = new Date(now);
  first.setDate(first.getDate() - (count - 1));
  return { from: dayOf(first), to: dayOf(now) };
}

/** The days that the address names; the last 30 where it names none, or ends before it begins. */
export function rangeOf({ from, to }: { from?: string | undefined; to?: string | undefined }): DayRange {
  return from !== undefined && to !== undefined && from <= to ? { from, to } : lastDays(30);
}

const dayOf = (at: Date) =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`;
