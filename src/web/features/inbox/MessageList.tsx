import { Button, Skeleton } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { useInbox } from '#web/api/inbox.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { InboxFilters } from './InboxFilters.tsx';
import classes from './inbox.module.css';
import { MessageRow } from './MessageRow.tsx';

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
  if (inbox.isPending) return <ListSkeleton />;
  if (!inbox.data) {
    return (
      <ErrorState
        title="Error loading the inbox"
        error={inbox.error}
        onRetry={() => void inbox.refetch()}
        isRetrying={inbox.isFetching}
      />
    );
  }
  if (inbox.data.length === 0) return <NoMatch />;
  return (
    <>
      <ul className={classes.messages}>
        {inbox.data.map((message) => (
          <li key={message.id}>
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
          </li>
        ))}
      </ul>
      <LoadMore of={inbox} />
    </>
  );
}

function NoMatch() {
  const navigate = route.useNavigate();
  return (
    <EmptyState
      icon={IconFilterOff}
      title="No messages match"
      sentence="The search looks at subjects, recipients and texts."
      action={
        <Button variant="default" onClick={() => void navigate({ to: '.', search: {} })}>
          Show all messages
        </Button>
      }
    />
  );
}

export function ListSkeleton() {
  return (
    <div aria-hidden data-testid="skeleton">
      {Array.from({ length: 7 }, (_, row) => (
        <div key={row} className={classes.row}>
          <Skeleton height={18} width={18} circle />
          <div>
            <Skeleton height={12} width="70%" my={4} />
            <Skeleton height={10} width="45%" my={6} />
          </div>
        </div>
      ))}
    </div>
  );
}
