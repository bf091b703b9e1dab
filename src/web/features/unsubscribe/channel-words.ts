import type { ChannelType } from '#contract/channel-types.ts';

/** The channel at the end of a sentence. */
export const channelWords: Record<ChannelType, string> = {
  email: 'by e-mail',
  sms: 'by SMS',
  whatsapp: 'by WhatsApp',
  webhook: 'by webhook',
  slack: 'in Slack',
  push: 'by push notification',
};
