import { answer } from '#domain/phrase/answer.ts';
import { weekdayOf } from '#domain/phrase/calendar-words.ts';
import { orderInMessage, readOrder, takeOrder } from '#domain/phrase/channel-order.ts';
import { takeChannels } from '#domain/phrase/channels.ts';
import {
  danglingOf,
  didYouMean,
  leftOverOf,
  misspellingIn,
  timelyRemark,
  wholeRunsOf,
} from '#domain/phrase/coverage.ts';
import { lineOf, quoted, type Remark, type Span } from '#domain/phrase/line.ts';
import { findClause, type SaidMessage, takeQuoted } from '#domain/phrase/message.ts';
import type { Groups } from '#domain/phrase/named-audience.ts';
import { namingRhythms, wordsWithout } from '#domain/phrase/naming-rhythms.ts';
import { type Person, takeAddresses, takeAudiences, takeNamed } from '#domain/phrase/recipients.ts';
import { type SaidSchedule, saidScheduleOf, saysWhen } from '#domain/phrase/said-schedule.ts';
import { scan } from '#domain/phrase/scan.ts';
import { mayBeMessage, tailOf } from '#domain/phrase/tail.ts';
import type { Understood } from '#domain/phrase/understood.ts';
import { parseRecipient } from '#domain/recipients.ts';

export type { Remark, Span } from '#domain/phrase/line.ts';
export type { Groups, NamedAudience } from '#domain/phrase/named-audience.ts';
export { type Person, searchWords } from '#domain/phrase/recipients.ts';
export type { Part, Understood } from '#domain/phrase/understood.ts';

/** Text beyond this length is not read, and such a line not filled in. */
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
  const end = Math.min(text.length, phraseLimit);
  const line = lineOf(text, { from: 0, to: end });
  const named = takeNamed(line);
  const { subject, message: exact } = takeQuoted(line);
  // Before the message is looked for: `if that fails` and `fall back to email` begin none.
  let order = takeOrder(line);
  const clause = exact === null ? findClause(line) : null;
  if (clause !== null) {
    line.takeSpan({ from: clause.from, to: end });
    order = order.filter(({ from }) => from < clause.from);
  }

  const addresses = takeAddresses(line);
  const naming = namingRhythms(line, { timezone });
  let schedule = saidScheduleOf(scan(line, { timezone, except: naming }));
  let channels = takeChannels(line);
  const verbs = channels.said.filter(({ isVerb }) => isVerb);
  const audiences = takeAudiences(line, { verbs, addresses: [...named, ...addresses] });
  const doubts: Remark[] = [];
  let said: SaidMessage | null = exact;
  if (clause !== null) {
    const tail = tailOf(text, {
      clause: { ...clause, to: end, from: clause.to },
      kind: clause.kind,
      timezone,
      wants: {
        schedule: !saysWhen(schedule),
        channels: channels.said.length === 0,
        addresses: named.length + addresses.length + audiences.length === 0,
      },
    });
    schedule = tail.schedule ?? schedule;
    channels = tail.channels ?? channels;
    order.push(...tail.order);
    addresses.push(...tail.addresses);
    doubts.push(...tail.doubts);
    said = { from: clause.from, to: tail.from, words: text.slice(clause.to, tail.from), kind: clause.kind };
    const instruction = orderInMessage({ from: clause.to, words: said.words });
    if (instruction !== null) doubts.push(instruction);
  }

  const isOrder =
    channels.said.some(({ isVerb }) => isVerb) || audiences.length > 0 || named.length + addresses.length > 0;
  const notes: Remark[] = [];
  const inOrder =
    order.length === 0
      ? null
      : readOrder(order, {
          said: channels.said,
          people: [...named, ...addresses, ...audiences],
          hasUrls: addresses.some(({ recipient }) => parseRecipient(recipient).kind === 'url'),
          text,
        });
  doubts.push(...(inOrder?.problems ?? []));
  notes.push(...(inOrder?.notes ?? []));
  const left = leftOverOf(text, line);
  const [only] = wholeRunsOf(text, line);
  // `Pay the rent every 1st`: without a verb such as `remind`, the rest of the line is the message.
  const isBare = said === null && !isOrder && left.length === 1 && only !== undefined && saysWhen(schedule);
  if (isBare) {
    said = { ...only, kind: 'bare' };
    notes.push({ from: only.from, to: only.to, text: `${quoted(only.words)} is read as the message` });
    const instruction = orderInMessage(only);
    doubts.push(
      ...statementDoubtOf(only.words, schedule),
      ...receiverDoubtOf(only),
      ...(instruction === null ? [] : [instruction]),
    );
  }
  const beside = isBare
    ? ({ beside: 'at both ends', advice: 'put the message in quotes' } as const)
    : ({ beside: 'everywhere' } as const);
  doubts.push(...(isBare ? [only] : left).flatMap((one) => timelyRemark(wordsWithout(one, naming), beside) ?? []));
  if (clause?.kind === 'to' && saysWhen(schedule)) doubts.push(...rangeDoubtOf(text, clause.to));
  doubts.push(
    ...danglingOf(line).map((one) => ({ ...one, text: `${quoted(one.words)} says nothing without what follows` })),
  );
  if (text.length > phraseLimit)
    doubts.push({ from: end, to: end, text: `Only the first ${phraseLimit} characters were read` });
  const leftOver = isBare ? [] : left.filter((one) => timelyRemark(wordsWithout(one, naming), beside) === null);
  return answer({
    text,
    now,
    timezone,
    people: known,
    groups,
    isCovered: leftOver.length === 0 && doubts.length === 0,
    named,
    addresses,
    audiences,
    channels,
    inOrder: inOrder?.channels ?? null,
    schedule: { ...schedule, problems: [...schedule.problems, ...doubts] },
    said,
    subject,
    leftOver,
    notes,
  });
}

const statement =
  /(?<!\w)(?:is|are|was|were|will|has|have|arrives?|comes?|ends?|starts?|begins?|expires?|closes|opens|leaves)(?!\w)/i;

/** `Dinner is ready at 7pm` says something about that time; `Call the dentist at 3pm` is to be done then. */
function statementDoubtOf(message: string, { date, times, rhythm, event }: SaidSchedule): Remark[] {
  const when = rhythm === null && event === null ? (date ?? times) : null;
  return when === null || !statement.test(message)
    ? []
    : [{ from: when.from, to: when.to, text: mayBeMessage(when.words) }];
}

const receives = /^(?<who>\S.*?)\s(?:(?:should|will|must|shall)\s)?(?:gets?|receives?|(?:is|are|be)\ssent)(?!\w)/i;

/** `churned customers get …` says to whom it goes; `go and get milk` does not. */
function receiverDoubtOf({ from, to, words }: Span & { words: string }): Remark[] {
  const who = receives.exec(words)?.groups?.who;
  if (who === undefined || /(?<!\w)(?:go|to|and|please|don['’]t|must|let['’]?s)$/i.test(who)) return [];
  return [
    { from, to, text: `${quoted(who)} may be who receives it: write “email ${who}”, or put the message in quotes` },
  ];
}

/** `Tuesday to Saturdy` is a range, and not a task. */
function rangeDoubtOf(text: string, from: number): Remark[] {
  const words = /^\s*\S+/.exec(text.slice(from))?.[0] ?? '';
  const misspelled = misspellingIn({ from, to: from + words.length, words }, 'everywhere');
  return misspelled !== null && weekdayOf(misspelled.meant) > 0 ? [didYouMean(misspelled)] : [];
}
