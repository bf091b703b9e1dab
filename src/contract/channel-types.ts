export const channelTypes = ['email', 'sms', 'whatsapp', 'webhook', 'slack', 'push'] as const;
export type ChannelType = (typeof channelTypes)[number];
