import type { ChannelType } from '#contract/channel-types.ts';
import { listed } from '#domain/in-words.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';

/** The channels with this one swapped with its neighbour; those that take no part in the order keep their positions. */
export function moved(
  channels: readonly ChannelType[],
  { channel, by, ordered }: { channel: ChannelType; by: -1 | 1; ordered: readonly ChannelType[] },
): ChannelType[] {
  const other = ordered[ordered.indexOf(channel) + by];
  if (other === undefined) return [...channels];
  return channels.map((one) => (one === channel ? other : one === other ? channel : one));
}

/** Removes a channel, or adds it: at the end when the channels are tried in order, else in its usual position. */
export function toggled(
  channels: readonly ChannelType[],
  { channel, usual, isInOrder }: { channel: ChannelType; usual: readonly ChannelType[]; isInOrder: boolean },
): ChannelType[] {
  if (channels.includes(channel)) return channels.filter((one) => one !== channel);
  return isInOrder ? [...channels, channel] : usual.filter((type) => channels.includes(type) || type === channel);
}

/**
 * Which of the channels no other one takes over from, and why; null where that is nobody's question: a single channel, or Slack and push beside channels that
 * all send.
 * @param of.ordered the channels that can take over from each other
 */
export function noTakeOverText(
  channels: readonly ChannelType[],
  { ordered, isInOrder }: { ordered: readonly ChannelType[]; isInOrder: boolean },
): string | null {
  const outside = channels.filter((channel) => !ordered.includes(channel));
  if (channels.length < 2 || outside.length === 0 || (!isInOrder && ordered.length > 1)) return null;
  const names = listed(outside.map((channel) => channelLooks[channel].name));
  const [send, them] = outside.length === 1 ? ['sends', 'it'] : ['send', 'them'];
  const why = [
    ...(outside.includes('webhook') ? ['the webhook calls only the URLs in the list'] : []),
    ...(outside.includes('slack') ? ['Slack posts to its own channel'] : []),
    ...(outside.includes('push') ? ['push goes to subscribed members'] : []),
  ];
  return `${names} ${send} at once, whatever becomes of the others, and none takes over from ${them}: ${listed(why)}.`;
}
