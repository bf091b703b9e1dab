import type { ChannelType } from '#contract/channel-types.ts';
import { channelLooks } from './channel-looks.ts';

/** A channel type as an icon, with its name for screen readers and on hover. */
export function ChannelIcon({ channel, size = 18 }: { channel: ChannelType; size?: number }) {
  const { icon: Icon, name } = channelLooks[channel];
  return (
    <span title={name} style={{ display: 'inline-flex' }}>
      <Icon size={size} stroke={1.6} role="img" aria-label={name} />
    </span>
  );
}
