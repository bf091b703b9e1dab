import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { ChannelType } from '#contract/reminders.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { ChannelOrder } from './ChannelOrder.tsx';
import { toggled } from './channel-order.ts';
import { useReminderFormContext } from './form-context.ts';
import { PinnedChannels } from './PinnedChannels.tsx';
import { RecipientFields } from './RecipientFields.tsx';
import { Tiles } from './Tiles.tsx';

const offered: readonly ChannelType[] = ['email', 'sms', 'whatsapp', 'webhook'];

export function ChannelsTab() {
  const form = useReminderFormContext();
  const { channels, channel_mode: mode } = form.values.metadata;
  // One that the stored reminder uses is offered too, so that it can be seen and taken off.
  const [types] = useState(() => [...new Set([...offered, ...channels])]);
  const toggle = (channel: ChannelType) =>
    form.setFieldValue(
      'metadata.channels',
      toggled(channels, { channel, usual: types, isInOrder: mode === 'in_order' }),
    );
  return (
    <Stack gap={24}>
      <Tiles
        kind="many"
        label="Channels"
        isRequired
        tiles={types.map((value) => ({ value, ...channelLooks[value] }))}
        chosen={channels}
        error={form.errors['metadata.channels']}
        onChoose={toggle}
      />
      <ChannelOrder />
      <PinnedChannels />
      <RecipientFields />
    </Stack>
  );
}
