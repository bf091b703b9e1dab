import { ActionIcon } from '@mantine/core';
import { IconLayoutGrid, IconList } from '@tabler/icons-react';
import { reminderSorts, reminderStatuses } from '#contract/reminders.ts';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import classes from './ReminderFilterBar.module.css';
import { useRemindersSearch } from './reminders-search.ts';

const statusChoices = [
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'draft', label: 'Draft' },
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
export function ReminderFilterBar() {
  const { search, status, sort, change } = useRemindersSearch();
  const show = (part: Parameters<typeof change>[0]) => change(part, { replace: true });
  return (
    <FilterBar
      search={{
        label: 'Search reminders...',
        value: search ?? '',
        onSearch: (text) => show({ search: text || undefined }),
      }}
      choices={[
        {
          label: 'Filter by status',
          all: 'All Status',
          of: statusChoices,
          value: status,
          width: 148,
          onChoose: (value) => show({ status: reminderStatuses.find((one) => one === value) }),
        },
        {
          label: 'Sort by',
          all: 'Newest first',
          of: sortChoices,
          value: sort === '-created' ? undefined : sort,
          width: 148,
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
