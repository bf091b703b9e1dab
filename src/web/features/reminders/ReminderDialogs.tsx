import { lazy, Suspense } from 'react';
import { useLast } from '#web/features/jobs/use-last.ts';
import { useRemindersSearch } from './reminders-search.ts';

const TestReminderDialog = lazy(() => import('./TestReminderDialog.tsx'));
const TestOutcomeDialog = lazy(() => import('./TestOutcomeDialog.tsx'));
const ScheduleDialog = lazy(() => import('./ScheduleDialog.tsx'));

/** The dialogs that the URL names. Each loads when first opened, and stays mounted for its closing animation. */
export function ReminderDialogs() {
  const { test, sent, schedule, change } = useRemindersSearch();
  const [tested, sentJob, scheduled] = [useLast(test), useLast(sent), useLast(schedule)];
  return (
    <Suspense>
      {tested && (
        <TestReminderDialog
          key={tested}
          id={tested}
          opened={test !== undefined}
          onClose={() => change({ test: undefined })}
          onSeeOutcome={(job) => change({ sent: job })}
        />
      )}
      {sentJob && (
        <TestOutcomeDialog
          key={sentJob}
          id={sentJob}
          opened={sent !== undefined}
          onClose={() => change({ sent: undefined })}
        />
      )}
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
