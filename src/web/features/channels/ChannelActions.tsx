import { ActionIcon, Button } from '@mantine/core';
import {
  IconFlask,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnected,
  IconTrash,
} from '@tabler/icons-react';
import type { Channel } from '#contract/channels.ts';
import classes from './ChannelCard.module.css';
import { canVerifyWaha } from './channel-words.ts';
import { useToggleChannel } from './toggle-channel.ts';
import { useVerify } from './verify-waha.ts';

type ChannelActionsProps = { channel: Channel; onAsk: (to: 'edit' | 'test' | 'delete') => void };

export function ChannelActions({ channel, onAsk }: ChannelActionsProps) {
  return (
    <div className={classes.actions}>
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
