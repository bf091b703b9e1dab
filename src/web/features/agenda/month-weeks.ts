/** The days of a month such as 2026-12 in weeks that start on Sunday; null before its first day and after its last. */
export function weeksOf(month: string): (string | null)[][] {
  const first = new Date(`${month}-01T00:00:00Z`);
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const days: (string | null)[] = Array.from({ length: first.getUTCDay() }, () => null);
  for (let day = 1; day <= count; day += 1) days.push(`${month}-${String(day).padStart(2, '0')}`);
  while (days.length % 7 !== 0) days.push(null);
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

/** The months of these days, such as 2026-12, in order. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  for (let at = new Date(`${from.slice(0, 7)}-01T00:00:00Z`); at <= new Date(to); at.setUTCMonth(at.getUTCMonth() + 1))
    months.push(at.toISOString().slice(0, 7));
  return months;
}

export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** The day of this month with the number of another day, or its last one. */
export function inMonth(month: string, day: string): string {
  const last =
    weeksOf(month)
      .flat()
      .findLast((one) => one !== null) ?? `${month}-01`;
  const same = `${month}-${day.slice(8)}`;
  return same > last ? last : same;
}

/** The fewest weeks that are shown of the month of today: at its end, what comes is in the next one. */
const fewestWeeks = 5;

/** The weeks that a month shows of the days from one until another: from Sunday to Saturday, with days of the months beside it. */
export function weeksShown(month: string, { from, to }: { from: string; to: string }): string[][] {
  const isFirst = from.startsWith(month);
  const begin = isFirst ? from : `${month}-01`;
  const weeks: string[][] = [];
  for (let sunday = dayAfter(begin, -new Date(begin).getUTCDay()); sunday <= to; sunday = dayAfter(sunday, 7)) {
    if (sunday.slice(0, 7) > month && !(isFirst && weeks.length < fewestWeeks)) break;
    weeks.push(Array.from({ length: 7 }, (_, day) => dayAfter(sunday, day)));
  }
  return weeks;
}
