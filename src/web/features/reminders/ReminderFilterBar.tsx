import { ActionIcon, Flex, Select } from '@mantine/core';
import { IconLayoutGrid, IconList } from '@tabler/icons-react';
import { reminderSorts, reminderStatuses } from '#contract/reminders.ts';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import classes from './ReminderFilterBar.module.css';
import { useRemindersSearch } from './reminders-search.ts';

const statusChoices = [
  { value: 'all', label: 'All Status' },
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'draft', label: 'Draft' },
];

const sortChoices = [
  { value: '-created', label: 'Newest first' },
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
    <Flex component="search" gap={8} wrap="wrap" mb={16}>
      <SearchBox
        className={classes.search}
        label="Search reminders..."
        value={search ?? ''}
        onSearch={(text) => show({ search: text || undefined })}
      />
      <Select
        className={classes.choice}
        aria-label="Filter by status"
        data={statusChoices}
        allowDeselect={false}
        value={status ?? 'all'}
        onChange={(value) => show({ status: reminderStatuses.find((one) => one === value) })}
      />
      <Select
        className={classes.choice}
        aria-label="Sort by"
        data={sortChoices}
        allowDeselect={false}
        value={sort ?? '-created'}
        onChange={(value) =>
          show({ sort: value === '-created' ? undefined : reminderSorts.find((one) => one === value) })
        }
      />
      <ViewButtons />
    </Flex>
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
