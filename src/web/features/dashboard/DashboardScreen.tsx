import { IconPlus } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useDay } from '#web/api/day.ts';
import { useDashboard } from '#web/api/dashboard.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import classes from './DashboardScreen.module.css';
import { DeliveryChart } from './DeliveryChart.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { NeedsAttention } from './NeedsAttention.tsx';
import { QuickActions } from './QuickActions.tsx';
import { RecentReminders } from './RecentReminders.tsx';
import { StatCards } from './StatCards.tsx';
import { Upcoming } from './Upcoming.tsx';

/** Today's figures, upcoming and failed jobs, the latest reminders, and quick actions. */
export function DashboardScreen() {
  const dashboard = useDashboard();
  const day = useDay();
  useEffect(() => {
    if (dashboard.error) console.error('The dashboard could not be loaded', dashboard.error);
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
      <div className={classes.below}>
        <DeliveryChart />
      </div>
    </>
  );
}
