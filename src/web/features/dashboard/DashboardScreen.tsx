import { useEffect } from 'react';
import { useDashboard } from '#web/api/dashboard.ts';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import classes from './DashboardScreen.module.css';
import { QuickActions } from './QuickActions.tsx';
import { RecentReminders } from './RecentReminders.tsx';
import { NewReminderButton } from './reminder-links.tsx';
import { StatCards } from './StatCards.tsx';

/** The figures of the day, the latest reminders, and where to go next. */
export function DashboardScreen() {
  const dashboard = useDashboard();
  useEffect(() => {
    if (dashboard.error) console.error('The dashboard could not be loaded', dashboard.error);
  }, [dashboard.error]);
  return (
    <>
      <PageHeader
        title="Dashboard"
        subtitle="Welcome back! Here's what's happening today."
        actions={<NewReminderButton />}
      />
      <StatCards dashboard={dashboard} />
      <div className={classes.columns}>
        <RecentReminders dashboard={dashboard} />
        <QuickActions />
      </div>
    </>
  );
}
