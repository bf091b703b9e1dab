import type { ChannelDay } from '#contract/day.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { dayMs } from '#domain/instants.ts';
import { Bars } from '#web/ui/Bars.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { dayText } from '#web/ui/InstantText.tsx';
import classes from './DeliveryChart.module.css';

/** One bar per day (or week) for a channel, scaled to the highest; failed deliveries are stacked on sent ones. */
export function ChannelLine({ channel, days }: { channel: ChannelType; days: readonly ChannelDay[] }) {
  const { name, icon: Icon } = channelLooks[channel];
  const sent = sum(days.map((day) => day.sent));
  const failed = sum(days.map((day) => day.failed));
  const most = Math.max(1, ...days.map((day) => day.sent + day.failed));
  return (
    <div className={classes.line}>
      <span className={classes.channel}>
        <Icon size={18} stroke={1.6} aria-hidden />
        {name}
      </span>
      <Bars
        className={classes.bars}
        label={`${name}: ${counted(sent)} sent and ${counted(failed)} failed in ${spanWords(days)}, at most ${counted(most)} on one ${isOfWeeks(days) ? 'week' : 'day'}`}
        bars={days.map((day) => ({
          key: day.day,
          title: `${isOfWeeks(days) ? 'Week from ' : ''}${wordsOf(day)}`,
          good: day.sent,
          bad: day.failed,
        }))}
      />
      <span className={classes.totals}>
        <span>{counted(sent)} sent</span>
        <span data-tone={failed > 0 ? 'bad' : undefined}>{counted(failed)} failed</span>
      </span>
    </div>
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const isOfWeeks = ([first, second]: readonly ChannelDay[]) =>
  first !== undefined && second !== undefined && Date.parse(second.day) - Date.parse(first.day) > dayMs;
const spanWords = (days: readonly ChannelDay[]) => `${days.length} ${isOfWeeks(days) ? 'weeks' : 'days'}`;
const counted = (number: number) => number.toLocaleString('en');
const wordsOf = ({ day, sent, failed }: ChannelDay) =>
  `${dayText(day, 'UTC')}: ${counted(sent)} sent${failed > 0 ? `, ${counted(failed)} failed` : ''}`;
