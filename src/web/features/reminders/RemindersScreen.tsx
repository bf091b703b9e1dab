import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useLast } from '#web/features/jobs/use-last.ts';
import { PauseDialogs } from '#web/features/reminders/pausing/PauseDialogs.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { AllRemindersMenu } from './pausing/AllRemindersMenu.tsx';
import { ReminderFilterBar } from './ReminderFilterBar.tsx';
import { ReminderList } from './ReminderList.tsx';
import { useRemindersSearch } from './reminders-search.ts';

/** All reminders of the workspace, with search, filters and sorting, as cards or as a table. */
export function RemindersScreen() {
  return (
    <>
      <PageHeader
        title="Reminders"
        subtitle="Manage your automated reminders and notifications"
        actions={
          <>
            <ButtonLink to="/reminders/new" leftSection={<IconPlus size={16} aria-hidden />}>
              Create Reminder
            </ButtonLink>
            <AllRemindersMenu />
          </>
        }
      />
      <ReminderFilterBar />
      <ReminderList />
      <ReminderDialogs />
    </>
  );
}

const TestReminderDialog = lazy(() => import('./TestReminderDialog.tsx'));
const TestOutcomeDialog = lazy(() => import('./TestOutcomeDialog.tsx'));
const TestEventDialog = lazy(() => import('./test-event/TestEventDialog.tsx'));
const ScheduleDialog = lazy(() => import('./ScheduleDialog.tsx'));

/** The dialogs that the URL names. Each loads when first opened, and stays mounted for its closing animation. */
function ReminderDialogs() {
  const { test, event, sent, schedule, change } = useRemindersSearch();
  const [tested, sentJob, scheduled, tried] = [useLast(test), useLast(sent), useLast(schedule), useLast(event)];
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (test !== undefined) opener.current = document.activeElement;
  }, [test]);
  const closeOutcome = () => {
    // The outcome took the place of the test's dialog, so the focus returns to what opened that one.
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
    change({ sent: undefined });
  };
  return (
    <Suspense>
      {tested && (
        <TestReminderDialog
          key={tested}
          id={tested}
          opened={test !== undefined}
          onClose={() => change({ test: undefined })}
          onSent={(job) => change({ test: undefined, sent: job })}
        />
      )}
      {sentJob && <TestOutcomeDialog key={sentJob} id={sentJob} opened={sent !== undefined} onClose={closeOutcome} />}
      {tried && (
        <TestEventDialog
          key={tried}
          id={tried}
          opened={event !== undefined}
          onClose={() => change({ event: undefined })}
        />
      )}
      <PauseDialogs />
      {scheduled && (
        <ScheduleDialog
          key={scheduled}
          id={scheduled}
          opened={schedule !== undefined}
          onClose={() => change({ schedule: undefined })}
        />
      )}
    </Suspense>
  );
}
