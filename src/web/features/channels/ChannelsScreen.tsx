import { Anchor, Box, Button, Card, Group, SimpleGrid, Skeleton, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconPlus, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Channel, configurableTypes } from '#contract/channels.ts';
import { sendingHoursText } from '#domain/sending-hours-text.ts';
import { useChannels, useChannelTypes } from '#web/api/channels.ts';
import { configQuery } from '#web/api/config.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import card from '#web/ui/card.module.css';
import { choicesOf } from '#web/ui/channel-choices.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import { List } from '#web/ui/List.tsx';
import { notifyError } from '#web/ui/notify.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import prose from '#web/ui/prose.module.css';
import { useAsked } from '#web/ui/use-asked.ts';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { ChannelCard } from './ChannelCard.tsx';
import { type Asked, ChannelDialogs, useChannelDialogs } from './ChannelDialogs.tsx';
import { hoursOf } from './hours/hours-draft.ts';
import { SendingHoursButton } from './hours/SendingHoursButton.tsx';
import classes from './ChannelsScreen.module.css';
import { showToastOfReload } from './toast-after-reload.ts';
import { getRouteApi } from '@tanstack/react-router';
import { useScreenSearch } from '#web/app/use-screen-search.ts';
import { destinationOf } from './channel-words.ts';

const typeChoices = choicesOf(configurableTypes);

/** The channels of the workspace: configure, test, enable and disable. */
export function ChannelsScreen() {
  const channels = useChannels();
  const filter = useChannelFilter();
  const dialogs = useChannelDialogs();
  const { workspace } = useWorkspace();
  const mayChange = workspace.role !== 'member';
  const hours = hoursOf(workspace.settings);
  useErrorToast(channels.data === undefined ? channels.error : null, { title: 'Error loading channels' });
  useEffect(showToastOfReload, []);

  const add = (type: Channel['type']) => {
    if (mayChange) dialogs.open({ to: 'add', type });
    else notifyError('Permission denied', 'Only workspace admins can create channels');
  };
  useAsked(filter.asked, () => {
    add(filter.type ?? configurableTypes[0]);
    filter.change({ open: undefined });
  });
  return (
    <>
      <PageHeader
        title="Notification Channels"
        subtitle={
          mayChange
            ? 'The servers and providers that send your reminders'
            : 'Only workspace admins can create channels and change them. You can test them.'
        }
        actions={
          <>
            {mayChange && <SendingHoursButton workspace={workspace} />}
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={!mayChange}
              onClick={() => add(filter.type ?? configurableTypes[0])}
            >
              Add Channel
            </Button>
          </>
        }
      />
      {!mayChange && hours !== null && (
        <Text mb={16} c="dimmed">
          {sendingHoursText(hours)}
        </Text>
      )}
      <FilterBar
        search={{
          label: 'Search channels...',
          value: filter.search,
          onSearch: (text) => filter.change({ search: text }),
        }}
        choices={[
          {
            label: 'Filter by type',
            all: 'All Types',
            of: typeChoices,
            width: 140,
            value: filter.type,
            onChoose: (chosen) => filter.change({ type: configurableTypes.find((type) => type === chosen) }),
          },
        ]}
      />
      <ChannelList channels={channels} filter={filter} onAdd={mayChange ? add : null} onAsk={dialogs.open} />
      <ChannelDialogs state={dialogs.state} dialog={dialogs.dialog} />
    </>
  );
}

type ChannelListProps = {
  channels: ReturnType<typeof useChannels>;
  filter: ChannelFilter;
  /** Null for a member, who may create and change none. */
  onAdd: ((type: Channel['type']) => void) | null;
  onAsk: (asked: Asked) => void;
};

/** The cards, or the loading, empty or error state. */
function ChannelList({ channels, filter, onAdd, onAsk }: ChannelListProps) {
  const types = useChannelTypes().data;
  if (channels.data?.length === 0) return onAdd === null ? <NoChannels /> : <QuickStart onChoose={onAdd} />;
  return (
    <List
      noun="channels"
      of={{ ...channels, data: channels.data?.filter((channel) => passes(channel, filter)) }}
      grid={{ columns: 3, count: 3, skeleton: ChannelCardSkeleton }}
      card={(channel) => (
        <ChannelCard
          channel={channel}
          types={types}
          mayChange={onAdd !== null}
          onAsk={(to) => onAsk({ to, channel })}
        />
      )}
      noMatch={{
        title: 'No channels found',
        sentence: 'Try adjusting your search or filters',
        all: 'Show all channels',
        onShowAll: () => filter.change({ search: undefined, type: undefined }),
      }}
    />
  );
}

/** The empty state for a member. */
const NoChannels = () => (
  <EmptyState
    icon={IconSend}
    title="No channels yet"
    sentence="An owner or admin of the workspace adds the channels over which its reminders are sent."
  />
);

/** The placeholder of a channel card, in the same size to avoid a layout shift. */
function ChannelCardSkeleton() {
  return (
    <Card aria-hidden data-testid="skeleton">
      <Group gap={12} align="flex-start" wrap="nowrap">
        <Skeleton height={40} width={40} radius={8} />
        <Box flex={1} miw={0}>
          <Skeleton height={16} width="70%" mt={4} mb={8} />
          <Skeleton height={12} width="45%" mb={4} />
        </Box>
        <Skeleton height={24} width={84} />
      </Group>
      <Skeleton height={12} width="80%" mt={20} mb={6} />
      <Skeleton height={10} width="40%" mb={19} />
      <div className={card.actions}>
        <Skeleton height={30} width={72} />
        <Skeleton height={30} width={72} />
        <Skeleton height={30} width={88} />
      </div>
    </Card>
  );
}

const hints: Record<Channel['type'], string> = {
  email: 'Through your own mail server',
  sms: 'Through Twilio, AWS SNS, MessageBird or Vonage',
  whatsapp: 'Through WAHA, Twilio, Meta or MessageBird',
  webhook: 'An HTTP request to any URL',
  slack: 'Through an incoming webhook or a bot',
};

/** The empty state: a tile for each channel type. */
function QuickStart({ onChoose }: { onChoose: (type: Channel['type']) => void }) {
  const hasSandbox = useQuery(configQuery).data?.sandbox === true;
  return (
    <Card component="section" aria-labelledby="quick-start">
      <Title order={2} id="quick-start">
        Choose your first channel
      </Title>
      <Text mt={4} mb={16} c="dimmed">
        A channel sends the reminders of this workspace.{' '}
        {hasSandbox && 'Without a channel, the Inbox of this installation catches all messages.'}{' '}
        <Anchor href="/docs/providers" td="underline">
          How to set up a provider
        </Anchor>
      </Text>
      <SimpleGrid minColWidth="min(300px, 100%)" spacing={12}>
        {configurableTypes.map((type) => {
          const { name, icon: Icon } = channelLooks[type];
          return (
            <UnstyledButton key={type} type="button" className={classes.tile} onClick={() => onChoose(type)}>
              <span className={card.icon}>
                <Icon size={20} stroke={1.6} aria-hidden />
              </span>
              <span className={prose.lines}>
                <span className={prose.strong}>{name}</span>
                <span className={card.small}>{hints[type]}</span>
              </span>
              <IconChevronRight className={prose.dimIcon} size={16} aria-hidden />
            </UnstyledButton>
          );
        })}
      </SimpleGrid>
    </Card>
  );
}

const route = getRouteApi('/themed/signed-in/channels');

/** The filters of the list, from the URL, and the dialog that a command of the palette asked for. */
function useChannelFilter() {
  const { search = '', type: named, open: asked, change } = useScreenSearch(route);
  const type = configurableTypes.find((known) => known === named);
  return { search, type, isOn: search !== '' || type !== undefined, asked, change };
}

type ChannelFilter = ReturnType<typeof useChannelFilter>;

/** Whether a channel matches the type, and the search in its name, type or destination, ignoring case. */
function passes(channel: Channel, { search, type }: Pick<ChannelFilter, 'search' | 'type'>): boolean {
  if (type !== undefined && channel.type !== type) return false;
  const words = [channel.name, channelLooks[channel.type].name, destinationOf(channel)];
  return words.join('\n').toLowerCase().includes(search.toLowerCase());
}
