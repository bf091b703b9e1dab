import { Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { type ChannelType, channelTypes } from '#contract/channel-types.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { ChannelOrder } from './ChannelOrder.tsx';
import { toggled } from './channel-order.ts';
import { EventRecipientsField } from './EventRecipientsField.tsx';
import { useReminderFormContext } from './form-context.ts';
import { PeopleField } from './PeopleField.tsx';
import { PinnedChannels } from './PinnedChannels.tsx';
import { RecipientFields } from './RecipientFields.tsx';
import { Tiles } from './Tiles.tsx';

const PushBrowsers = lazy(() => import('#web/features/push/PushBrowsers.tsx'));

export function ChannelsTab() {
  const form = useReminderFormContext();
  const { channels, channel_mode: mode } = form.values.metadata;
  const toggle = (channel: ChannelType) =>
    form.setFieldValue(
      'metadata.channels',
      toggled(channels, { channel, usual: channelTypes, isInOrder: mode === 'in_order' }),
    );
  return (
    <Stack gap={24}>
      <Tiles
        kind="many"
        label="Channels"
        isRequired
        tiles={channelTypes.map((value) => ({ value, ...channelLooks[value] }))}
        chosen={channels}
        error={form.errors['metadata.channels']}
        onChoose={toggle}
      />
      {channels.includes('push') && (
        <Suspense>
          <PushBrowsers />
        </Suspense>
      )}
      <ChannelOrder />
      <PinnedChannels />
      <EventRecipientsField />
      <RecipientFields />
      <PeopleField />
    </Stack>
  );
}
