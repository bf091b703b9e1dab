import type { ReactNode } from 'react';
import type { ChannelType } from '#contract/channel-types.ts';
import type { TopicReason } from '#contract/topics.ts';
import type { UnsubscribeLink } from '#contract/unsubscribe.ts';
import type { UnsubscribeAct } from '#web/api/unsubscribe.ts';

/** What the page is about, or what has become of it. */
export function titleOf(link: UnsubscribeLink, isChanged: boolean): string {
  const { topic, left } = link;
  switch (left) {
    case 'nothing':
      if (isChanged) return topic === null ? 'You are subscribed again' : `You get ${topic.name} again`;
      return topic === null ? 'Unsubscribe?' : `Stop ${topic.name}?`;
    case 'topic':
      return `You have left ${topic?.name}`;
    case 'optional':
      return link.required.length === 0 ? 'You are unsubscribed' : 'You have left all optional messages';
    case 'everything':
      return 'You are unsubscribed';
    default:
      return left satisfies never;
  }
}

/** What the sender sends to this address now. */
export function stateOf(link: UnsubscribeLink): ReactNode {
  const { company, recipient, channel, stops, topic, left } = link;
  const who = <strong>{company}</strong>;
  const whom = (
    <>
      <strong>{recipient}</strong> {channelWords[channel]}
    </>
  );
  if (stops === 'monthly_report')
    return (
      <>
        {who} sends {left === 'nothing' ? 'a monthly report' : 'this monthly report no more'} to{' '}
        <strong>{recipient}</strong>.
      </>
    );
  switch (left) {
    case 'nothing':
      return (
        <>
          {who} sends {topic === null ? 'reminders' : <>messages about {topic.name}</>} to {whom}.
        </>
      );
    case 'topic':
      return (
        <>
          {who} sends no more messages about {topic?.name} to {whom}.
        </>
      );
    case 'optional':
      return (
        <>
          {who} sends no more {link.required.length === 0 ? 'reminders' : 'optional messages'} to {whom}.
        </>
      );
    case 'everything':
      return (
        <>
          {who} sends no more reminders to {whom}.
        </>
      );
    default:
      return left satisfies never;
  }
}

export type OfferedAct = { label: string; act: UnsubscribeAct };

/** What can be done, the most likely first. */
export function actsOf({ company, stops, topic, left, undo, required }: UnsubscribeLink): OfferedAct[] {
  if (stops === 'monthly_report') return left === 'nothing' ? [{ label: 'Unsubscribe', act: { leave: 'report' } }] : [];
  const whole =
    required.length === 0 ? `Stop all messages from ${company}` : `Stop all optional messages from ${company}`;
  const leaveAll: OfferedAct = {
    label: topic === null && required.length === 0 ? 'Unsubscribe' : whole,
    act: { leave: 'optional' },
  };
  const undoes: OfferedAct[] = undo === null ? [] : [{ label: 'Undo', act: { undo } }];
  if (left === 'topic') return [...undoes, leaveAll];
  if (left !== 'nothing') return undoes;
  return topic === null ? [leaveAll] : [{ label: `Stop ${topic.name}`, act: { leave: 'topic' } }, leaveAll];
}

/** Why somebody gets messages that they cannot leave. */
export const dueWords: Record<TopicReason, string> = {
  contract: 'because of a contract with you',
  law: 'because the law requires it',
  safety: 'for your safety',
};

/** The channel at the end of a sentence. */
const channelWords: Record<ChannelType, string> = {
  email: 'by email',
  sms: 'by SMS',
  whatsapp: 'by WhatsApp',
  webhook: 'by webhook',
  slack: 'in Slack',
  push: 'by push notification',
};
