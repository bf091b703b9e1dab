import { IconPlus } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useDashboard } from '#web/api/dashboard.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import classes from './DashboardScreen.module.css';
import { QuickActions } from './QuickActions.tsx';
import { RecentReminders } from './RecentReminders.tsx';
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
        actions={
          <ButtonLink to="/reminders/new" leftSection={<IconPlus size={16} aria-hidden />}>
            New Reminder
          </ButtonLink>
        }
      />
      <StatCards dashboard={dashboard} />
      <div className={classes.columns}>
        <RecentReminders dashboard={dashboard} />
        <QuickActions />
      </div>
    </>
  );
}
