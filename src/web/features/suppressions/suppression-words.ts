import {
  IconAlertTriangle,
  IconEraser,
  IconHandStop,
  IconMailOff,
  IconMessageOff,
  IconPlayerPause,
  type IconProps,
  IconUserOff,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Suppression, SuppressionReason } from '#contract/suppressions.ts';
import type { Topic } from '#contract/topics.ts';
import { mayBeSent } from '#domain/may-be-sent.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';

type ReasonLook = {
  word: string;
  sentence: string;
  icon: ComponentType<IconProps>;
  /** Why an entry with this reason always covers everything; null where it need not. */
  whole: string | null;
};

/** The word and the sentence for each reason. */
export const reasonLooks: Record<SuppressionReason, ReasonLook> = {
  unsubscribed: {
    word: 'Unsubscribed',
    sentence: 'They unsubscribed by the link in a message.',
    icon: IconMailOff,
    whole: null,
  },
  paused: {
    word: 'Paused',
    sentence: 'They paused optional messages by the link in a message.',
    icon: IconPlayerPause,
    whole: null,
  },
  stopped: {
    word: 'Answered STOP',
    sentence: 'They answered a message with STOP.',
    icon: IconMessageOff,
    whole: 'as carriers demand',
  },
  bounced: {
    word: 'Bounced',
    sentence: 'Mail to this address was returned as undeliverable.',
    icon: IconAlertTriangle,
    whole: 'the address does not work',
  },
  complained: {
    word: 'Reported as spam',
    sentence: 'They reported a message as spam.',
    icon: IconHandStop,
    whole: 'as mailbox providers demand',
  },
  erased: {
    word: 'Erased',
    sentence: 'What was kept about them was erased; only a hash of the address is left.',
    icon: IconEraser,
    whole: 'nobody knows any more who it was',
  },
  manual: { word: 'Added manually', sentence: 'They were added manually.', icon: IconUserOff, whole: null },
};

type Covered = Pick<Suppression, 'covers' | 'reason' | 'topic_id' | 'topic_name' | 'ends_at'>;

/** What an entry keeps back: `Everything`, `All optional messages`, or a topic's name. */
export const coversText = ({ covers, topic_name: topic }: Covered): string =>
  covers === 'everything' ? 'Everything' : covers === 'optional' ? allOptional : (topic ?? 'A topic');

export const allOptional = 'All optional messages';

/** The messages that an entry keeps back, within a sentence: `messages`, `optional messages`, `messages about Events`. */
export const messagesOf = ({ covers, topic_name: topic }: Covered): string =>
  covers === 'everything'
    ? 'messages'
    : covers === 'optional'
      ? 'optional messages'
      : `messages about ${topic ?? 'a topic'}`;

/** Whether an entry keeps back a message of this topic; undefined is none. */
export function keepsBack(entry: Covered, topic: Pick<Topic, 'id' | 'kind'> | undefined): boolean {
  const about = { topicId: topic?.id ?? null, kind: topic?.kind ?? null, occasion: 'reminder' as const };
  return mayBeSent(about, { entries: [entry], consent: 'not_needed', nowMs: Date.now() }).kind === 'skip';
}

/** Why a message that somebody writes to them is not sent. */
export const notSentText = (entry: Suppression): string =>
  entry.covers === 'everything'
    ? `Nothing is sent to them by ${channelLooks[entry.channel].name}: they are on the suppression list.`
    : `They get no ${messagesOf(entry)} by ${channelLooks[entry.channel].name}.`;

/** Whether an admin may narrow it: not what a provider, or the number itself, demands. */
export const canNarrow = ({ covers, reason }: Suppression): boolean =>
  covers === 'everything' && reasonLooks[reason].whole === null;
