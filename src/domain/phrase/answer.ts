import type { ChannelType } from '#contract/channel-types.ts';
import { parseRecipient } from '#domain/recipients.ts';
import { channelNames, type SaidChannel, type SaidChannels } from './channels.ts';
import { quoted, type Remark, type Span, remarkAt } from './line.ts';
import { messageOf, type SaidMessage } from './message.ts';
import { type Groups, joinedNames, type NamedAudience, namingOf } from './named-audience.ts';
import { namesakesOf, type Person, peopleOf, type SaidAudience, type SaidRecipient } from './recipients.ts';
import { timelyRemark } from './coverage.ts';
import type { SaidSchedule } from './said-schedule.ts';
import type { Part, Understood } from './understood.ts';
import { rhythmInWords } from './cadence.ts';
import { timesInWords } from './times.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import { scheduleOnce } from './schedule-once.ts';
import { scheduleRhythm } from './schedule-rhythm.ts';
import { type Asked, type Scheduled } from './scheduled.ts';
import type { SaidEvent } from './pieces.ts';

export type Heard = {
  text: string;
  now: Temporal.Instant;
  timezone: string;
  people: readonly Person[];
  /** Undefined while they are not loaded. */
  groups: Groups | undefined;
  /** Whether every word was taken. */
  isCovered: boolean;
  named: SaidRecipient[];
  addresses: SaidRecipient[];
  audiences: SaidAudience[];
  channels: SaidChannels;
  /** The channels in the order in which they are tried; null where all send. */
  inOrder: ChannelType[] | null;
  schedule: SaidSchedule;
  said: SaidMessage | null;
  subject: string | null;
  leftOver: Understood['leftOver'];
  notes: Remark[];
};

/** Combines what was recognised: the schedule, the people behind the names, and the remarks. */
export function answer(heard: Heard): Understood {
  const { said } = heard;
  const message = said === null ? null : messageOf(said, heard.subject);
  const written = [...heard.named, ...heard.addresses].sort(inText);
  const meant = joinedNames(heard.audiences, { text: heard.text, known: heard.groups }).map((one) =>
    meaningOf(one, heard),
  );
  const audiences = meant.map(({ part }) => part);
  const when = {
    ...heard.schedule,
    problems: [...heard.schedule.problems, ...audiences.flatMap((one) => doubtOf(one, heard.text))],
  };
  const zone = when.zone?.zone ?? heard.timezone;
  const { schedule, notes, problems } = scheduleOf({ said: when, now: heard.now, zone });
  const isWhole = heard.isCovered && when.problems.length + problems.length === 0;
  const unclear = meant.flatMap(({ problem }) => problem ?? []);
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
    ...schedulePartsOf(when),
    ...(said === null || message === null
      ? []
      : [{ kind: 'message' as const, from: said.from, to: said.to, wording: message.message }]),
  ];
  return {
    isWhole,
    parts: parts.sort(inText),
    channels: heard.inOrder ?? chosen.channels,
    isInOrder: heard.inOrder !== null,
    recipients: [...new Set(written.map(({ recipient }) => recipient))],
    schedule: isWhole ? schedule : null,
    message,
    notes: [
      ...heard.notes,
      ...when.notes,
      ...notes,
      ...several,
      ...meant.flatMap(({ note }) => note ?? []),
      ...chosen.notes,
    ].sort(inText),
    problems: [...when.problems, ...problems, ...unclear, ...heard.channels.problems].sort(inText),
    leftOver: heard.leftOver,
  };
}

type Meaning = {
  part: SaidAudience & Pick<Extract<Part, { kind: 'audience' }>, 'people' | 'named' | 'isExplained'>;
  problem?: Remark;
  note?: Remark;
};

const statement =
  /(?<!\bwho\b.*)\s(?:is|are|was|were|isn['’]t|aren['’]t|will|won['’]t|can|must|should|arrives?|comes|ends|starts|begins|expires|closes|opens|leaves)\s|^\p{Lu}\S*\s(?:.*\s)?(?:your|our|my|his|her|their|its|it|we|you|I|they|there)\s/u;

/** `send rent roll` may name a message, and `send tenants` people. */
const sentThing = /(?<!\w)(?:send|write|post)\s+$/i;
/** `send Ann …`, but not `send Ann the rent roll`. */
const clearlySentTo = /^(?:(?:me|myself|us)$|\p{Lu})(?!.*\s(?:the|an?|our|my|your)\s)/u;
const whatOrWhom = 'write “to” before people, and put a message in quotes';

/** A remark on words for people whom nobody matches: they may mean something else. */
function doubtOf({ from, to, audience, people, named, isExplained }: Meaning['part'], text: string): Remark[] {
  if (people.length > 0 || named !== null || isExplained) return [];
  if (sentThing.test(text.slice(0, from)) && !clearlySentTo.test(audience))
    return [{ from, to, text: `${quoted(audience)} may be what to send, or to whom: ${whatOrWhom}` }];
  if (statement.test(audience))
    return [{ from, to, text: `${quoted(audience)} may be a name and a message: write a colon between them` }];
  const doubt = timelyRemark({ from, to, words: withoutNumbers(audience) }, { beside: 'at the end' });
  return doubt === null ? [] : [doubt];
}

/** `the tenants of 12 Elm`: a number within a name is no time, but one at its end may be. */
const withoutNumbers = (audience: string) =>
  audience.replaceAll(/(?<=\s)\d+[a-z]?(?=\s+\p{Lu})/gu, (digits) => '#'.repeat(digits.length));

/** `everyone that has not paid` is not everyone. */
const narrower =
  /^[\s,]*((?:that|which|whose)\s(?:has|have|had|is|are|was|were|do|does|did|don['’]t|doesn['’]t|owes?|lives?|pays?|needs?|still))(?!\w)/i;

/** A group or a tag by its name, otherwise contacts. Where it is not certain who is meant, nobody is, and a problem says so. */
function meaningOf(one: SaidAudience, { text, people, groups, isCovered, schedule }: Heard): Meaning {
  const { from, to, audience } = one;
  const { asked, named, rank, also } = namingOf(audience, groups);
  const nobody = (text: string): Meaning => ({
    part: { ...one, people: [], named: null, isExplained: true },
    problem: { from, to, text },
  });
  const of = (found: Person[]): Meaning => ({ part: { ...one, people: found, named: null, isExplained: false } });
  const namesakes = asked === null ? namesakesOf(audience, people) : [];
  if (named === null || (rank === 2 && namesakes.length > 0)) {
    if (asked === null || groups === undefined) return of(asked === null ? peopleOf(audience, people) : []);
    return nobody(`No ${asked} has this name: ${quoted(audience)}. Choose the people under Channels`);
  }
  if (namesakes.length > 0)
    return nobody(`${quoted(audience)} is a ${named.kind} and a contact: choose the one you mean under Channels`);
  // It may be many people, and the rest of the line may have said: but not these.
  if (!isCovered) return nobody(`${quoted(audience)} is not filled in, because not all of the line is understood`);
  if (schedule.event !== null && isSingular(audience))
    return nobody(`${quoted(audience)} may be one person: ${wholeOf(named)} is all of them`);
  const narrowing = narrower.exec(text.slice(to))?.[1];
  if (narrowing !== undefined)
    return nobody(`${quoted(audience)} is not filled in, because ${quoted(narrowing)} may say which of them`);
  const part = { ...one, people: [], named, isExplained: false };
  if (also === null) return { part };
  return { part, note: { from, to, text: `${quoted(audience)} is read as the group; write “tagged” for the tag` } };
}

/** `text the tenant when a payment fails` means the one whose payment it is. */
const isSingular = (audience: string) => !saysMany.test(audience) && !/s$/i.test(audience);

const saysMany =
  /^(?:all|everyone|everybody|anyone|people|those|contacts)(?!\w)|#|(?<!\w)(?:tag|tags|tagged|group|people|staff|team)(?!\w)/i;

const wholeOf = (named: NamedAudience) => {
  switch (named.kind) {
    case 'everyone':
      return '“everyone”';
    case 'group':
      return `“the group ${named.name}”`;
    case 'tag':
      return `“everyone tagged ${named.tag}”`;
    default:
      return named satisfies never;
  }
};

const inText = (one: Span, other: Span) => one.from - other.from || one.to - other.to;

/** The named channels, or else those that fit the recipients' addresses. */
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

/** The parts of the schedule, each with its position and meaning. */
function schedulePartsOf(said: SaidSchedule): Part[] {
  const { event, rhythm, date, times, zone, start, end } = said;
  const parts: (Part | null)[] = [
    event && { kind: 'event', from: event.from, to: event.to, wording: event.wording },
    rhythm && { kind: 'rhythm', from: rhythm.from, to: rhythm.to, wording: rhythmInWords(rhythm.said, rhythm.window) },
    date && { kind: 'date', from: date.from, to: date.to, wording: date.words.trim() },
    times && times.times.length > 0
      ? { kind: 'time', from: times.from, to: times.to, wording: timesInWords(times.times) }
      : null,
    zone && { kind: 'zone', from: zone.from, to: zone.to, wording: zone.zone },
    start && { kind: 'start', from: start.from, to: start.to, wording: `from ${quoted(start.words)}` },
    end && { kind: 'end', from: end.from, to: end.to, wording: `until the end of ${quoted(end.words)}` },
  ];
  return parts.filter((part) => part !== null);
}

/** Combines what was said into a schedule. No schedule when nothing gives a time, or when a part of it is impossible. */
function scheduleOf({ said, now, zone }: Asked): Scheduled {
  const nothing = { schedule: null, notes: [], problems: [] };
  // No schedule is better than one at another time than was meant.
  if (said.problems.length > 0) return nothing;
  if (said.event !== null) return scheduleEvent(said.event, { said, now, zone });
  if (said.rhythm !== null) return scheduleRhythm(said.rhythm, { said, now, zone });
  return said.date === null && said.times === null ? nothing : scheduleOnce({ said, now, zone });
}

function scheduleEvent({ eventTrigger, delayAmount, delayUnit, wording }: SaidEvent, { said, zone }: Asked): Scheduled {
  const others = [said.rhythm, said.date, said.times, said.start, said.end].filter((one) => one !== null);
  const problems = others.map((one) =>
    remarkAt(one, `The event decides when it is sent: leave out ${quoted(one.words)}`),
  );
  const config: ScheduleConfig = { type: 'event-based', eventTrigger, delayAmount, delayUnit, timezone: zone };
  return { schedule: problems.length > 0 ? null : { config, wording }, notes: [], problems };
}
