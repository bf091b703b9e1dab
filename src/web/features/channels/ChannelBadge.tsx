import { IconBan, IconCheck, IconHelp } from '@tabler/icons-react';
import type { Channel } from '#contract/channels.ts';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';

/** The first that applies: 'disabled', 'Unverified', 'Active'. */
export function ChannelBadge({ channel: { is_active, is_verified } }: { channel: Channel }) {
  if (!is_active) return <ToneBadge word="disabled" tone="quiet" icon={IconBan} />;
  if (!is_verified) return <ToneBadge word="Unverified" tone="waiting" icon={IconHelp} />;
  return <ToneBadge word="Active" tone="good" icon={IconCheck} />;
}
