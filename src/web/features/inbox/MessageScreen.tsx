import { Skeleton } from '@mantine/core';
import { IconArrowLeft, IconMailOff } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useInboxHtmlUrl, useInboxMessage } from '#web/api/inbox.ts';
import { isNotHere } from '#web/api/client.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import classes from './inbox.module.css';
import { MessageView } from './MessageView.tsx';

const route = getRouteApi('/themed/signed-in/inbox/$id');

/** The message that the URL names; phones also show a link back to the list. */
export function MessageScreen() {
  const { id } = route.useParams();
  const isPhone = useIsPhone();
  return (
    <>
      {isPhone && (
        <ButtonLink
          mb={12}
          ml={-8}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowLeft size={16} aria-hidden />}
          from="/inbox/$id"
          to="/inbox"
          search={(before) => before}
        >
          Inbox
        </ButtonLink>
      )}
      <Message key={id} id={id} />
    </>
  );
}

function Message({ id }: { id: string }) {
  const htmlUrl = useInboxHtmlUrl(id);
  const found = useInboxMessage(id);
  if (found.data === undefined && isNotHere(found.error))
    return (
      <EmptyState
        icon={IconMailOff}
        title="This message is not here"
        sentence="It was deleted, or it belongs to another workspace."
        action={<ButtonLink to="/inbox">Show all messages</ButtonLink>}
      />
    );
  return (
    <Loaded of={found} failed="Error loading the message" skeleton={<MessageSkeleton />}>
      {(message) => <MessageView message={message} htmlUrl={message.has_html ? htmlUrl : null} />}
    </Loaded>
  );
}

function MessageSkeleton() {
  return (
    <div className={classes.message} aria-busy aria-label="Loading the message" role="status">
      <Skeleton height={24} width="60%" mb={16} />
      <Skeleton height={12} width="40%" mb={10} />
      <Skeleton height={12} width="35%" mb={24} />
      <Skeleton height={240} />
    </div>
  );
}
