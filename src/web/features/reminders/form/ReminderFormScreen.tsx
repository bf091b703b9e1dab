import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useReminder } from '#web/api/reminders.ts';
import { notifyError } from '#web/ui/notify.tsx';
import { LoadingReminder } from './LoadingReminder.tsx';
import { ReminderForm } from './ReminderForm.tsx';

const editRoute = getRouteApi('/themed/signed-in/reminders/$id/edit');

export const NewReminderScreen = () => <ReminderForm />;

/** Loads the reminder, then shows the form; redirects to the list when it cannot be loaded. */
export function EditReminderScreen() {
  const { id } = editRoute.useParams();
  const navigate = useNavigate();
  const { data: reminder, isFetchedAfterMount, isError } = useReminder(id);
  const hasFailed = isError && !reminder;
  useEffect(() => {
    if (!hasFailed) return;
    notifyError('Error', 'Failed to load reminder data');
    void navigate({ to: '/reminders', replace: true });
  }, [hasFailed, navigate]);
  if (!reminder || !isFetchedAfterMount) return <LoadingReminder />;
  return <ReminderForm key={reminder.id} reminder={reminder} />;
}
