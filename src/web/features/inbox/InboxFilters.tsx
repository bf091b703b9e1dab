import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { Center, SegmentedControl, VisuallyHidden } from '@mantine/core';
import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router';
import { channelTypes } from '#contract/channel-types.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import classes from './inbox.module.css';

const route = getRouteApi('/themed/signed-in/inbox');

const choices = [
  { value: 'all', label: 'All' },
  ...channelTypes.map((channel) => {
    const { icon: Icon, name } = channelLooks[channel];
    const label = (
      <Center title={name} className={classes.choice}>
        <Icon size={18} stroke={1.6} aria-hidden />
        <VisuallyHidden>{name}</VisuallyHidden>
      </Center>
    );
    return { value: channel, label };
  }),
];

/** Search and channel filter. Both are kept in the URL; changing them leaves the open message open. */
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
        classNames={{ label: classes.choices }}
        aria-label="Channel"
        data={choices}
        value={filter.channel ?? 'all'}
        onChange={(value) => change({ channel: channelTypes.find((known) => known === value) })}
      />
    </div>
  );
}
