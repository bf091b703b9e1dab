import type { ChannelType } from '#contract/channel-types.ts';
import { type Line, phrase, quoted, type Remark, type Span } from './line.ts';

/** `isVerb`: the recipient follows, as in `text Ann`. */
export type SaidChannel = Span & { channel: ChannelType; isVerb: boolean };

const leadIn = '(?:(?<lead>by|via|over|through|using|per|on|in|as|to|with|and|or|an?|the) (?:(?:an?|the) )?)?';

const names: [ChannelType, string][] = [
  ['push', 'web push(?: notifications?)?|push(?: notifications?| messages?)?'],
  ['whatsapp', 'whats ?app(?: messages?)?'],
  ['sms', 'sms(?:es)?(?: messages?)?|text messages?|texts?'],
  ['slack', 'slack(?: messages?| channel)?'],
  ['webhook', 'web ?hooks?'],
  ['email', 'e-?mails?|mails?'],
];

/** A pattern of every name that a channel has in a line. */
export const anyChannel = `(?:${names.map(([, name]) => name).join('|')})`;

const channels = names.map(([channel, name]) => ({ channel, pattern: phrase(`${leadIn}(?:${name})`) }));

const elsewhere = phrase(
  `(?:by|via|over|through|using|on|per|in) (?:telegram|signal|discord|(?:microsoft |ms )?teams|messenger|viber|fax|phone|telephone|letter|post|imessage|matrix)`,
);

export type SaidChannels = { said: SaidChannel[]; problems: Remark[] };

/** The channels that a line names, in its order, and those that Cuebird does not have. */
export function takeChannels(line: Line): SaidChannels {
  const problems = line.takeAll(elsewhere).map(({ from, to, words }) => ({
    from,
    to,
    text: `${quoted(words)} is not possible: there are email, SMS, WhatsApp, webhook, Slack and web push`,
  }));
  const said = channels.flatMap(({ channel, pattern }) =>
    line.takeAll(pattern).map(({ from, to, groups, words }) => ({
      from,
      to,
      channel,
      isVerb:
        (groups.lead === undefined || /^and$/i.test(groups.lead)) && !/messages?$|notifications?$|s$/i.test(words),
    })),
  );
  return { said: said.sort((one, other) => one.from - other.from), problems };
}

export const channelNames: Record<ChannelType, string> = {
  email: 'Email',
  sms: 'SMS',
  whatsapp: 'WhatsApp',
  webhook: 'Webhook',
  slack: 'Slack',
  push: 'Web push',
};
