import type { DeliveryDay, MinuteKind } from '#features/metrics/minutes.db.ts';
import type { Clock } from '#platform/clock.ts';

/** What was counted since the last write, to be added to the database's sums of all threads. */
export type Increments = {
  minutes: { minute: string; kind: MinuteKind; counts: number[] }[];
  days: DeliveryDay[];
};

const minuteMs = 60_000;

/** Counts what is shown per minute and per day, for which the registry of metrics has no place. */
export function createIncrements(clock: Pick<Clock, 'epochMs'>) {
  let minutes = new Map<string, { minute: number; kind: MinuteKind; counts: number[] }>();
  let days = new Map<string, DeliveryDay>();

  function addTo(kind: MinuteKind, { minute, index, by }: { minute: number; index: number; by: number }): void {
    const key = `${minute} ${kind}`;
    let known = minutes.get(key);
    if (known === undefined) minutes.set(key, (known = { minute, kind, counts: [] }));
    while (known.counts.length <= index) known.counts.push(0);
    known.counts[index] = (known.counts[index] ?? 0) + by;
  }

  function addDay(day: string, { channel, outcome, count }: Omit<DeliveryDay, 'day'>): void {
    const key = `${day} ${channel} ${outcome}`;
    const known = days.get(key);
    if (known === undefined) days.set(key, { day, channel, outcome, count });
    else known.count += count;
  }

  return {
    add: (kind: MinuteKind, index: number) =>
      addTo(kind, { minute: Math.floor(clock.epochMs() / minuteMs), index, by: 1 }),
    addDay,
    take(): Increments {
      const taken = {
        minutes: [...minutes.values()].map(({ minute, ...rest }) => ({
          minute: new Date(minute * minuteMs).toISOString(),
          ...rest,
        })),
        days: [...days.values()],
      };
      minutes = new Map();
      days = new Map();
      return taken;
    },
    /** Takes back what could not be written, for the next write. */
    giveBack(taken: Increments) {
      for (const { minute, kind, counts } of taken.minutes)
        for (const [index, by] of counts.entries())
          addTo(kind, { minute: Math.floor(Date.parse(minute) / minuteMs), index, by });
      for (const { day, ...count } of taken.days) addDay(day, count);
    },
  };
}
