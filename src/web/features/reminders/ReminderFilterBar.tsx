import { CloseButton, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { reminderStatuses } from '#contract/reminders.ts';
import { type ReminderFilters, searchLimit } from '#web/api/reminders.ts';

const typingPauseMs = 250;

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
  const search = useSearchText(filters.search ?? '', (text) => show({ search: text.trim() || undefined }));
  return (
    <Group component="search" mb={16} gap={8} wrap="nowrap">
      <TextInput
        flex={1}
        maw={420}
        aria-label="Search reminders"
        placeholder="Search reminders..."
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          search.text && <CloseButton size="sm" aria-label="Clear search" onClick={() => search.type('')} />
        }
        maxLength={searchLimit}
        value={search.text}
        onChange={(event) => search.type(event.currentTarget.value)}
      />
      <Select
        w={140}
        aria-label="Filter by status"
        data={statusChoices}
        allowDeselect={false}
        value={filters.status ?? 'all'}
        onChange={(value) => show({ status: reminderStatuses.find((status) => status === value) })}
        comboboxProps={{ width: 'target' }}
      />
    </Group>
  );
}

/** What is being typed runs ahead of the address; a change of the address from elsewhere (Back) wins. */
function useSearchText(fromAddress: string, onPause: (text: string) => void) {
  const [text, setText] = useState(fromAddress);
  const sent = useRef(fromAddress);
  const send = useDebouncedCallback((typed: string) => {
    sent.current = typed.trim();
    onPause(typed);
  }, typingPauseMs);
  useEffect(() => {
    if (fromAddress === sent.current) return;
    sent.current = fromAddress;
    setText(fromAddress);
  }, [fromAddress]);
  return {
    text,
    type: (typed: string) => {
      setText(typed);
      send(typed);
    },
  };
}
