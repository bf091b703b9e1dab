import type { LeftOut } from '#contract/calendar-sources.ts';

const shownTitles = 3;
const shownReasons = 20;

/** Counts the events without messages, and those that were read with a doubt, by reason, and keeps the first few titles of each. */
export function createLeftOut() {
  const found = new Map<string, { count: number; titles: Set<string>; isScheduled: boolean }>();
  return {
    add(
      reason: string,
      { title, count = 1, isScheduled = false }: { title?: string; count?: number; isScheduled?: boolean } = {},
    ): void {
      const known = found.get(reason) ?? { count: 0, titles: new Set<string>(), isScheduled };
      known.count += count;
      if (title !== undefined && known.titles.size < shownTitles) known.titles.add(title);
      found.set(reason, known);
    },
    list: (): LeftOut[] =>
      [...found].slice(0, shownReasons).map(([reason, { count, titles, isScheduled }]) => ({
        reason,
        count,
        titles: [...titles],
        ...(isScheduled && { is_scheduled: true }),
      })),
  };
}

export type LeftOutCount = ReturnType<typeof createLeftOut>;
