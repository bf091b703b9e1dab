import type { ChannelType } from '#contract/channel-types.ts';

/** Slack and web push have their own recipients and take no part in the order of channels. */
export const hasRecipientsOfItsOwn = (channel: ChannelType): boolean => channel === 'slack' || channel === 'push';

/** The channels with this one swapped with its neighbour; Slack and push keep their positions. */
export function moved(
  channels: readonly ChannelType[],
  { channel, by }: { channel: ChannelType; by: -1 | 1 },
): ChannelType[] {
  const ordered = channels.filter((one) => !hasRecipientsOfItsOwn(one));
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
