import { answer } from '#domain/phrase/answer.ts';
import { type SaidChannels, takeChannels } from '#domain/phrase/channels.ts';
import { leftOverOf, maySayWhen, wholeRunsOf } from '#domain/phrase/left-over.ts';
import { type Line, lineOf, quoted, type Remark, type Span } from '#domain/phrase/line.ts';
import { findClause, type SaidMessage, takeQuoted } from '#domain/phrase/message.ts';
import type { Groups } from '#domain/phrase/named-audience.ts';
import { type Person, type SaidRecipient, takeAddresses, takeAudiences, takeNamed } from '#domain/phrase/recipients.ts';
import { type SaidSchedule, saysWhen, takeSchedule } from '#domain/phrase/said-schedule.ts';
import type { Understood } from '#domain/phrase/understood.ts';

export type { Remark, Span } from '#domain/phrase/line.ts';
export type { Groups, NamedAudience } from '#domain/phrase/named-audience.ts';
export { type Person, searchWords } from '#domain/phrase/recipients.ts';
export type { Part, Understood } from '#domain/phrase/understood.ts';

/** Text beyond this length is ignored. */
const phraseLimit = 1_000;

/**
 * Parses one English line that describes a reminder, by rules alone: the same line at the same `now` gives the same
 * result. Never throws.
 * @param timezone the writer's IANA zone, used when the line names none
 * @param people known by name; an audience that names none of them stays text
 * @param groups the groups and tags that an audience may name; left out when they could not be loaded
 */
export function understand(
  text: string,
  {
    now,
    timezone,
    people: known = [],
    groups,
  }: { now: Temporal.Instant; timezone: string; people?: readonly Person[]; groups?: Groups | undefined },
): Understood {
  const line = lineOf(text, { from: 0, to: Math.min(text.length, phraseLimit) });
  const named = takeNamed(line);
  const { subject, message: exact } = takeQuoted(line);
  const clause = exact === null ? findClause(line) : null;
  const end = Math.min(text.length, phraseLimit);
  if (clause !== null) line.takeSpan({ from: clause.from, to: end });

  const addresses = takeAddresses(line);
  let schedule = takeSchedule(line, { timezone });
  let channels = takeChannels(line);
  const verbs = channels.said.filter(({ isVerb }) => isVerb);
  const people = takeAudiences(line, { verbs, addresses: [...named, ...addresses] });
  const audiences = people.filter(({ audience }) => !maySayWhen(audience));
  let said: SaidMessage | null = exact;
  if (clause !== null) {
    const tail = tailOf(text, { from: clause.to, to: end }, (rest) => ({
      schedule: saysWhen(schedule) ? null : takeSchedule(rest, { timezone }),
      channels: channels.said.length > 0 ? null : takeChannels(rest),
      addresses: named.length + addresses.length + audiences.length > 0 ? [] : takeAddresses(rest),
    }));
    schedule = tail.found.schedule ?? schedule;
    channels = tail.found.channels ?? channels;
    addresses.push(...tail.found.addresses);
    said = { from: clause.from, to: tail.from, words: text.slice(clause.to, tail.from), kind: clause.kind };
  }

  const left = leftOverOf(text, line);
  const strange = people.filter(({ audience }) => maySayWhen(audience));
  const doubtful = [
    ...left.filter(({ words }) => maySayWhen(words)),
    ...strange.map(({ from, to, audience }) => ({ from, to, words: audience })),
  ];
  // A schedule that ignores part of what was said would be a different one.
  schedule = {
    ...schedule,
    problems: [
      ...schedule.problems,
      ...doubtful.map(({ from, to, words }) => ({
        from,
        to,
        text: `${quoted(words)} may give a time, but is not understood: use other words`,
      })),
    ],
  };
  const leftOver = left.filter(({ words }) => !maySayWhen(words));
  const isOrder =
    channels.said.some(({ isVerb }) => isVerb) || audiences.length > 0 || named.length + addresses.length > 0;
  const [only] = wholeRunsOf(text, line);
  const notes: Remark[] = [];
  // `Pay the rent every 1st`: without a verb such as `remind`, the rest of the line is the message.
  if (
    said === null &&
    !isOrder &&
    left.length === 1 &&
    leftOver.length === 1 &&
    only !== undefined &&
    saysWhen(schedule)
  ) {
    said = { ...only, kind: 'bare' };
    leftOver.pop();
    notes.push({ from: only.from, to: only.to, text: `${quoted(only.words)} is read as the message` });
  }
  return answer({
    text,
    now,
    timezone,
    people: known,
    groups,
    isWhole: leftOver.length === 0 && doubtful.length === 0,
    named,
    addresses,
    audiences,
    channels,
    schedule,
    said,
    subject,
    leftOver,
    notes,
  });
}

type Tail = {
  schedule: SaidSchedule | null;
  channels: SaidChannels | null;
  addresses: SaidRecipient[];
};

const openEnd = /\b(?:by|before|after|since|than|until|till|from|of|for|the|and|or)\s*$/i;

/** A schedule at the end of a message that is not part of it: `… that rent is due every 1st at 9am`. */
function tailOf(text: string, clause: Span, take: (line: Line) => Tail): { from: number; found: Tail } {
  const { schedule, channels, addresses } = take(lineOf(text, clause));
  const spans = [...(schedule?.spans ?? []), ...(channels?.said ?? []), ...(channels?.problems ?? []), ...addresses];
  let from = clause.to;
  for (let grown = true; grown; ) {
    const before = text.slice(clause.from, from).replace(/(?:\s|[,.;!]|(?<=\s)and(?=\s*$))+$/i, '');
    const reached = spans.find((span) => span.from < from && span.to >= clause.from + before.length && span.to <= from);
    grown = reached !== undefined;
    if (reached !== undefined) from = reached.from;
  }
  // A message must be left over, unless all of it was one; `… write by Friday` needs its Friday.
  const rest = text.slice(clause.from, from);
  if (rest.trim() === '' || openEnd.test(rest)) from = clause.to;
  return { from, found: take(lineOf(text, { from, to: clause.to })) };
}
