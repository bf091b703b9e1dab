export const channelTypes = ['email', 'sms', 'whatsapp', 'webhook', 'slack', 'push'] as const;
export type ChannelType = (typeof channelTypes)[number];

/** False for Slack and push, whose messages go to a destination of their own: a Slack channel, the browsers of members. They need no recipient. */
export const isAddressed = (channel: ChannelType): channel is Exclude<ChannelType, 'slack' | 'push'> =>
  channel !== 'slack' && channel !== 'push';

/** What the ledger calls the destinations that channels have of their own. */
export const destinationNames = { slack: 'Slack channel', push: 'Subscribed members' } as const;

/** Whether a message over these channels goes to people, beside the destinations that channels have of their own. */
export const needsRecipients = (channels: readonly ChannelType[]): boolean =>
  channels.length === 0 || channels.some(isAddressed);
