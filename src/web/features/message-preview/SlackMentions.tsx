import { Text } from '@mantine/core';
import type { Channel } from '#contract/channels.ts';
import { silentMentions } from '#domain/message-format/slack-mentions.ts';
import { useChannels } from '#web/api/channels.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { writtenMention, whomItPings } from './slack-mentions.ts';

type SlackMentionsProps = { mentions: readonly string[]; pinned: string | undefined };

/** Whom a message in Slack will ping; or that it pings nobody, and who can change that. Nothing until it is known which. */
export function SlackMentions({ mentions, pinned }: SlackMentionsProps) {
  const { data: channels } = useChannels();
  if (channels === undefined) return null;
  const channel = sendingChannel(channels, pinned);
  if (channel?.configuration.allow_mentions === true)
    return <Notice>Pings {mentions.map((mention) => whomItPings(mention)).join(', and ')}.</Notice>;
  const written = mentions.map((mention) => writtenMention(mention)).join(', ');
  return (
    <Text mt={6} fz="sm" c="dimmed" role="status">
      {written} {mentions.length === 1 ? 'stays' : 'stay'} plain text and {mentions.length === 1 ? 'pings' : 'ping'}{' '}
      nobody.{' '}
      {channel === undefined
        ? 'An admin can add a Slack channel that lets messages mention people, under Channels.'
        : `An admin can let messages mention people, in the channel ${channel.name} under Channels.`}
    </Text>
  );
}

/** What in a message for Slack looks as if it pinged somebody, and why it does not. */
export function SilentMentions({ title, text }: { title: string; text: string }) {
  const { inTitle, names } = silentMentions({ title, text });
  if (inTitle.length + names.length === 0) return null;
  return (
    <Text mt={6} fz="sm" c="dimmed" role="status">
      {inTitle.length > 0 && `${inTitle.join(', ')} in the subject ${pingsNobody(inTitle)}: only the message can. `}
      {names.length > 0 &&
        `${names.join(', ')} ${pingsNobody(names)}: Slack needs the id of a person, as in <@U012AB>.`}
    </Text>
  );
}

const pingsNobody = ({ length }: readonly string[]) => `${length === 1 ? 'pings' : 'ping'} nobody`;

/** The list has the channel that was changed last, and therefore sends, first. */
function sendingChannel(channels: readonly Channel[], pinned: string | undefined): Channel | undefined {
  const able = channels.filter(({ type, is_active: isActive }) => type === 'slack' && isActive);
  return able.find(({ id }) => id === pinned) ?? able[0];
}
