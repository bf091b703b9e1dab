import { Box, Card, Skeleton, Stack } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useReminder } from '#web/api/reminders.ts';
import { notifyError } from '#web/ui/notify.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { BackLink } from '#web/ui/Record.tsx';
import { useFormSearch } from './form-search.ts';
import classes from './ReminderForm.module.css';
import { ReminderForm } from './ReminderForm.tsx';

const editRoute = getRouteApi('/themed/signed-in/reminders/$id/edit');

/** A new reminder, or a message to chosen people: each of these has a form of its own. */
export function NewReminderScreen() {
  const { message } = useFormSearch();
  return <ReminderForm key={message ?? ''} messageId={message} />;
}

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

/** The placeholder of the form while the reminder loads. */
function LoadingReminder() {
  return (
    <Box w="100%" maw={920} mx="auto">
      <PageHeader
        title="Loading..."
        subtitle={<Skeleton component="span" width={220} height={20} display="block" />}
        above={<BackLink to="/reminders">Back to Reminders</BackLink>}
      />
      <Card aria-hidden padding={0}>
        <div className={classes.panel}>
          <Stack gap={24}>
            {[1, 2, 3].map((field) => (
              <div key={field}>
                <Skeleton height={12} width={96} mb={8} />
                <Skeleton height={36} />
              </div>
            ))}
          </Stack>
        </div>
      </Card>
    </Box>
  );
}
