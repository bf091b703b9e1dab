import type { ChannelType } from '#contract/channel-types.ts';
import type { JobType } from '#contract/job-types.ts';
import type { Coverage, SuppressionReason } from '#contract/suppressions.ts';
import type { TopicKind } from '#contract/topics.ts';
import {
  cannotBeReached,
  leftAllTopics,
  leftThisTopic,
  noConsent,
  notReachedWithoutConsent,
  onSuppressionList,
  pausedByRecipient,
  type Reason,
} from '#domain/ledger-reasons.ts';

/** Why a message is sent: a member asked for a `test`, the recipient for a `requested` one, such as a link to their preferences. All others count as a `reminder`. */
export type Occasion = 'reminder' | 'test' | 'requested';

const occasions = {
  reminder: 'reminder',
  event_reminder: 'reminder',
  api_notification: 'reminder',
  test_reminder: 'test',
  preferences_link: 'requested',
} satisfies Record<JobType, Occasion>;

export const occasionOf = (type: JobType): Occasion => occasions[type];

/** What a message is about; `kind` is null where it has no topic, and then people can leave it. */
export type About = { topicId: string | null; kind: TopicKind | null; occasion: Occasion };

export const noTopic: About = { topicId: null, kind: null, occasion: 'reminder' };

/** An entry of the suppression list for the address and channel. Only a pause ends. */
export type Entry = { covers: Coverage; reason: SuppressionReason; topic_id: string | null; ends_at: string | null };

/** Whether a consent to the message over its channel is on record; `not_needed` where the workspace requires none for that channel. */
export type ConsentFact = 'not_needed' | 'given' | 'lacking';

export type SkipCode = 'suppressed' | 'no_consent' | 'left_topics' | 'left_topic' | 'paused_by_recipient';

/** `isFallingBack`: where channels are tried in order, the next one is. */
export type Verdict = { kind: 'send' } | { kind: 'skip'; code: SkipCode; isFallingBack: boolean };

/**
 * Whether the suppression list, and what was agreed to, let a message be sent to an address at a time. The first line that applies is the answer, so that each
 * person has one reason. `forbids` and `lacksConsent` in `engine/postgres/attempts.sql.ts` say the same; a test compares them.
 */
export function mayBeSent(
  { topicId, kind, occasion }: About,
  { entries, consent, nowMs }: { entries: readonly Entry[]; consent: ConsentFact; nowMs: number },
): Verdict {
  const isRequired = kind === 'required';
  const skip = (code: SkipCode): Verdict => ({
    kind: 'skip',
    code,
    isFallingBack: isFallingBackAfter(code, { isRequired }),
  });
  // Who has unsubscribed and now asks for a message wants that one; STOP, a bounce and what a member added hold.
  const isWanted = ({ reason }: Entry) => occasion === 'requested' && reason === 'unsubscribed';
  if (entries.some((entry) => entry.covers === 'everything' && !isWanted(entry))) return skip('suppressed');
  if (occasion !== 'reminder') return send;
  if (consent === 'lacking') return skip('no_consent');
  if (isRequired) return send;
  const lasting = entries.filter(({ ends_at: endsAt }) => endsAt === null);
  if (lasting.some(({ covers }) => covers === 'optional')) return skip('left_topics');
  if (topicId !== null && lasting.some(({ topic_id: left }) => left === topicId)) return skip('left_topic');
  if (entries.some((entry) => entry.ends_at !== null && isInForce(entry, nowMs))) return skip('paused_by_recipient');
  return send;
}

const send: Verdict = { kind: 'send' };

/** Whether an entry covers anything at a time: a pause that has ended does not. */
export const isInForce = ({ ends_at: endsAt }: Pick<Entry, 'ends_at'>, nowMs: number): boolean =>
  endsAt === null || Date.parse(endsAt) > nowMs;

/** Whether the next channel is tried where they are tried in order: without a consent nobody has said no to another one, and a required message has to arrive. */
export const isFallingBackAfter = (code: Reason['code'], { isRequired }: { isRequired: boolean }): boolean =>
  code === 'no_consent' || (code === 'suppressed' && isRequired);

const reasons: Record<SkipCode, (channel: ChannelType) => Reason> = {
  suppressed: () => onSuppressionList,
  no_consent: noConsent,
  left_topics: () => leftAllTopics,
  left_topic: () => leftThisTopic,
  paused_by_recipient: () => pausedByRecipient,
};

export const reasonOfSkip = (code: SkipCode, channel: ChannelType): Reason => reasons[code](channel);

/** Why somebody gets nothing over any channel, where the last one was skipped for this. */
export function reasonWhereLast(
  code: SkipCode,
  { channel, isRequired }: { channel: ChannelType; isRequired: boolean },
): Reason {
  if (!isRequired || !isFallingBackAfter(code, { isRequired })) return reasonOfSkip(code, channel);
  return code === 'no_consent' ? notReachedWithoutConsent(channel) : cannotBeReached;
}

/** Whether a delivery was skipped for what its recipient wants, or has not agreed to. */
export const isSkipForRecipient = (code: Reason['code']): code is SkipCode => code in reasons;
