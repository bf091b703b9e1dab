import {
  IconBell,
  IconBrandSlack,
  IconBrandWhatsapp,
  IconMail,
  IconMessage,
  type IconProps,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { ChannelType } from '#contract/channel-types.ts';

/** The name, hint and icon of each channel. */
export const channelLooks: Record<ChannelType, { name: string; hint: string; icon: ComponentType<IconProps> }> = {
  email: { name: 'Email', hint: 'To email addresses', icon: IconMail },
  sms: { name: 'SMS', hint: 'To phone numbers', icon: IconMessage },
  whatsapp: { name: 'WhatsApp', hint: 'To phone numbers', icon: IconBrandWhatsapp },
  webhook: { name: 'Webhook', hint: 'To URLs', icon: IconWebhook },
  slack: { name: 'Slack', hint: 'To its own channel', icon: IconBrandSlack },
  push: { name: 'Push', hint: 'To subscribed members', icon: IconBell },
};
