import { Flex, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { type InstallationAnalytics, installationAnalyticsDays } from '#contract/admin-analytics.ts';
import { useInstallationAnalytics } from '#web/api/admin-system.ts';
import classes from '#web/features/admin/figures.module.css';
import { ChannelLine } from '#web/features/dashboard/ChannelLine.tsx';
import chart from '#web/features/dashboard/DeliveryChart.module.css';
import { DayAxis } from '#web/features/dashboard/DayAxis.tsx';
import { filledDays } from '#web/features/dashboard/filled-days.ts';
import { DayTable, HiddenTable } from '#web/features/workspaces/analytics/DayTable.tsx';
import { Figures, FiguresSkeleton } from '#web/features/workspaces/analytics/Figures.tsx';
import { rateText } from '#web/features/workspaces/analytics/rate-text.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { Bars } from '#web/ui/Bars.tsx';
import { dayText } from '#web/ui/InstantText.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import list from '#web/ui/list.module.css';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';

const failed = 'Error loading analytics';

/** How the installation grows, and how well all of its workspaces deliver. */
export default function AnalyticsTab() {
  const [days, setDays] = useState('30');
  const found = useInstallationAnalytics(days);
  return (
    <div className={classes.tab} aria-busy={found.isPending || found.isPlaceholderData}>
      <Flex component="search" gap={8}>
        <Select
          flex="0 1 200px"
          aria-label="Days"
          allowDeselect={false}
          data={installationAnalyticsDays.map((count) => ({ value: String(count), label: `Last ${count} days` }))}
          value={days}
          onChange={(chosen) => chosen !== null && setDays(chosen)}
        />
      </Flex>
      <Loaded of={found} failed={failed} skeleton={<FiguresSkeleton label="Loading" count={5} />}>
        {(data) => <Found of={data} />}
      </Loaded>
    </div>
  );
}

function Found({ of: data }: { of: InstallationAnalytics }) {
  const ended = data.sent + data.failed;
  return (
    <>
      <Figures
        label="Analytics"
        of={[
          { label: 'New Users', value: data.new_users },
          { label: 'New Workspaces', value: data.new_workspaces },
          { label: 'Sent', value: data.sent },
          { label: 'Failed', value: data.failed },
          {
            label: 'Delivery Rate',
            value: rateText(data.success_rate),
            note: `of ${ended.toLocaleString('en')} ${ended === 1 ? 'delivery' : 'deliveries'}`,
          },
        ]}
      />
      <RecordSection title="Growth">
        <Growth of={data} />
      </RecordSection>
      <RecordSection title="Deliveries per day and channel">
        {data.channels.length === 0 ? (
          <p className={list.none}>Nothing was delivered on these days.</p>
        ) : (
          <>
            {data.channels.map(({ channel }) => (
              <ChannelLine key={channel} channel={channel} days={filledDays(data.deliveries, { channel, ...data })} />
            ))}
            <DayAxis from={data.from} to={data.to} />
            <DayTable days={data.deliveries} />
          </>
        )}
      </RecordSection>
      {data.channels.length > 0 && <Rates channels={data.channels} />}
      <p className={classes.note}>
        By the day on which a message was due, in UTC, as Deliveries Today and the Success Rate above. What was sent and
        then reported as lost stays sent here. Tests do not count. A process that is killed takes what it counted in its
        last 15 seconds with it: the ledger of each workspace has all of it.
      </p>
    </>
  );
}

const Rates = ({ channels }: Pick<InstallationAnalytics, 'channels'>) => (
  <RecordSection title="Delivery rates">
    <Table rows={channels.map((one) => ({ id: one.channel, ...one }))} columns={columns} className={classes.table} />
  </RecordSection>
);

const columns: readonly Column<{ id: string } & InstallationAnalytics['channels'][number]>[] = [
  { title: 'Channel', cell: ({ channel }) => <span className={classes.name}>{channelLooks[channel].name}</span> },
  { title: 'Sent', isNumber: true, cell: ({ sent }) => sent.toLocaleString('en') },
  { title: 'Failed', isNumber: true, cell: ({ failed }) => failed.toLocaleString('en') },
  { title: 'Delivery Rate', isNumber: true, cell: ({ success_rate: rate }) => rateText(rate) },
];

function Growth({ of: { growth, from, to } }: { of: InstallationAnalytics }) {
  if (growth.length === 0) return <p className={list.none}>Nobody and nothing was new on these days.</p>;
  return (
    <>
      <GrowthLine name="Users" key="users" {...{ growth, from, to }} countOf={({ users }) => users} />
      <GrowthLine
        name="Workspaces"
        key="workspaces"
        {...{ growth, from, to }}
        countOf={({ workspaces }) => workspaces}
      />
      <DayAxis from={from} to={to} />
      <HiddenTable
        caption="New users and workspaces per day"
        titles={['Day', 'Users', 'Workspaces']}
        rows={growth.map(({ day, users, workspaces }) => ({
          key: day,
          cells: [dayText(day, 'UTC'), users, workspaces],
        }))}
      />
    </>
  );
}

type GrowthLineProps = Pick<InstallationAnalytics, 'growth' | 'from' | 'to'> & {
  name: string;
  countOf: (day: InstallationAnalytics['growth'][number]) => number;
};

function GrowthLine({ name, growth, countOf, from, to }: GrowthLineProps) {
  // Filled up, and put together in weeks, as deliveries are; the channel is of no account.
  const days = growth.map((day) => ({ day: day.day, channel: 'email' as const, sent: countOf(day), failed: 0 }));
  const bars = filledDays(days, { channel: 'email', from, to });
  const total = days.reduce((sum, day) => sum + day.sent, 0);
  return (
    <div className={chart.line}>
      <span className={classes.name}>{name}</span>
      <Bars
        label={`${name}: ${total.toLocaleString('en')} new from ${dayText(from, 'UTC')} to ${dayText(to, 'UTC')}`}
        bars={bars.map(({ day, sent }) => ({
          key: day,
          title: `${dayText(day, 'UTC')}: ${sent} new`,
          good: sent,
          bad: 0,
        }))}
      />
      <Text span fz="xs" ta="right" c="dimmed" className="figures">
        {total.toLocaleString('en')} new
      </Text>
    </div>
  );
}
