import { Group, Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { reminderStatuses } from '#contract/reminders.ts';
import type { ReminderFilters } from '#web/api/reminders.ts';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import classes from './ReminderFilterBar.module.css';

const statusChoices = [
  { value: 'all', label: 'All Status' },
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'draft', label: 'Draft' },
];

/** Search box and status filter; both are kept in the address. */
export function ReminderFilterBar({ filters }: { filters: ReminderFilters }) {
  const navigate = useNavigate({ from: '/reminders' });
  const show = (change: ReminderFilters) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false });
  return (
    <Group component="search" mb={16} gap={8} wrap="nowrap">
      <SearchBox
        className={classes.search}
        label="Search reminders..."
        value={filters.search ?? ''}
        onSearch={(text) => show({ search: text || undefined })}
      />
      <Select
        w={140}
        aria-label="Filter by status"
        data={statusChoices}
        allowDeselect={false}
        value={filters.status ?? 'all'}
        onChange={(value) => show({ status: reminderStatuses.find((status) => status === value) })}
      />
    </Group>
  );
}
