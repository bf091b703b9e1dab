import { type ChannelType, isAddressed } from '#contract/channel-types.ts';

/** The channels with this one swapped with its neighbour; Slack and push take no part in the order and keep their positions. */
export function moved(
  channels: readonly ChannelType[],
  { channel, by }: { channel: ChannelType; by: -1 | 1 },
): ChannelType[] {
  const ordered: ChannelType[] = channels.filter(isAddressed);
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
