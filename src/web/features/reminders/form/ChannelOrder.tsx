import { ActionIcon, Switch } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ChannelType } from '#contract/channel-types.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import classes from './ChannelOrder.module.css';
import { useReminderFormContext } from './form-context.ts';
import { hasRecipientsOfItsOwn, moved } from './channel-order.ts';

/** Whether the channels send in parallel or one after the other, and in which order. */
export function ChannelOrder() {
  const form = useReminderFormContext();
  const { channels, channel_mode: mode = 'every' } = form.values.metadata;
  const ordered = channels.filter((channel) => !hasRecipientsOfItsOwn(channel));
  const isInOrder = mode === 'in_order';
  if (ordered.length < 2 && !isInOrder) return null;
  return (
    <div className={classes.part}>
      <Switch
        label="Try the next channel only if the one before fails"
        aria-label="Try the next channel only if the one before fails"
        description={
          isInOrder
            ? 'Each recipient gets the message over the first channel that works.'
            : 'Off: each recipient gets the message over every channel that can reach them.'
        }
        checked={isInOrder}
        onChange={(event) =>
          form.setFieldValue('metadata.channel_mode', event.currentTarget.checked ? 'in_order' : undefined)
        }
      />
      {isInOrder && (
        <ol className={classes.order} aria-label="Order of the channels">
          {ordered.map((channel, position) => (
            <Position
              key={channel}
              channel={channel}
              position={position}
              last={ordered.length - 1}
              onMove={(by) => form.setFieldValue('metadata.channels', moved(channels, { channel, by }))}
            />
          ))}
        </ol>
      )}
      {isInOrder && ordered.length < channels.length && (
        <p className={classes.note}>Slack and push always get the message, because they have their own recipients.</p>
      )}
    </div>
  );
}

type PositionProps = { channel: ChannelType; position: number; last: number; onMove: (by: -1 | 1) => void };

function Position({ channel, position, last, onMove }: PositionProps) {
  const { name, icon: Icon } = channelLooks[channel];
  return (
    <li className={classes.position}>
      <span className={classes.number} aria-hidden>
        {position + 1}
      </span>
      <Icon size={18} stroke={1.6} aria-hidden />
      <span className={classes.name}>{name}</span>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Move ${name} up`}
        disabled={position === 0}
        onClick={() => onMove(-1)}
      >
        <IconArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Move ${name} down`}
        disabled={position === last}
        onClick={() => onMove(1)}
      >
        <IconArrowDown size={16} aria-hidden />
      </ActionIcon>
    </li>
  );
}
