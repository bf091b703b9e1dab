import { Card, VisuallyHidden } from '@mantine/core';
import { IconInbox, IconInboxOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet, useParams } from '@tanstack/react-router';
import { configQuery } from '#web/api/config.ts';
import { useInbox } from '#web/api/inbox.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { PageHeader, useDocumentTitle } from '#web/ui/PageHeader.tsx';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import classes from './inbox.module.css';
import { MessageList } from './MessageList.tsx';
import { SimulatedFailureNotice } from './SimulatedFailureNotice.tsx';
import { SimulateFailures } from './SimulateFailures.tsx';
import { SandboxLine } from './SandboxLine.tsx';

const route = getRouteApi('/themed/signed-in/inbox');

/** The captured messages and the selected one next to the list; phones show one of the two. */
export function InboxScreen() {
  const { id } = useParams({ strict: false });
  const isPhone = useIsPhone();
  const hasSandbox = useQuery(configQuery).data?.sandbox !== false;
  if (!hasSandbox) return <NoSandbox />;
  if (isPhone && id !== undefined) return <OneMessage />;
  return (
    <>
      <PageHeader title="Inbox" subtitle={<SandboxLine />} actions={<SimulateFailures />} />
      <SimulatedFailureNotice />
      <Panes isPhone={isPhone} />
    </>
  );
}

function OneMessage() {
  return (
    <>
      <HiddenTitle />
      <Outlet />
    </>
  );
}

/**
 * The heading and tab title without a message. It is a component of its own so that an open message's title is set
 * after it.
 */
function HiddenTitle() {
  useDocumentTitle('Inbox');
  return <VisuallyHidden component="h1">Inbox</VisuallyHidden>;
}

function Panes({ isPhone }: { isPhone: boolean }) {
  const filter = route.useSearch();
  const inbox = useInbox(filter);
  const isEmpty = inbox.data?.length === 0 && !filter.channel && !filter.search && !inbox.isPlaceholderData;
  if (isEmpty) return <NothingCaught />;
  return (
    <Card padding={0} className={classes.panes}>
      <MessageList inbox={inbox} />
      {!isPhone && (
        <div className={classes.reading}>
          <Outlet />
        </div>
      )}
    </Card>
  );
}

function NothingCaught() {
  return (
    <Card>
      <EmptyState
        icon={IconInbox}
        title="No messages yet"
        sentence="Mail, SMS, chat messages and webhook calls of this workspace appear here as soon as they are sent. Create a reminder and send yourself a test."
        action={<ButtonLink to="/reminders/new">Create a reminder</ButtonLink>}
      />
    </Card>
  );
}

function NoSandbox() {
  return (
    <>
      <PageHeader title="Inbox" />
      <Card>
        <EmptyState
          icon={IconInboxOff}
          title="The sandbox is off"
          sentence="This installation sends through real channels, so the Inbox catches no messages. The Jobs screen shows the result of every message."
          action={<ButtonLink to="/jobs">Open Jobs</ButtonLink>}
        />
      </Card>
    </>
  );
}
