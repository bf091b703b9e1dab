import { IconLayoutGrid, IconList, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { ActionIcon } from '@mantine/core';
import { reminderSorts, reminderStates } from '#contract/reminders.ts';
import { useLast } from '#web/features/jobs/use-last.ts';
import { PauseDialogs } from '#web/features/reminders/pausing/PauseDialogs.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import { AllRemindersMenu } from './pausing/AllRemindersMenu.tsx';
import { ReminderList } from './ReminderList.tsx';
import { useRemindersSearch } from './reminders-search.ts';
import classes from './ReminderFilterBar.module.css';

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
            <ButtonLink to="/agenda" variant="default">
              Agenda
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

const statusChoices = [
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'draft', label: 'Draft' },
  { value: 'done', label: 'Done' },
];

const sortChoices = [
  { value: 'created', label: 'Oldest first' },
  { value: 'name', label: 'Name A–Z' },
  { value: '-name', label: 'Name Z–A' },
  { value: 'next_run', label: 'Next run first' },
  { value: '-next_run', label: 'Next run last' },
  { value: 'status', label: 'Active first' },
  { value: '-status', label: 'Drafts first' },
];

/** Search box, status filter, sort order, and cards or table; all are kept in the URL. */
function ReminderFilterBar() {
  const { search, status, sort, change } = useRemindersSearch();
  const show = (part: Parameters<typeof change>[0]) => change(part, { replace: true });
  return (
    <FilterBar
      search={{ label: 'Search reminders...', value: search, onSearch: (text) => show({ search: text }) }}
      choices={[
        {
          label: 'Filter by status',
          all: 'All Status',
          of: statusChoices,
          value: status,
          width: 140,
          onChoose: (value) => show({ status: reminderStates.find((one) => one === value) }),
        },
        {
          label: 'Sort by',
          all: 'Newest first',
          of: sortChoices,
          value: sort === '-created' ? undefined : sort,
          width: 140,
          onChoose: (value) => show({ sort: reminderSorts.find((one) => one === value) }),
        },
      ]}
    >
      <ViewButtons />
    </FilterBar>
  );
}

function ViewButtons() {
  const { view, change, rememberView } = useRemindersSearch();
  const choices = [
    { label: 'Cards', icon: IconLayoutGrid, view: undefined },
    { label: 'Table', icon: IconList, view: 'table' },
  ] as const;
  return (
    <div className={classes.views} role="group" aria-label="View">
      {choices.map(({ label, icon: Icon, view: value }) => (
        <ActionIcon
          key={label}
          variant={view === value ? 'light' : 'subtle'}
          color={view === value ? undefined : 'gray'}
          size={34}
          aria-label={label}
          aria-pressed={view === value}
          data-hint={label}
          onClick={() => {
            rememberView(value ?? 'cards');
            change({ view: value }, { replace: true });
          }}
        >
          <Icon size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      ))}
    </div>
  );
}
