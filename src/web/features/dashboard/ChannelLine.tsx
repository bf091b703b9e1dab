import { Box, Flex, Group, Text } from '@mantine/core';
import type { ChannelDay } from '#contract/day.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { dayMs } from '#domain/instants.ts';
import { Bars } from '#web/ui/Bars.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { dayText } from '#web/ui/InstantText.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './DeliveryChart.module.css';

/** One bar per day (or week) for a channel, scaled to the highest; failed deliveries are stacked on sent ones. */
export function ChannelLine({ channel, days }: { channel: ChannelType; days: readonly ChannelDay[] }) {
  const { name, icon: Icon } = channelLooks[channel];
  const sent = sum(days.map((day) => day.sent));
  const failed = sum(days.map((day) => day.failed));
  const most = Math.max(1, ...days.map((day) => day.sent + day.failed));
  return (
    <Box mih={56} className={classes.line}>
      <Flex component="span" display="inline-flex" gap={8} align="center" fw={500}>
        <Icon size={18} stroke={1.6} className={prose.dimIcon} aria-hidden />
        {name}
      </Flex>
      <Bars
        label={`${name}: ${counted(sent)} sent and ${counted(failed)} failed in ${spanWords(days)}, at most ${counted(most)} on one ${isOfWeeks(days) ? 'week' : 'day'}`}
        bars={days.map((day) => ({
          key: day.day,
          title: `${isOfWeeks(days) ? 'Week from ' : ''}${wordsOf(day)}`,
          good: day.sent,
          bad: day.failed,
        }))}
      />
      <Group gap="4px 12px" justify="flex-end" fz="xs" c="dimmed" className="figures">
        <span>{counted(sent)} sent</span>
        <Text span inherit {...(failed > 0 && { fw: 560, c: 'var(--status-bad)' })}>
          {counted(failed)} failed
        </Text>
      </Group>
    </Box>
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const isOfWeeks = ([first, second]: readonly ChannelDay[]) =>
  first !== undefined && second !== undefined && Date.parse(second.day) - Date.parse(first.day) > dayMs;
const spanWords = (days: readonly ChannelDay[]) => `${days.length} ${isOfWeeks(days) ? 'weeks' : 'days'}`;
const counted = (number: number) => number.toLocaleString('en');
const wordsOf = ({ day, sent, failed }: ChannelDay) =>
  `${dayText(day, 'UTC')}: ${counted(sent)} sent${failed > 0 ? `, ${counted(failed)} failed` : ''}`;
