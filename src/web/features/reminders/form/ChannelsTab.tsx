import '@mantine/core/styles/Switch.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import { ActionIcon, Box, Checkbox, Flex, Select, Stack, Switch, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { Suspense, useEffect, useMemo } from 'react';
import { lazyPart } from '#web/ui/lazy-part.tsx';
import { isAudience } from '#contract/audience.ts';
import { type ChannelType, channelTypes, needsRecipients } from '#contract/channel-types.ts';
import type { Channel } from '#contract/channels.ts';
import { takingOver } from '#domain/fallback-chains.ts';
import { parseRecipient } from '#domain/recipients.ts';
import { useChannels } from '#web/api/channels.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { ownDestinationsText } from '#web/ui/own-destinations.ts';
import { moved, noTakeOverText, toggled } from './channel-order.ts';
import classes from './ChannelsTab.module.css';
import { useReminderFormContext } from './form-context.ts';
import { PeopleField } from './PeopleField.tsx';
import { RecipientFields } from './RecipientFields.tsx';
import { Tiles } from './Tiles.tsx';

const PushBrowsers = lazyPart(() => import('#web/features/push/PushBrowsers.tsx'));

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
      {needsRecipients(channels) ? (
        <>
          <EventRecipientsField />
          <RecipientFields />
          <PeopleField />
        </>
      ) : (
        <OwnDestinations channels={channels} />
      )}
    </Stack>
  );
}

/** Where the message goes when no channel is sent to people; what was named is kept in the form for a channel that is. */
function OwnDestinations({ channels }: { channels: readonly ChannelType[] }) {
  const form = useReminderFormContext();
  const { content, metadata, entries } = form.values;
  const isTyped = entries.recipient.trim() !== '' || entries.recipients.trim() !== '';
  const isNamed = content.recipients.length > 0 || isAudience(metadata.audience) || isTyped;
  return (
    <div role="status">
      <Text>{ownDestinationsText(channels)}</Text>
      {isNamed && (
        <Text fz={13} c="dimmed" mt={4}>
          The recipients and people that you entered get nothing over it and are not saved. Choose another channel too,
          and they are back.
        </Text>
      )}
    </div>
  );
}

/** Whether an event reminder is sent to whom the event names; nothing for a scheduled one. */
function EventRecipientsField() {
  const form = useReminderFormContext();
  const { schedule_config: schedule, metadata } = form.values;
  if (schedule.type !== 'event-based') return null;
  return (
    <Checkbox
      label="Send to whom the event names"
      description="Its recipients, or the email and phone of its data, also inside recipient, contact, customer or user. Recipients and people below get it as well."
      checked={metadata.event_recipients === true}
      onChange={({ currentTarget }) => {
        form.setFieldValue('metadata.event_recipients', currentTarget.checked);
        form.clearFieldError('content.recipients');
      }}
    />
  );
}

/** The sending channel of each selected type of which the workspace has several. */
function PinnedChannels() {
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

/** Whether the channels send in parallel or one after the other, and in which order. Where none can take over from another, that is said in place of it. */
function ChannelOrder() {
  const form = useReminderFormContext();
  const { content, metadata } = form.values;
  const { channels, channel_mode: mode = 'every' } = metadata;
  const hasUrls = useMemo(
    () => content.recipients.some((recipient) => parseRecipient(recipient).kind === 'url'),
    [content.recipients],
  );
  const ordered = takingOver(channels, { hasUrls });
  const isInOrder = mode === 'in_order';
  const note = noTakeOverText(channels, { ordered, isInOrder });
  if (ordered.length < 2 && !isInOrder) return note === null ? null : <OrderNote text={note} />;
  return (
    <Stack gap={12}>
      <Switch
        label="Try the next channel only if the one before fails"
        aria-label="Try the next channel only if the one before fails"
        description={
          !isInOrder
            ? 'Off: each recipient gets the message over every channel that can reach them, whichever they prefer.'
            : ordered.length < 2
              ? 'It changes nothing here: no channel takes over from another.'
              : 'Each recipient gets the message over the first channel that works and that they have an address for; whoever prefers a channel, over that one first. The counts below say for whom another channel takes over.'
        }
        checked={isInOrder}
        onChange={(event) =>
          form.setFieldValue('metadata.channel_mode', event.currentTarget.checked ? 'in_order' : undefined)
        }
      />
      {isInOrder && ordered.length > 1 && (
        <Flex component="ol" direction="column" gap={4} maw={420} aria-label="Order of the channels">
          {ordered.map((channel, position) => (
            <Position
              key={channel}
              channel={channel}
              position={position}
              last={ordered.length - 1}
              onMove={(by) => form.setFieldValue('metadata.channels', moved(channels, { channel, by, ordered }))}
            />
          ))}
        </Flex>
      )}
      {note !== null && <OrderNote text={note} />}
    </Stack>
  );
}

const OrderNote = ({ text }: { text: string }) => (
  <Text fz={13} c="dimmed">
    {text}
  </Text>
);

type PositionProps = { channel: ChannelType; position: number; last: number; onMove: (by: -1 | 1) => void };

function Position({ channel, position, last, onMove }: PositionProps) {
  const { name, icon: Icon } = channelLooks[channel];
  return (
    <li className={classes.position}>
      <Box component="span" miw={12} c="dimmed" className="figures" aria-hidden>
        {position + 1}
      </Box>
      <Icon size={18} stroke={1.6} aria-hidden />
      <Box component="span" flex={1}>
        {name}
      </Box>
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
