import {
  IconAlertTriangle,
  IconHandStop,
  IconMailOff,
  IconMessageOff,
  type IconProps,
  IconUserOff,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { SuppressionReason } from '#contract/suppressions.ts';

/** The word and the sentence for each reason. */
export const reasonLooks: Record<
  SuppressionReason,
  { word: string; sentence: string; icon: ComponentType<IconProps> }
> = {
  unsubscribed: { word: 'Unsubscribed', sentence: 'They unsubscribed by the link in a message.', icon: IconMailOff },
  stopped: { word: 'Answered STOP', sentence: 'They answered a message with STOP.', icon: IconMessageOff },
  bounced: {
    word: 'Bounced',
    sentence: 'Mail to this address was returned as undeliverable.',
    icon: IconAlertTriangle,
  },
  complained: { word: 'Reported as spam', sentence: 'They reported a message as spam.', icon: IconHandStop },
  manual: { word: 'Added manually', sentence: 'They were added manually.', icon: IconUserOff },
};
