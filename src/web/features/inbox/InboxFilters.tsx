import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { SegmentedControl } from '@mantine/core';
import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import classes from './inbox.module.css';

const route = getRouteApi('/themed/signed-in/inbox');

const channels = ['email', 'webhook'] as const;
const choices = [
  { value: 'all', label: 'All' },
  { value: 'email', label: 'Email' },
  { value: 'webhook', label: 'Webhook' },
];

/** Search and channel; both live in the address, and leave the message that is being read where it is. */
export function InboxFilters() {
  const { id } = useParams({ strict: false });
  const filter = route.useSearch();
  const navigate = useNavigate();
  const change = (part: Partial<typeof filter>) => {
    const here = { search: { ...filter, ...part }, replace: true, resetScroll: false };
    void navigate(id ? { ...here, to: '/inbox/$id', params: { id } } : { ...here, to: '/inbox' });
  };
  return (
    <div className={classes.filters}>
      <SearchBox
        label="Search messages"
        value={filter.search ?? ''}
        onSearch={(text) => change({ search: text || undefined })}
      />
      <SegmentedControl
        fullWidth
        aria-label="Channel"
        data={choices}
        value={filter.channel ?? 'all'}
        onChange={(value) => change({ channel: channels.find((known) => known === value) })}
      />
    </div>
  );
}
