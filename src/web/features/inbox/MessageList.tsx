import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { Center, SegmentedControl, Stack, VisuallyHidden } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { channelTypes } from '#contract/channel-types.ts';
import type { useInbox } from '#web/api/inbox.ts';
import { useScreenSearch } from '#web/app/use-screen-search.ts';
import { List } from '#web/ui/List.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { MessageRow } from './MessageRow.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './inbox.module.css';

const route = getRouteApi('/themed/signed-in/inbox');

type Inbox = ReturnType<typeof useInbox>;

/** The messages, newest first, with search and filter above. */
export function MessageList({ inbox }: { inbox: Inbox }) {
  return (
    <section className={classes.side} aria-label="Messages" aria-busy={inbox.isPending || inbox.isPlaceholderData}>
      <InboxFilters />
      <div className={classes.list}>
        <Messages inbox={inbox} />
      </div>
    </section>
  );
}

function Messages({ inbox }: { inbox: Inbox }) {
  const navigate = route.useNavigate();
  return (
    <List
      isPart
      noun="the inbox"
      of={inbox}
      card={(message) => (
        <Link
          from="/inbox"
          to="/inbox/$id"
          params={{ id: message.id }}
          search={(before) => before}
          resetScroll={false}
          className={classes.row}
          activeOptions={{ includeSearch: false }}
          activeProps={{ 'aria-current': 'true' }}
        >
          <MessageRow message={message} />
        </Link>
      )}
      noMatch={{
        title: 'No messages match',
        sentence: 'The search looks at subjects, recipients and texts.',
        all: 'Show all messages',
        onShowAll: () => void navigate({ to: '.', search: {} }),
      }}
    />
  );
}

const choices = [
  { value: 'all', label: 'All' },
  ...channelTypes.map((channel) => {
    const { icon: Icon, name } = channelLooks[channel];
    const label = (
      <Center title={name} h={20}>
        <Icon size={18} stroke={1.6} aria-hidden />
        <VisuallyHidden>{name}</VisuallyHidden>
      </Center>
    );
    return { value: channel, label };
  }),
];

/** Search and channel filter. Both are kept in the URL; changing them leaves the open message open. */
function InboxFilters() {
  const { search, channel, change } = useScreenSearch(route);
  return (
    <Stack gap={8} p={12} className={prose.lineBelow}>
      <SearchBox
        label="Search messages"
        value={search ?? ''}
        onSearch={(text) => change({ search: text || undefined })}
      />
      <SegmentedControl
        fullWidth
        classNames={{ label: classes.choices }}
        aria-label="Channel"
        data={choices}
        value={channel ?? 'all'}
        onChange={(value) => change({ channel: channelTypes.find((known) => known === value) })}
      />
    </Stack>
  );
}
