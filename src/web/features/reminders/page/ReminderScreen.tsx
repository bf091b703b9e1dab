import { Button } from '@mantine/core';
import { IconBellOff, IconFlask, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Reminder } from '#contract/reminders.ts';
import { ApiError } from '#web/api/client.ts';
import { useReminderRuns } from '#web/api/jobs.ts';
import { useOccurrences, useReminder, useSetReminderStatus } from '#web/api/reminders.ts';
import { useNobodyQuestion } from '#web/features/reach/NobodyDialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { BackLink, RecordSkeleton } from '#web/ui/Record.tsx';
import classes from '#web/ui/record.module.css';
import { EarlierTexts } from './EarlierTexts.tsx';
import { ReminderMessage } from './ReminderMessage.tsx';
import { ReminderNext } from './ReminderNext.tsx';
import { ReminderPeople } from './ReminderPeople.tsx';
import { ReminderRuns } from './ReminderRuns.tsx';

const TestReminderDialog = lazy(() => import('#web/features/reminders/TestReminderDialog.tsx'));
const TestOutcomeDialog = lazy(() => import('#web/features/reminders/TestOutcomeDialog.tsx'));

const route = getRouteApi('/themed/signed-in/reminders/$id');
const back = <BackLink to="/reminders">Back to Reminders</BackLink>;

/** One reminder: when it is sent next, what its runs came to, to whom it is sent and what it says. */
export function ReminderScreen() {
  const { id } = route.useParams();
  const { data: reminder, error, isPending, isFetching, refetch } = useReminder(id);
  // These load in parallel with the reminder.
  useReminderRuns(id);
  useOccurrences(id);
  if (reminder) return <Page key={reminder.id} reminder={reminder} />;
  return (
    <>
      <PageHeader title="Reminder" above={back} />
      {isPending ? (
        <RecordSkeleton label="Loading the reminder" />
      ) : error instanceof ApiError && error.status === 404 ? (
        <EmptyState
          icon={IconBellOff}
          title="This reminder is not here"
          sentence="It was deleted, or it belongs to another workspace. What it sent is still listed under Jobs."
          action={<ButtonLink to="/reminders">Show all reminders</ButtonLink>}
        />
      ) : (
        <ErrorState
          title="Failed to load reminder data"
          error={error}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      )}
    </>
  );
}

function Page({ reminder }: { reminder: Reminder }) {
  const { id, name, description, warnings } = reminder;
  return (
    <>
      <PageHeader title={name} subtitle={description} above={back} actions={<Actions reminder={reminder} />} />
      {warnings.length > 0 && (
        <ul className={classes.warnings} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <div className={classes.columns}>
        <div className={classes.column}>
          <ReminderRuns id={id} zone={reminder.schedule_config.timezone} />
          <ReminderMessage reminder={reminder} />
          <EarlierTexts id={id} zone={reminder.schedule_config.timezone} />
        </div>
        <div className={classes.column}>
          <ReminderNext reminder={reminder} />
          <ReminderPeople reminder={reminder} />
        </div>
      </div>
    </>
  );
}

function Actions({ reminder: { id, status } }: { reminder: Reminder }) {
  const { mutateAsync, isPending } = useSetReminderStatus();
  const { ask, dialog } = useNobodyQuestion();
  const [isTesting, setTesting] = useState(false);
  const [testJob, setTestJob] = useState<string | null>(null);
  const [isShown, setShown] = useState(false);
  const [hasOpened, setOpened] = useState(false);
  const isActive = status === 'active';
  const Icon = isActive ? IconPlayerPause : IconPlayerPlay;
  const toggle = async () => {
    if (!isActive && !(await ask({ reminderId: id }))) return;
    try {
      await mutateAsync({ id, status: isActive ? 'paused' : 'active' });
      notifySuccess('Success', `Reminder ${isActive ? 'paused' : 'resumed'} successfully`);
    } catch (error) {
      notifyFailure('Error', error, 'Failed to update reminder status');
    }
  };
  const test = () => {
    setOpened(true);
    setTesting(true);
  };
  const showOutcome = (job: string) => {
    setTesting(false);
    setTestJob(job);
    setShown(true);
  };
  return (
    <>
      <Button variant="default" leftSection={<IconFlask size={16} aria-hidden />} onClick={test}>
        Test
      </Button>
      <Button
        variant="default"
        leftSection={<Icon size={16} aria-hidden />}
        loading={isPending}
        onClick={() => void toggle()}
      >
        {isActive ? 'Pause' : 'Resume'}
      </Button>
      <ButtonLink to="/reminders/$id/edit" params={{ id }} leftSection={<IconPencil size={16} aria-hidden />}>
        Edit
      </ButtonLink>
      {dialog}
      <Suspense>
        {hasOpened && (
          <TestReminderDialog id={id} opened={isTesting} onClose={() => setTesting(false)} onSent={showOutcome} />
        )}
        {testJob && <TestOutcomeDialog key={testJob} id={testJob} opened={isShown} onClose={() => setShown(false)} />}
      </Suspense>
    </>
  );
}
