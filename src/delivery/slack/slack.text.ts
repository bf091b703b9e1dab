import { z } from 'zod';
import type { ChannelField } from '#contract/channels.ts';
import type { Envelope } from '#delivery/adapter.ts';
import { escapeSlack, settleMentions } from '#domain/message-format/slack-mentions.ts';

/** Slack cuts longer texts (docs.slack.dev chat.postMessage, "Truncating content"). */
export const maxCharacters = 40_000;

export const AllowMentions = z.boolean().optional();

export const allowMentionsField: ChannelField = {
  name: 'allow_mentions',
  label: 'Let messages mention people',
  kind: 'switch',
  required: false,
  default: false,
  help: '@here, @channel, @everyone, <@U…> and <!subteam^S…> in the text of a message ping people in Slack. Values that are filled in, such as names and data of events, never do.',
};

/** The subject in bold above the message. Only mentions in the text that was written ping, and only where the channel allows it. */
export function slackText(
  { subject, message, formatted }: Envelope,
  { allow_mentions: ping = false }: { allow_mentions?: boolean | undefined },
): string {
  const head = subject.replaceAll(/[\s*]+/g, ' ').trim();
  const text = formatted === undefined ? escapeSlack(message) : settleMentions(message, { ping });
  return head === '' ? text : `*${escapeSlack(head)}*\n${text}`;
}
