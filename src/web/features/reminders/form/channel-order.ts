import type { ChannelType } from '#contract/reminders.ts';

/** Slack and web push go to whom they are set up for, and follow no other channel. */
export const hasRecipientsOfItsOwn = (channel: ChannelType): boolean => channel === 'slack' || channel === 'push';

/** The channels with this one moved past its neighbour; those that follow no other keep their places. */
export function moved(
  channels: readonly ChannelType[],
  { channel, by }: { channel: ChannelType; by: -1 | 1 },
): ChannelType[] {
  const ordered = channels.filter((one) => !hasRecipientsOfItsOwn(one));
  const other = ordered[ordered.indexOf(channel) + by];
  if (other === undefined) return [...channels];
  return channels.map((one) => (one === channel ? other : one === other ? channel : one));
}

/** A channel taken off, or added: at the end where they are tried in order, else in its usual place. */
export function toggled(
  channels: readonly ChannelType[],
  { channel, usual, isInOrder }: { channel: ChannelType; usual: readonly ChannelType[]; isInOrder: boolean },
): ChannelType[] {
  if (channels.includes(channel)) return channels.filter((one) => one !== channel);
  return isInOrder ? [...channels, channel] : usual.filter((type) => channels.includes(type) || type === channel);
}
