import type { ChannelType } from '#contract/channel-types.ts';
import { takingOver } from '#domain/fallback-chains.ts';
import { anyChannel, channelNames, type SaidChannel } from './channels.ts';
import { blot, type Line, lineOf, phrase, quoted, type Remark, spaced, type Span } from './line.ts';

/**
 * Words that put channels in an order. `before`: the next channel follows them, as in `otherwise by SMS`; `last`: they make the channel before them the last
 * one, as in `SMS as a fallback`; `all`: they are about all channels, as in `try the next`.
 */
export type SaidOrder = Span & {
  /** With the channel that follows, which they do not take. */
  words: string;
  kind: 'before' | 'last' | 'all';
};

const by = '(?:by|via|over|through|using|per|on|to|with|an?|the)';
const channel = `(?:${by} (?:(?:an?|the) )?)?${anyChannel}`;
const nobody = '(?:nobody|no ?one|none(?: of (?:them|these|those))?)';
const it = `(?:that|this|it|they|he|she|people|delivery|the (?:first|message|other|previous|one before)(?: one| channel| message)?|(?:the |an? )?${anyChannel})`;
const outcome =
  '(?:fails?|failed|failing|undelivered|undeliverable|unsuccessful|reached|reachable|unreachable|reach|arrives?|arrived|delivered|works?|worked|bounces?|bounced|sent|available|possible|gets? (?:it|through)|got (?:it|through)|goes through|answers?|answered|repl(?:y|ies|ied)|responds?|responded|reacts?|reacted|reads?|confirms?|confirmed|opens?|opened)';
const some = String.raw`(?:[\w'’-]{1,20} ){0,4}?`;
const afterwards = '(?: (?:them|him|her|it|anybody|anyone|everybody|everyone|by (?:it|that)))?';
const when = '(?:(?:and|but|or) )?(?:only )?(?:if|in case|when|where)';
const failed = `(?:${when} (?:${nobody}|${it}) ${some}${outcome}${afterwards}|(?:and |but |or )?(?:only )?(?:if (?:not|necessary|needed|undelivered|undeliverable|unreachable|unsuccessful)|in case of failure|failing (?:that|this|which)))`;
const strong =
  '(?:(?:and|but|or) )?(?:otherwise|else|failing (?:that|this|which)|if not|as (?:an? |the )?(?:fall-?back|back-?up|last resort)|with (?:an? )?fall-?back|fall(?:ing|s)?[ -]?back(?: (?:to|on|onto|over|via|by))?)';
const weak = '(?:(?:and|but) )?(?:only )?(?:then|next|afterwards?|after that|finally)';
const go =
  '(?:(?:please|then|also) )*(?:(?:try|use|take|send(?: it| them)?|go(?: on)?|switch(?: over)?|continue|move on|escalate)(?: (?:with|to|over))?)?';
const nextOne = '(?:(?:by|via|over|with|to|on) )?(?:the |an? )?(?:next|other|another|second|following)(?: best)?';
const named = '(?: (?:ones?|channels?|ways?))';
const atEnd = '(?=\\s*(?:[,.;:!?)]|$|\\uE000))';
const joint = '(?: ?, ?| )';

type Pattern = { kind: SaidOrder['kind']; pattern: RegExp };
const before = (source: string, follows = channel): Pattern => ({
  kind: 'before',
  pattern: phrase(`${source}(?=[ ,]*${follows}(?!\\w))`),
});
const about = (source: string): Pattern => ({ kind: 'all', pattern: phrase(source) });

const nextChannel = about(
  `(?:${failed}|${strong})${joint}(?:${go} ${nextOne}${named}?|${nextOne}(?:${named}|${atEnd}))|(?:${weak}${joint})?(?:try|use) ${nextOne}(?:${named}|${atEnd})`,
);
const ifFailed = before(`${failed}(?:${joint}(?:${strong}|${weak}))?(?:${joint}${go})?`);
const otherwise = before(`${strong}(?:${joint}${go})?`);
const then = before(`${weak}(?:${joint}${go})?`);
const asFallback: Pattern = {
  kind: 'last',
  pattern: phrase('(?<![,;] ?)as (?:an? |the )?(?:fall-?back|back-?up|second choice|last resort)'),
};

// The longest first: each takes what a later one would take a part of.
const inMessages = [nextChannel, ifFailed, asFallback, otherwise];
const everywhere = [...inMessages, then];
/** Beside a message only, where nobody says it of anything else. */
const besideMessages = [
  ...everywhere,
  about(`${when} (?:${nobody}|that|this|it) ${some}${outcome}${afterwards}`),
  about(`${weak} (?:by )?(?:the )?next(?: one| channel)?`),
  about('in (?:this|that|the given) order|one after the (?:other|next)|one after another'),
];
const leading = phrase(
  `(?:at )?first(?=[ ,]*(?:${blot}|${channel}(?!\\w)))|preferably|ideally|primarily|try(?= ${channel}(?!\\w))`,
);

/** Takes the words that put channels in an order. `isTail`: at the end of a message, whose words they may be. */
export function takeOrder(line: Line, { isTail = false } = {}): SaidOrder[] {
  const order = taken(line, isTail ? everywhere : besideMessages);
  if (order.length > 0) line.takeAll(leading);
  return order;
}

const taken = (line: Line, patterns: readonly Pattern[]): SaidOrder[] => {
  const free = line.free();
  return patterns.flatMap(({ kind, pattern }) =>
    line.takeAll(pattern).map(({ from, to, words }) => {
      const next = kind === 'before' ? (following.exec(free.slice(to))?.[0] ?? '') : '';
      return { from, to, words: words + next, kind };
    }),
  );
};

const following = new RegExp(`^(?:${spaced(`[ ,]*${channel}`)})`, 'i');

const closely = '(?:by|via|over|through|using|per) (?:(?:an?|the) )?';
const thenBy = before(
  `${weak}(?:${joint}${go})?`,
  `(?:${closely}${anyChannel}|${anyChannel}(?: (?:them|him|her|it|me|us))?(?=\\s*(?:[,.;!?]|$)))`,
);

/** What may be an instruction in the words of a message; null where nothing is. */
export function orderInMessage({ from, words }: { from: number; words: string }): Remark | null {
  const [first] = taken(lineOf(words), [...inMessages, thenBy]).sort((one, other) => one.from - other.from);
  if (first === undefined) return null;
  const span = { from: from + first.from, to: from + first.to };
  return {
    ...span,
    text: `${quoted(first.words)} may be how to send it, or part of the message: write it first, or put the message in quotes`,
  };
}

type Beside = {
  said: readonly SaidChannel[];
  /** Where people are named. */
  people: readonly Span[];
  hasUrls: boolean;
  text: string;
};

/** The channels in the order that was said, or why they cannot be; notes say how weak words are read. */
export function readOrder(
  order: readonly SaidOrder[],
  { said, people, hasUrls, text }: Beside,
): { channels: ChannelType[]; problems: Remark[]; notes: Remark[] } {
  const last = order.flatMap(({ kind, from }) =>
    kind === 'last' ? (said.findLast(({ to }) => to <= from) ?? []) : [],
  );
  const ordered = [...said.filter((one) => !last.includes(one)), ...last];
  const channels = [...new Set(ordered.map(({ channel: one }) => one))];
  const problems = order.flatMap((one) => {
    const why = obstacleOf(one, { order, last, said, people, channels, hasUrls, text });
    return why === null ? [] : [{ from: one.from, to: one.to, text: `${quoted(one.words)} ${why}` }];
  });
  const notes = order
    .filter(({ kind, words }) => kind === 'before' && isWeak.test(words))
    .map(({ from, to, words }) => ({
      from,
      to,
      text: `${quoted(words)} is read as: only if the channel before fails`,
    }));
  return { channels, problems, notes };
}

const isWeak = /^(?:(?:and|but)\s+)?(?:only\s+)?(?:then|next|after|finally)/i;
const isCondition = /^(?:(?:and|but|or)\s+)?(?:only\s+)?(?:if|in case|when|where)\s/i;
const isNegative =
  /(?<!\w)(?:nobody|no\s?one|none|not|cannot|never|necessary|needed|failure|fail(?:s|ed|ing)?|un[a-z]+(?:able|ed|ful)|bounce[sd]?)(?!\w)|n['’]t(?!\w)/i;
const isOfPeople =
  /(?<!\w)(?:answer(?:s|ed)?|repl(?:y|ies|ied)|respond(?:s|ed)?|react(?:s|ed)?|reads?|confirm(?:s|ed)?|open(?:s|ed)?)(?!\w)/i;

function obstacleOf(
  { kind, words, to }: SaidOrder,
  {
    order,
    last,
    said,
    people,
    channels,
    hasUrls,
    text,
  }: Beside & { order: readonly SaidOrder[]; last: readonly SaidChannel[]; channels: readonly ChannelType[] },
): string | null {
  if (isCondition.test(words)) {
    if (isOfPeople.test(words)) return 'is not possible: the next channel is tried when one fails, whatever people do';
    if (!isNegative.test(words)) return 'is not understood: write “if that fails”';
  }
  if (channels.length < 2) return 'needs two channels: write “by email, then by SMS”';
  const own = channels.filter((one) => !takingOver(channels, { hasUrls }).includes(one));
  const [first] = own;
  if (first !== undefined) {
    const where = first === 'webhook' ? 'calls the URLs of the line' : 'goes to a destination of its own';
    return `is not possible: ${channelNames[first]} ${where}, and no other channel takes over from it`;
  }
  const next = said.find(({ from }) => from >= to);
  if (
    kind === 'before' &&
    next !== undefined &&
    people.some(({ from }) => from >= next.to && isBlank(text, next.to, from))
  )
    return 'may begin a second message: write a reminder for each';
  const isOrdered = (after: Span, one: Span) =>
    order.some((other) => other.kind === 'all' || (other.from >= after.to && other.to <= one.from));
  const isJoined = said.some((one, at) => {
    const previous = said[at - 1];
    const isAnd = /^and\s/i.test(text.slice(one.from, one.to));
    return previous !== undefined && isAnd && !last.includes(one) && !isOrdered(previous, one);
  });
  return isJoined ? 'does not say which of the channels joined by “and” comes first' : null;
}

const isBlank = (text: string, from: number, to: number) => text.slice(from, to).trim() === '';
