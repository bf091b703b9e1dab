import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ChannelDay } from '#contract/day.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { dayText } from '#web/ui/InstantText.tsx';

type HiddenTableProps = {
  caption: string;
  titles: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
};

/** The figures of bars, for screen readers. */
export const HiddenTable = ({ caption, titles, rows }: HiddenTableProps) => (
  <VisuallyHidden component="table">
    <caption>{caption}</caption>
    <thead>
      <tr>
        {titles.map((title) => (
          <th key={title}>{title}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ key, cells }) => (
        <tr key={key}>
          {cells.map((cell, at) => (
            <td key={titles[at]}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </VisuallyHidden>
);

export const DayTable = ({ days }: { days: readonly ChannelDay[] }) => (
  <HiddenTable
    caption="Deliveries per day and channel"
    titles={['Day', 'Channel', 'Sent', 'Failed']}
    rows={days.map(({ day, channel, sent, failed }) => ({
      key: `${day} ${channel}`,
      cells: [dayText(day, 'UTC'), channelLooks[channel].name, sent, failed],
    }))}
  />
);
