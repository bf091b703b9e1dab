import { ActionIcon, Button, Card, Title } from '@mantine/core';
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
import { useSetChannelActive, useVerifyWaha } from '#web/api/channels.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { notifyError, notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import { canVerifyWaha, destinationOf, providerTitle } from './channel-words.ts';
import prose from '#web/ui/prose.module.css';
import card from '#web/ui/card.module.css';
import classes from './ChannelCard.module.css';
import { reloadWithToast } from './toast-after-reload.ts';

type ChannelCardProps = {
  channel: Channel;
  types: readonly ChannelTypeForm[] | undefined;
  onAsk: (to: 'edit' | 'test' | 'delete') => void;
};

export function ChannelCard({ channel, types, onAsk }: ChannelCardProps) {
  const { name, icon: Icon } = channelLooks[channel.type];
  const provider = providerTitle(channel, types);
  const destination = destinationOf(channel);
  return (
    <Card className={classes.card} component="article" aria-labelledby={`channel-${channel.id}`}>
      <div className={classes.head}>
        <span className={classes.icon} data-off={!channel.is_active}>
          <Icon size={20} stroke={1.6} aria-hidden />
        </span>
        <div className={classes.words}>
          <Title order={2} size="h3" className={card.name} id={`channel-${channel.id}`}>
            {channel.name}
          </Title>
          <p className={prose.dimParagraph}>{provider === null ? name : `${name} · ${provider}`}</p>
        </div>
        <ChannelBadge channel={channel} />
      </div>
      <p className={classes.destination} title={destination}>
        {destination}
      </p>
      <p className={classes.changed}>
        Changed <RelativeTime at={channel.updated_at} />
      </p>
      <ChannelActions channel={channel} onAsk={onAsk} />
    </Card>
  );
}

/** The first that applies: 'disabled', 'Unverified', 'Active'. */
function ChannelBadge({ channel: { is_active, is_verified } }: { channel: Channel }) {
  if (!is_active) return <ToneBadge word="disabled" tone="quiet" icon={IconBan} />;
  if (!is_verified) return <ToneBadge word="Unverified" tone="waiting" icon={IconHelp} />;
  return <ToneBadge word="Active" tone="good" icon={IconCheck} />;
}

type ChannelActionsProps = { channel: Channel; onAsk: (to: 'edit' | 'test' | 'delete') => void };

function ChannelActions({ channel, onAsk }: ChannelActionsProps) {
  return (
    <div className={card.actions}>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPencil size={14} aria-hidden />}
        onClick={() => onAsk('edit')}
      >
        Edit
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconFlask size={14} aria-hidden />}
        disabled={!channel.is_active}
        onClick={() => onAsk('test')}
      >
        Test
      </Button>
      <ToggleButton channel={channel} />
      {canVerifyWaha(channel) && <VerifyButton channel={channel} />}
      <ActionIcon
        className={classes.delete}
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

function ToggleButton({ channel }: { channel: Channel }) {
  const { toggle, isBusy } = useToggleChannel(channel);
  const Icon = channel.is_active ? IconPlayerPause : IconPlayerPlay;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon size={14} aria-hidden />}
      loading={isBusy}
      onClick={() => void toggle()}
    >
      {channel.is_active ? 'Disable' : 'Enable'}
    </Button>
  );
}

function VerifyButton({ channel }: { channel: Channel }) {
  const { verify, isBusy } = useVerify(channel);
  return (
    <Button
      size="xs"
      variant="light"
      leftSection={<IconPlugConnected size={14} aria-hidden />}
      loading={isBusy}
      onClick={() => void verify()}
    >
      Verify WAHA
    </Button>
  );
}

/** Enables or disables a channel and shows the result. */
function useToggleChannel({ id, name, is_active }: Channel) {
  const { mutateAsync, isPending } = useSetChannelActive();
  // The result is handled here and not in a mutation callback: the card may be unmounted before the response.
  const toggle = async () => {
    try {
      await mutateAsync({ id, is_active: !is_active });
      if (is_active) notifySuccess('Channel disabled', `${name} sends nothing until it is enabled again.`);
      else notifySuccess('Channel enabled', `${name} can send reminders again.`);
    } catch (error) {
      notifyFailure('Error updating channel', error);
    }
  };
  return { toggle, isBusy: isPending };
}

/** Verifies a WAHA channel. A negative result and a failed request have titles of their own. */
function useVerify({ id }: Channel) {
  const { mutateAsync, isPending } = useVerifyWaha();
  const verify = async () => {
    try {
      const { success, message } = await mutateAsync(id);
      if (success) reloadWithToast('Verification successful', message);
      else notifyError('Verification failed', message || 'Unable to verify WAHA connection');
    } catch (error) {
      notifyFailure('Verification error', error);
    }
  };
  return { verify, isBusy: isPending };
}
