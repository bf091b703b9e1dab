import { SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import classes from './inbox.module.css';

const route = getRouteApi('/themed/signed-in/inbox');

const channels = ['email', 'webhook'] as const;
const choices = [
  { value: 'all', label: 'All' },
  { value: 'email', label: 'Email' },
  { value: 'webhook', label: 'Webhook' },
];

/** Search and channel; both live in the address. */
export function InboxFilters() {
  const { search = '', channel } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(search);
  const change = (part: { search?: string; channel?: (typeof channels)[number] }) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  const seek = useDebouncedCallback((text: string) => change({ search: text.trim() || undefined }), 250);
  return (
    <div className={classes.filters}>
      <TextInput
        type="search"
        placeholder="Search messages"
        aria-label="Search messages"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        maxLength={200}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          seek(value);
        }}
      />
      <SegmentedControl
        fullWidth
        aria-label="Channel"
        data={choices}
        value={channel ?? 'all'}
        onChange={(value) => change({ channel: channels.find((known) => known === value) })}
      />
    </div>
  );
}
