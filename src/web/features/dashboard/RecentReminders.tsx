import { Box, Skeleton } from '@mantine/core';
import { IconBell, IconCheck, IconClock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { useDashboard } from '#web/api/dashboard.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { ButtonLink, TextLink } from '#web/ui/links.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './RecentReminders.module.css';

type Dashboard = ReturnType<typeof useDashboard>;
type RecentReminder = NonNullable<Dashboard['data']>['recent'][number];

/** The five most recently created reminders. */
export function RecentReminders({ dashboard }: { dashboard: Dashboard }) {
  const link = (dashboard.data?.recent.length ?? 0) > 0 && <TextLink to="/reminders">View All Reminders</TextLink>;
  return (
    <RecordSection title="Recent Reminders" size="h2" aside={link}>
      <Loaded of={dashboard} failed="Error loading the dashboard" skeleton={<RecentSkeleton />}>
        {({ recent }) =>
          recent.length === 0 ? (
            <EmptyState
              icon={IconBell}
              title="No reminders found"
              sentence="A reminder is sent on a schedule or after an event, over the channels you choose."
              action={<ButtonLink to="/reminders/new">Create Your First Reminder</ButtonLink>}
            />
          ) : (
            <ul>
              {recent.map((reminder) => (
                <RecentRow key={reminder.id} reminder={reminder} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </RecordSection>
  );
}

function RecentRow({ reminder }: { reminder: RecentReminder }) {
  const state = reminder.is_done ? 'done' : reminder.status;
  const Icon = reminder.status === 'active' ? IconCheck : IconClock;
  return (
    <li className={classes.row}>
      <span className={classes.icon} data-tone={state === 'active' ? 'good' : 'quiet'}>
        <Icon size={16} stroke={2} aria-hidden />
      </span>
      <div className={prose.lines}>
        <Link className={classes.name} to="/reminders/$id" params={{ id: reminder.id }} title={reminder.name}>
          {reminder.name}
        </Link>
        <Box component="span" c="dimmed" className={prose.oneLine}>
          {reminder.description || 'No description'}
        </Box>
      </div>
      <div className={classes.state}>
        <StatusBadge kind="reminder" status={state} withIcon={false} />
        <span className={classes.priority}>{reminder.priority || 'medium'} priority</span>
      </div>
    </li>
  );
}

function RecentSkeleton() {
  return (
    <ul aria-busy aria-label="Loading reminders">
      {[1, 2, 3, 4, 5].map((row) => (
        <li key={row} className={classes.row}>
          <Skeleton circle height={32} />
          <div className={prose.lines}>
            <Skeleton height={12} width="40%" my={4} />
            <Skeleton height={10} width="65%" my={4} />
          </div>
          <Skeleton height={24} width={72} />
        </li>
      ))}
    </ul>
  );
}
