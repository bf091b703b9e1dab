import { IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useReminders } from '#web/api/reminders.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { notifyError } from '#web/ui/notify.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { ReminderFilterBar } from './ReminderFilterBar.tsx';
import { ReminderList } from './ReminderList.tsx';

const route = getRouteApi('/themed/signed-in/reminders');

/** All reminders of the workspace, searched and filtered. */
export function RemindersScreen() {
  const filters = route.useSearch();
  const reminders = useReminders(filters);
  useEffect(() => {
    if (reminders.error) notifyError('Error', 'Failed to load reminders');
  }, [reminders.error]);
  return (
    <>
      <PageHeader
        title="Reminders"
        subtitle="Manage your automated reminders and notifications"
        actions={
          <ButtonLink to="/reminders/new" leftSection={<IconPlus size={16} aria-hidden />}>
            Create Reminder
          </ButtonLink>
        }
      />
      <ReminderFilterBar filters={filters} />
      <ReminderList reminders={reminders} isFiltered={Boolean(filters.search || filters.status)} />
    </>
  );
}
