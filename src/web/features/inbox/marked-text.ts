import { webAddresses } from '#domain/web-addresses.ts';

/** A part of a text with one format. */
export type Piece =
  | { kind: 'plain' | 'bold' | 'italic' | 'struck' | 'code'; text: string }
  | { kind: 'link'; text: string; url: string };

const marks = { '*': 'bold', _: 'italic', '~': 'struck', '`': 'code' } as const;

const slackLink = /<((?:https?:\/\/|mailto:)[^|<>\s]+)(?:\|([^<>\n]+))?>/g;

/** Parses WhatsApp formatting: `*bold*`, `_italic_`, `~struck~`, `` `code` `` and URLs. */
export const piecesOfWhatsApp = (text: string): Piece[] => piecesOf(text, webAddresses);

/** Parses Slack formatting: the same marks, links as `<url|label>`, mentions, and three escaped characters. */
export const piecesOfSlack = (text: string): Piece[] =>
  piecesOf(text, slackLink).map((piece) => ({ ...piece, text: unescaped(withMentions(piece.text)) }));

/** Mentions as Slack shows them, except that it knows the names of people and groups. */
const withMentions = (text: string) => text.replaceAll(/<(?:!subteam\^|!|@)(\w{1,30})>/g, '@$1');

/** Parses plain text with clickable URLs, as phones show SMS. */
export const piecesOfSms = (text: string): Piece[] =>
  text
    .split(webAddresses)
    .flatMap((part, at) => (at % 2 === 1 ? [{ kind: 'link', text: part, url: part }] : plain(part)));

type Found = { from: number; to: number; piece: Piece };

/** Takes the match that starts first, without formatting inside it. */
function piecesOf(text: string, link: RegExp): Piece[] {
  const pieces: Piece[] = [];
  const links = linksIn(text, link);
  const marks = marksIn(text);
  let from = 0;
  for (;;) {
    const [address, mark] = [links(from), marks(from)];
    const found = address !== null && (mark === null || address.from <= mark.from) ? address : mark;
    if (found === null) return [...pieces, ...plain(text.slice(from))];
    pieces.push(...plain(text.slice(from, found.from)), found.piece);
    from = found.to;
  }
}

/** Returns a function that finds the first link at or after a position; positions must not decrease. */
function linksIn(text: string, link: RegExp): (from: number) => Found | null {
  const all = text.matchAll(link);
  let next = all.next();
  return (from) => {
    while (next.done !== true && next.value.index < from) next = all.next();
    if (next.done === true) return null;
    const [whole, url = whole, label] = next.value;
    return {
      from: next.value.index,
      to: next.value.index + whole.length,
      piece: { kind: 'link', url, text: label ?? url },
    };
  };
}

/**
 * Returns a function that finds the first marked text at or after a position; positions must not decrease. As in
 * WhatsApp and Slack, a mark opens before a word and closes after one in the same line. An unclosed mark ends the
 * search for its kind in that line, which keeps the time linear.
 */
function marksIn(text: string): (from: number) => Found | null {
  const opening = /(?<![\p{L}\p{N}*_~`])[*_~`](?=\S)/gu;
  const openUntil = new Map<string, number>();
  let next: Found | null = { from: -1, to: 0, piece: { kind: 'plain', text: '' } };
  return (from) => {
    if (next === null || next.from >= from) return next;
    next = null;
    opening.lastIndex = from;
    for (let open = opening.exec(text); open !== null; open = opening.exec(text)) {
      const [mark] = open;
      if (!isMark(mark) || open.index < (openUntil.get(mark) ?? 0)) continue;
      const closing = closingOf[mark];
      // Marked text has at least one character.
      closing.lastIndex = open.index + 2;
      const close = closing.exec(text);
      if (close?.[0] === mark) {
        const piece: Piece = { kind: marks[mark], text: text.slice(open.index + 1, close.index) };
        next = { from: open.index, to: close.index + 1, piece };
        return next;
      }
      openUntil.set(mark, close?.index ?? text.length);
    }
    return null;
  };
}

const closingOf = {
  '*': /(?<=\S)\*(?![\p{L}\p{N}*_~`])|\n/gu,
  _: /(?<=\S)_(?![\p{L}\p{N}*_~`])|\n/gu,
  '~': /(?<=\S)~(?![\p{L}\p{N}*_~`])|\n/gu,
  '`': /(?<=\S)`(?![\p{L}\p{N}*_~`])|\n/gu,
};

const isMark = (text: string): text is keyof typeof marks => Object.hasOwn(marks, text);

const plain = (text: string): Piece[] => (text === '' ? [] : [{ kind: 'plain', text }]);

const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
