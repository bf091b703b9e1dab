import { Box, Button, Card, Skeleton, VisuallyHidden, Center, SegmentedControl, Stack } from '@mantine/core';
import { IconFlask, IconInbox, IconInboxOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Outlet, useParams, Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { configQuery } from '#web/api/config.ts';
import { useInbox, useSandboxAddresses, useSimulatedFailures } from '#web/api/inbox.ts';
import { Copyable } from '#web/ui/Copyable.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { PageHeader, useDocumentTitle } from '#web/ui/PageHeader.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { useEver } from '#web/ui/use-ever.ts';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import { SimulatedFailureList } from './SimulatedFailureList.tsx';
import classes from './inbox.module.css';
import simulatedFailureClasses from './simulated-failure.module.css';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { channelTypes } from '#contract/channel-types.ts';
import { useScreenSearch } from '#web/app/use-screen-search.ts';
import { List } from '#web/ui/List.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { MessageRow } from './MessageRow.tsx';
import prose from '#web/ui/prose.module.css';

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

const caught =
  'What goes out over built-in channels is caught here; a channel of your own with a real provider does send.';

/** The purpose and the addresses of the sandbox in one line; its height is fixed while the addresses load. */
function SandboxLine() {
  const { data, error } = useSandboxAddresses();
  if (error) return caught;
  return (
    <span className={classes.sandbox}>
      <span>
        {caught} Mail at <code>{data ? `${data.smtp_host}:${data.smtp_port}` : '…'}</code>, webhooks at
      </span>
      {data ? (
        <Copyable text={data.webhook_url} label="Copy the webhook URL" />
      ) : (
        <span className={classes.awaited}>
          <Skeleton component="span" display="inline-block" height={12} width="100%" />
        </span>
      )}
    </span>
  );
}

const SimulateFailuresDialog = lazy(async () => ({
  default: (await import('./SimulateFailuresDialog.tsx')).SimulateFailuresDialog,
}));

/** Opens the dialog for simulated failures. */
function SimulateFailures() {
  const [opened, setOpened] = useState(false);
  const wasOpened = useEver(opened);
  return (
    <>
      <Button variant="default" leftSection={<IconFlask size={16} aria-hidden />} onClick={() => setOpened(true)}>
        Simulate failures
      </Button>
      <Suspense>{wasOpened && <SimulateFailuresDialog opened={opened} onClose={() => setOpened(false)} />}</Suspense>
    </>
  );
}

/** Warns above the messages that failures are simulated, because messages may be missing. */
function SimulatedFailureNotice() {
  const { data } = useSimulatedFailures();
  if (!data || data.length === 0) return null;
  return (
    <section className={simulatedFailureClasses.notice} aria-label="Simulated failures">
      <Box component="strong" c="var(--status-waiting)">
        Failures are being simulated
      </Box>
      <SimulatedFailureList />
    </section>
  );
}

type Inbox = ReturnType<typeof useInbox>;

/** The messages, newest first, with search and filter above. */
function MessageList({ inbox }: { inbox: Inbox }) {
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
      loading={10}
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
      <SearchBox label="Search messages" value={search} onSearch={(text) => change({ search: text })} />
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
