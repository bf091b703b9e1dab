import type { ChannelType } from '#contract/reminders.ts';
import { parseRecipient } from '#domain/recipients.ts';
import { channelNames, type SaidChannel, type SaidChannels } from './channels.ts';
import { quoted, type Remark, type Span } from './line.ts';
import { messageOf, type SaidMessage } from './message.ts';
import { schedulePartsOf } from './parts.ts';
import { planOf } from './plan.ts';
import { type Person, peopleOf, type SaidAudience, type SaidRecipient } from './recipients.ts';
import type { SaidSchedule } from './said-schedule.ts';
import type { Part, Understood } from './understood.ts';

export type Heard = {
  text: string;
  now: Temporal.Instant;
  timezone: string;
  people: readonly Person[];
  named: SaidRecipient[];
  addresses: SaidRecipient[];
  audiences: SaidAudience[];
  channels: SaidChannels;
  schedule: SaidSchedule;
  said: SaidMessage | null;
  subject: string | null;
  leftOver: Understood['leftOver'];
  notes: Remark[];
};

/** Combines what was recognised: the schedule, the people behind the names, and the remarks. */
export function answer(heard: Heard): Understood {
  const { schedule, said } = heard;
  const zone = schedule.zone?.zone ?? heard.timezone;
  const { plan, notes, problems } = planOf({ said: schedule, now: heard.now, zone });
  const message = said === null ? null : messageOf(said, heard.subject);
  const written = [...heard.named, ...heard.addresses].sort(inText);
  const audiences = heard.audiences.map((one) => ({ ...one, people: peopleOf(one.audience, heard.people) }));
  const chosen = channelsOf({ said: heard.channels.said, written, text: heard.text });
  const several = audiences
    .filter(({ people, audience }) => people.length > 1 && /^\p{Lu}\S*$/u.test(audience))
    .map(({ from, to, audience, people }) => ({
      from,
      to,
      text: `${quoted(audience)} is ${people.length} people: ${people.map(({ name }) => name).join(', ')}`,
    }));
  const parts: Part[] = [
    ...heard.channels.said.map(({ from, to, channel }) => ({
      kind: 'channel' as const,
      from,
      to,
      channel,
      wording: channelNames[channel],
    })),
    ...written.map((one) => ({ kind: 'recipient' as const, ...one, wording: one.recipient })),
    ...audiences.map((one) => ({ kind: 'audience' as const, ...one, wording: one.audience })),
    ...schedulePartsOf(schedule),
    ...(said === null || message === null
      ? []
      : [{ kind: 'message' as const, from: said.from, to: said.to, wording: message.message }]),
  ];
  return {
    parts: parts.sort(inText),
    channels: chosen.channels,
    recipients: [...new Set(written.map(({ recipient }) => recipient))],
    schedule: plan,
    message,
    notes: [...heard.notes, ...schedule.notes, ...notes, ...several, ...chosen.notes].sort(inText),
    problems: [...schedule.problems, ...schedule.leftOut, ...problems, ...heard.channels.problems].sort(inText),
    leftOver: heard.leftOver,
  };
}

const inText = (one: Span, other: Span) => one.from - other.from || one.to - other.to;

/** The channels that were named, otherwise those that fit the recipients' addresses. */
function channelsOf({ said, written, text }: { said: SaidChannel[]; written: SaidRecipient[]; text: string }): {
  channels: ChannelType[];
  notes: Remark[];
} {
  const isUrl = written.some(({ recipient }) => parseRecipient(recipient).kind === 'url');
  if (said.length > 0) {
    const named = said.map(({ channel }) => channel);
    return { channels: [...new Set(isUrl ? [...named, 'webhook' as const] : named)], notes: [] };
  }
  const channels = new Set<ChannelType>();
  const notes: Remark[] = [];
  for (const { from, to, recipient } of written) {
    const { kind } = parseRecipient(recipient);
    if (kind === 'phone' && !channels.has('sms'))
      notes.push({ from, to, text: `No channel was named: SMS is assumed for ${recipient}` });
    if (kind === 'email') channels.add('email');
    if (kind === 'phone') channels.add('sms');
    if (kind === 'url') channels.add('webhook');
  }
  const notify = /\bnotify\b/i.exec(text);
  if (channels.size > 0 || notify === null) return { channels: [...channels], notes };
  const span = { from: notify.index, to: notify.index + notify[0].length };
  return {
    channels: ['push'],
    notes: [{ ...span, text: '“notify” is read as web push: name another channel to use that' }],
  };
}
