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
import type { ChannelType } from '#contract/reminders.ts';

const icons: Record<ChannelType, { icon: ComponentType<IconProps>; word: string }> = {
  email: { icon: IconMail, word: 'Email' },
  sms: { icon: IconMessage, word: 'SMS' },
  whatsapp: { icon: IconBrandWhatsapp, word: 'WhatsApp' },
  webhook: { icon: IconWebhook, word: 'Webhook' },
  slack: { icon: IconBrandSlack, word: 'Slack' },
  push: { icon: IconBell, word: 'Push' },
};

/** A channel type as its icon, named for screen readers and on hover. */
export function ChannelIcon({ channel, size = 18 }: { channel: ChannelType; size?: number }) {
  const { icon: Icon, word } = icons[channel];
  return (
    <span title={word} style={{ display: 'inline-flex' }}>
      <Icon size={size} stroke={1.6} role="img" aria-label={word} />
    </span>
  );
}
