import { Box, Card, Flex, SimpleGrid, Skeleton, Title } from '@mantine/core';
import {
  IconBell,
  IconBroadcast,
  IconChartBar,
  IconChevronRight,
  IconCircleCheck,
  IconPlus,
  IconTemplate,
  IconUsers,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { channelTypes } from '#contract/channel-types.ts';
import { useDashboard } from '#web/api/dashboard.ts';
import { useDay, useDeliveryDays } from '#web/api/day.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import prose from '#web/ui/prose.module.css';
import list from '#web/ui/list.module.css';
import classes from './DashboardScreen.module.css';
import { FirstSteps } from './FirstSteps.tsx';
import { NeedsAttention } from './NeedsAttention.tsx';
import { RecentReminders } from './RecentReminders.tsx';
import { Upcoming } from './Upcoming.tsx';
import { ChannelLine } from './ChannelLine.tsx';
import { filledDays } from './filled-days.ts';

/** Today's figures, upcoming and failed jobs, the latest reminders, and quick actions. */
export function DashboardScreen() {
  const dashboard = useDashboard();
  const day = useDay();
  useEffect(() => {
    if (dashboard.error) console.error('Error loading the dashboard', dashboard.error);
  }, [dashboard.error]);
  return (
    <>
      <PageHeader
        title="Dashboard"
        subtitle="Welcome back! Here's what's happening today."
        actions={
          <ButtonLink to="/reminders/new" leftSection={<IconPlus size={16} aria-hidden />}>
            New Reminder
          </ButtonLink>
        }
      />
      {dashboard.data?.first_steps != null && <FirstSteps steps={dashboard.data.first_steps} />}
      <StatCards dashboard={dashboard} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <Upcoming day={day} />
          <RecentReminders dashboard={dashboard} />
        </div>
        <div className={classes.column}>
          <div className={classes.first}>
            <NeedsAttention day={day} />
          </div>
          <QuickActions />
        </div>
      </div>
      <Box mt={{ base: 16, md: 24 }}>
        <DeliveryChart />
      </Box>
    </>
  );
}

type Dashboard = ReturnType<typeof useDashboard>;

const stats = [
  { key: 'activeReminders', label: 'Active Reminders', icon: IconBell },
  { key: 'completedThisWeek', label: 'Completed This Week', icon: IconCircleCheck },
  { key: 'teamMembers', label: 'Team Members', icon: IconUsers },
  { key: 'templates', label: 'Templates', icon: IconTemplate },
] as const;

function StatCards({ dashboard }: { dashboard: Dashboard }) {
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: 12, sm: 16 }} aria-busy={dashboard.isPending}>
      {stats.map(({ key, label, icon: Icon }) => (
        <Card key={key} className={classes.stat}>
          <div className={classes.label}>
            {label}
            <Icon size={18} stroke={1.6} aria-hidden />
          </div>
          {dashboard.isPending ? (
            <>
              <Skeleton height={28} width={56} mt={6} mb={6} />
              <Skeleton height={12} width="70%" my={4} />
            </>
          ) : (
            <>
              <div className={classes.figure}>{dashboard.data?.[key].toLocaleString('en') ?? '–'}</div>
              {dashboard.data && (
                <Change
                  by={dashboard.data.changes[key]}
                  partlySent={key === 'completedThisWeek' ? dashboard.data.partlySentThisWeek : 0}
                />
              )}
            </>
          )}
        </Card>
      ))}
    </SimpleGrid>
  );
}

/** `partlySent` of the figure above it count although somebody was not reached. */
function Change({ by, partlySent }: { by: number; partlySent: number }) {
  const sign = by === 0 ? '±' : by > 0 ? '+' : '−';
  return (
    <div className={classes.change}>
      <span data-change={Math.sign(by)}>
        {sign}
        {Math.abs(by).toLocaleString('en')}
      </span>{' '}
      from last week
      {partlySent > 0 && ` · ${partlySent.toLocaleString('en')} of them partly sent`}
    </div>
  );
}

const actions = [
  { label: 'Create New Reminder', to: '/reminders/new', icon: IconPlus },
  { label: 'Browse Templates', to: '/templates', icon: IconTemplate },
  { label: 'Manage Channels', to: '/channels', icon: IconBroadcast },
  { label: 'View Analytics', to: '/jobs', icon: IconChartBar },
] as const;

function QuickActions() {
  return (
    <Card padding={0} component="nav" aria-labelledby="quick-actions">
      <Title order={2} id="quick-actions" p="16px var(--gutter) 12px">
        Quick Actions
      </Title>
      {actions.map(({ label, to, icon: Icon }) => (
        <Link key={to} to={to} className={classes.action}>
          <Icon size={18} stroke={1.6} aria-hidden />
          <Box component="span" flex={1}>
            {label}
          </Box>
          <IconChevronRight size={16} aria-hidden />
        </Link>
      ))}
    </Card>
  );
}

/** Bars per channel in use: deliveries on each of the last 30 days. */
function DeliveryChart() {
  const days = useDeliveryDays(viewerZone());
  return (
    <Card padding={0} component="section" aria-labelledby="deliveries" aria-busy={days.isPending}>
      <Flex gap={8} align="baseline" p="16px var(--gutter) 12px">
        <Title order={2} id="deliveries">
          Deliveries
        </Title>
        <span className={prose.dim}>the last 30 days</span>
      </Flex>
      <Loaded
        of={days}
        failed="Error loading deliveries"
        skeleton={<Skeleton height={40} m="0 var(--gutter) 20px" width="auto" />}
      >
        {({ from, to, data }) => {
          const used = channelTypes.filter((channel) => data.some((day) => day.channel === channel));
          if (used.length === 0)
            return <p className={list.none}>Nothing has been sent yet. This chart shows the messages of each day.</p>;
          return used.map((channel) => (
            <ChannelLine key={channel} channel={channel} days={filledDays(data, { channel, from, to })} />
          ));
        }}
      </Loaded>
    </Card>
  );
}
