import type { Coverage } from '#contract/suppressions.ts';
import type { TopicKind } from '#contract/topics.ts';
import { leftAllTopics, leftThisTopic, onSuppressionList, type Reason } from '#domain/ledger-reasons.ts';

/** What a message is about; `kind` is null where it has no topic, and then people can leave it. */
export type About = { topicId: string | null; kind: TopicKind | null; isTest: boolean };

export const noTopic: About = { topicId: null, kind: null, isTest: false };

/** An entry of the suppression list for the address and channel. */
export type Entry = { covers: Coverage; topic_id: string | null };

export type SkipCode = 'suppressed' | 'left_topics' | 'left_topic';

/** `isFallingBack`: where channels are tried in order, the next one is. */
export type Verdict = { kind: 'send' } | { kind: 'skip'; code: SkipCode; isFallingBack: boolean };

/**
 * Whether the suppression list lets a message be sent to an address. The first line that applies is the answer, so that each person has one reason.
 * `forbids` in `engine/postgres/attempts.sql.ts` says the same; a test compares them.
 */
export function mayBeSent({ topicId, kind, isTest }: About, entries: readonly Entry[]): Verdict {
  const isRequired = kind === 'required';
  if (entries.some(({ covers }) => covers === 'everything'))
    return { kind: 'skip', code: 'suppressed', isFallingBack: isRequired };
  // A member asked for a test, to an address of their choice.
  if (isTest || isRequired) return send;
  if (entries.some(({ covers }) => covers === 'optional'))
    return { kind: 'skip', code: 'left_topics', isFallingBack: false };
  if (topicId !== null && entries.some(({ topic_id: left }) => left === topicId))
    return { kind: 'skip', code: 'left_topic', isFallingBack: false };
  return send;
}

const send: Verdict = { kind: 'send' };

export const reasonOfSkip: Record<SkipCode, Reason> = {
  suppressed: onSuppressionList,
  left_topics: leftAllTopics,
  left_topic: leftThisTopic,
};

/** Whether a delivery was skipped because of the suppression list. */
export const isSkipByList = (code: Reason['code']): boolean => code in reasonOfSkip;
