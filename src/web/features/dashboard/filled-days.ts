import type { ChannelDay } from '#contract/day.ts';
import { dayMs } from '#domain/instants.ts';

/** The most bars that fit a phone: longer ranges are shown in weeks. */
const mostBars = 92;

/** The days of one channel, with those between `from` and `to` that have no deliveries; of a long range the weeks, each under its first day. */
export function filledDays(
  data: readonly ChannelDay[],
  span: { channel: ChannelDay['channel']; from: string; to: string },
): ChannelDay[] {
  const known = new Map(data.filter(({ channel }) => channel === span.channel).map((day) => [day.day, day]));
  const last = Date.parse(span.to);
  const first = Date.parse(span.from);
  const daysOfBar = (last - first) / dayMs + 1 > mostBars ? 7 : 1;
  const bars: ChannelDay[] = [];
  for (let begin = first; begin <= last; begin += daysOfBar * dayMs) {
    const bar = { day: isoDay(begin), channel: span.channel, sent: 0, failed: 0 };
    for (let at = begin; at < begin + daysOfBar * dayMs && at <= last; at += dayMs) {
      const day = known.get(isoDay(at));
      bar.sent += day?.sent ?? 0;
      bar.failed += day?.failed ?? 0;
    }
    bars.push(bar);
  }
  return bars;
}

const isoDay = (at: number) => new Date(at).toISOString().slice(0, 10);
