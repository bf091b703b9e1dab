import { VisuallyHidden } from '@mantine/core';
import type { ChannelDay } from '#contract/day.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { dayText } from '#web/ui/InstantText.tsx';

/** The figures of the bars, for screen readers. */
export const DayTable = ({ days }: { days: readonly ChannelDay[] }) => (
  <VisuallyHidden component="table">
    <caption>Deliveries per day and channel</caption>
    <thead>
      <tr>
        <th>Day</th>
        <th>Channel</th>
        <th>Sent</th>
        <th>Failed</th>
      </tr>
    </thead>
    <tbody>
      {days.map(({ day, channel, sent, failed }) => (
        <tr key={`${day} ${channel}`}>
          <td>{dayText(day, 'UTC')}</td>
          <td>{channelLooks[channel].name}</td>
          <td>{sent}</td>
          <td>{failed}</td>
        </tr>
      ))}
    </tbody>
  </VisuallyHidden>
);
