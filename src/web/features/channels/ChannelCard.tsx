import { ActionIcon, Box, Card, Group, Text, Title } from '@mantine/core';
import {
  IconBan,
  IconCheck,
  IconFlask,
  IconHelp,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
  IconTrash,
} from '@tabler/icons-react';
import type { Channel, ChannelTypeForm } from '#contract/channels.ts';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { useSetChannelActive, useVerifyWaha } from '#web/api/channels.ts';
import { act } from '#web/ui/act.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { notifyError } from '#web/ui/notify.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { canVerifyWaha, destinationOf, providerTitle } from './channel-words.ts';
import prose from '#web/ui/prose.module.css';
import card from '#web/ui/card.module.css';
import { reloadWithToast } from './toast-after-reload.ts';

type ChannelCardProps = {
  channel: Channel;
  types: readonly ChannelTypeForm[] | undefined;
  /** False for a member, who may test it only. */
  mayChange: boolean;
  onAsk: (to: 'edit' | 'test' | 'delete') => void;
};

export function ChannelCard({ channel, types, mayChange, onAsk }: ChannelCardProps) {
  const { name, icon: Icon } = channelLooks[channel.type];
  const provider = providerTitle(channel, types);
  const destination = destinationOf(channel);
  return (
    <Card component="article" aria-labelledby={`channel-${channel.id}`}>
      <Group gap={12} align="flex-start" wrap="nowrap">
        <span className={card.icon} data-tone={channel.is_active ? undefined : 'quiet'}>
          <Icon size={20} stroke={1.6} aria-hidden />
        </span>
        <Box flex={1} miw={0}>
          <Title order={2} size="h3" className={card.name} id={`channel-${channel.id}`}>
            {channel.name}
          </Title>
          <p className={prose.dimParagraph}>{provider === null ? name : `${name} · ${provider}`}</p>
        </Box>
        <ChannelBadge channel={channel} />
      </Group>
      <Text className={prose.oneLine} mt="md" mih={20} title={destination}>
        {destination}
      </Text>
      <Text className={card.small} mt={2} mb={16}>
        Changed <RelativeTime at={channel.updated_at} />
      </Text>
      <ChannelActions channel={channel} mayChange={mayChange} onAsk={onAsk} />
    </Card>
  );
}

/** The first that applies: 'disabled', 'Unverified', 'Active'. */
function ChannelBadge({ channel: { is_active, is_verified } }: { channel: Channel }) {
  if (!is_active) return <ToneBadge word="disabled" tone="quiet" icon={IconBan} />;
  if (!is_verified) return <ToneBadge word="Unverified" tone="waiting" icon={IconHelp} />;
  return <ToneBadge word="Active" tone="good" icon={IconCheck} />;
}

type ChannelActionsProps = Pick<ChannelCardProps, 'channel' | 'mayChange' | 'onAsk'>;

function ChannelActions({ channel, mayChange, onAsk }: ChannelActionsProps) {
  const test = (
    <SmallButton icon={IconFlask} size="xs" disabled={!channel.is_active} onClick={() => onAsk('test')}>
      Test
    </SmallButton>
  );
  if (!mayChange) return <div className={card.actions}>{test}</div>;
  return (
    <div className={card.actions}>
      <SmallButton icon={IconPencil} size="xs" onClick={() => onAsk('edit')}>
        Edit
      </SmallButton>
      {test}
      <ToggleButton channel={channel} />
      {canVerifyWaha(channel) && <VerifyButton channel={channel} />}
      <ActionIcon
        ml="auto"
        size={30}
        variant="default"
        aria-label={`Delete ${channel.name}`}
        data-hint="Delete"
        onClick={() => onAsk('delete')}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}

/** Enables or disables a channel and shows the result. */
function ToggleButton({ channel }: { channel: Channel }) {
  const { id, name, is_active } = channel;
  const { mutateAsync, isPending } = useSetChannelActive();
  // The result is handled here and not in a mutation callback: the card may be unmounted before the response.
  const toggle = () =>
    act(mutateAsync({ id, is_active: !is_active }), {
      done: is_active
        ? ['Channel disabled', `${name} sends nothing until it is enabled again.`]
        : ['Channel enabled', `${name} can send reminders again.`],
      about: `channel ${id}`,
      failed: 'Error updating channel',
    });
  const Icon = is_active ? IconPlayerPause : IconPlayerPlay;
  return (
    <SmallButton icon={Icon} size="xs" loading={isPending} onClick={() => void toggle()}>
      {is_active ? 'Disable' : 'Enable'}
    </SmallButton>
  );
}

/** A negative result and a failed request have titles of their own. */
function VerifyButton({ channel: { id } }: { channel: Channel }) {
  const { mutateAsync, isPending } = useVerifyWaha();
  const verify = () =>
    act(
      mutateAsync(id).then(({ success, message }) => {
        if (success) reloadWithToast('Verification successful', message);
        else notifyError('Verification failed', message || 'Unable to verify WAHA connection');
      }),
      { failed: 'Verification error' },
    );
  return (
    <SmallButton icon={IconPlugConnected} size="xs" variant="light" loading={isPending} onClick={() => void verify()}>
      Verify WAHA
    </SmallButton>
  );
}
