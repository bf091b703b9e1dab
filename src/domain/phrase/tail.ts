import { type SaidChannels, takeChannels } from './channels.ts';
import { type SaidOrder, takeOrder } from './channel-order.ts';
import { didYouMean, misspellingIn, timelyEndOf } from './coverage.ts';
import { lineOf, quoted, type Remark, type Span } from './line.ts';
import type { SaidMessage } from './message.ts';
import type { Piece } from './pieces.ts';
import { type SaidRecipient, takeAddresses } from './recipients.ts';
import { type SaidSchedule, saidScheduleOf } from './said-schedule.ts';
import { scan } from './scan.ts';

/** Words at the end of a message that belong to the schedule. `from` is where the message ends. */
type Tail = {
  from: number;
  schedule: SaidSchedule | null;
  channels: SaidChannels | null;
  order: SaidOrder[];
  addresses: SaidRecipient[];
  /** Words of which it is not clear whether they belong to the message. */
  doubts: Remark[];
};

/** The kinds of words that make a schedule. Hours such as `from 9 to 12` are part of the message. */
const whens: ReadonlySet<Piece['kind']> = new Set(['rhythm', 'event', 'date', 'times', 'part']);

type Wanted = { schedule: boolean; channels: boolean; addresses: boolean };
type Asked = { clause: Span; kind: SaidMessage['kind']; timezone: string; wants: Wanted };

/**
 * The end of a message: `… that rent is due every 1st at 9am`. What repeats is when it is sent. A single time is so only
 * in `to call Ben tomorrow at 3pm`; in `that the plumber comes tomorrow at 3pm` it may be what the message says.
 */
export function tailOf(text: string, asked: Asked): Tail {
  const { clause, kind, wants } = asked;
  const none: Tail = { from: clause.to, schedule: null, channels: null, order: [], addresses: [], doubts: [] };
  if (kind === 'colon') return none;
  const message = (to: number) => ({ from: clause.from, to, words: text.slice(clause.from, to) });
  const found = foundIn(text, asked);
  const when = found.pieces.filter(({ kind: one }) => whens.has(one));
  if (when.length === 0) {
    const misspelled = wants.schedule ? misspellingIn(message(clause.to), 'nowhere') : null;
    const hidden = wants.schedule ? hiddenRhythm(text, asked) : null;
    if (hidden !== null) return { ...none, doubts: [hidden] };
    const rest = foundIn(text, { ...asked, wants: { ...wants, schedule: false } });
    return { ...none, ...rest, schedule: null, doubts: misspelled === null ? [] : [didYouMean(misspelled)] };
  }
  const words = text.slice(Math.min(...when.map(({ from }) => from)), Math.max(...when.map(({ to }) => to)));
  const span = { from: found.from, to: clause.to };
  const isRepeated = when.some(({ kind: one }) => one === 'rhythm' || one === 'event');
  if (!isRepeated && kind !== 'to') {
    const rest = foundIn(text, { ...asked, wants: { ...wants, schedule: false } });
    return { ...none, ...rest, schedule: null, doubts: [{ ...span, text: mayBeMessage(words) }] };
  }
  const before = message(found.from);
  const misspelled = misspellingIn(before, 'at the end');
  const cut = timelyEndOf(before.words);
  return {
    from: found.from,
    schedule: saidScheduleOf(found.pieces),
    channels: found.channels,
    order: found.order,
    addresses: found.addresses,
    doubts:
      misspelled !== null
        ? [didYouMean(misspelled)]
        : cut !== null
          ? [{ ...span, text: mayBeMessage(`${cut} ${words}`) }]
          : [],
  };
}

/** `to water the plants daily at 9am in the garden`: what repeats is when to send it, also where more follows. */
function hiddenRhythm(text: string, { clause, timezone }: Asked): Remark | null {
  const pieces = scan(lineOf(text, { from: clause.from, to: clause.to }), { timezone });
  const first = pieces.find(({ kind }) => kind === 'rhythm');
  if (first === undefined) return null;
  const span = { from: first.from, to: clause.to };
  return { ...span, text: mayBeMessage(text.slice(first.from, clause.to)) };
}

export const mayBeMessage = (words: string) =>
  `${quoted(words)} may be when to send it, or part of the message: write it first, or put the message in quotes`;

type Found = {
  from: number;
  pieces: Piece[];
  channels: SaidChannels | null;
  order: SaidOrder[];
  addresses: SaidRecipient[];
};

const openEnd = /\b(?:by|before|after|since|than|until|till|from|of|for|the|and|or)\s*$/i;

function foundIn(text: string, { clause, timezone, wants }: Asked): Found {
  const take = (span: Span): Omit<Found, 'from'> => {
    const line = lineOf(text, span);
    const order = wants.channels ? takeOrder(line, { isTail: true }) : [];
    return {
      order,
      addresses: wants.addresses ? takeAddresses(line) : [],
      // Deadlines and ranges of hours belong to the message.
      pieces: wants.schedule ? scan(line, { timezone }).filter(({ kind }) => kind !== 'refused') : [],
      channels: wants.channels ? takeChannels(line) : null,
    };
  };
  const { pieces, channels, order, addresses } = take(clause);
  const spans: Span[] = [...pieces, ...order, ...(channels?.said ?? []), ...(channels?.problems ?? []), ...addresses];
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
  return { from, ...take({ from, to: clause.to }) };
}
