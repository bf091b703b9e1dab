import { Select } from '@mantine/core';
import { useEffect } from 'react';
import type { Channel } from '#contract/channels.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { useChannels } from '#web/api/channels.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import classes from './ChannelOrder.module.css';
import { useReminderFormContext } from './form-context.ts';

/** The sending channel of each selected type of which the workspace has several. */
export function PinnedChannels() {
  const form = useReminderFormContext();
  const { data: channels } = useChannels();
  const { channels: types, pinned_channels: pins = {} } = form.values.metadata;
  const pin = (type: ChannelType, id: string | null) => {
    const { [type]: _, ...others } = pins;
    const pinned = id === null ? others : { ...others, [type]: id };
    form.setFieldValue('metadata.pinned_channels', Object.keys(pinned).length === 0 ? undefined : pinned);
  };
  // A deleted channel could not be saved.
  const gone = types.find((type) => pins[type] !== undefined && channels?.every(({ id }) => id !== pins[type]));
  useEffect(() => {
    if (gone !== undefined) pin(gone, null);
  });

  const choices = types.flatMap((type) => {
    const own = channels?.filter((channel) => channel.type === type) ?? [];
    return own.length < 2 ? [] : [{ type, own }];
  });
  if (choices.length === 0) return null;
  return (
    <div className={classes.pins}>
      {choices.map(({ type, own }) => (
        <Select
          key={type}
          label={`${channelLooks[type].name} channel`}
          description="Another channel is used while this one is unreachable."
          placeholder={`Last changed: ${ofChangedLast(own)}`}
          clearable
          data={own.map(({ id, name, is_active: isActive }) => ({
            value: id,
            label: isActive ? name : `${name} (disabled)`,
          }))}
          value={pins[type] ?? null}
          error={form.errors[`metadata.pinned_channels.${type}`]}
          onChange={(id) => pin(type, id)}
        />
      ))}
    </div>
  );
}

const ofChangedLast = (own: readonly Channel[]) => (own.find((channel) => channel.is_active) ?? own[0])?.name ?? '';
