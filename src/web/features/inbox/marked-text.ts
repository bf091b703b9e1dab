/** A piece of text with one look. */
export type Piece =
  | { kind: 'plain' | 'bold' | 'italic' | 'struck' | 'code'; text: string }
  | { kind: 'link'; text: string; url: string };

const marks = { '*': 'bold', _: 'italic', '~': 'struck', '`': 'code' } as const;

/** A mark opens before a word and closes behind one, in the same line, as WhatsApp and Slack read it. */
const marked = /(?<![\p{L}\p{N}*_~`])([*_~`])(?=\S)([^\n]*?\S)\1(?![\p{L}\p{N}*_~`])/u;
const slackLink = /<((?:https?:\/\/|mailto:)[^|>\s]+)(?:\|([^>\n]+))?>/;
const plainLink = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/;

/** Text as WhatsApp shows it: `*bold*`, `_italic_`, `~struck~`, `` `code` `` and web addresses. */
export const piecesOfWhatsApp = (text: string): Piece[] => piecesOf(text, plainLink);

/** Text as Slack shows it: the same marks, links as `<url|label>`, and three characters by their names. */
export const piecesOfSlack = (text: string): Piece[] =>
  piecesOf(text, slackLink).map((piece) => ({ ...piece, text: unescaped(piece.text) }));

/** Plain text whose web addresses can be followed, as a phone shows an SMS. */
export function piecesOfSms(text: string): Piece[] {
  const found = plainLink.exec(text);
  if (found === null) return plain(text);
  const [url] = found;
  const rest = text.slice(found.index + url.length);
  return [...plain(text.slice(0, found.index)), { kind: 'link', text: url, url }, ...piecesOfSms(rest)];
}

function piecesOf(text: string, link: RegExp): Piece[] {
  const [mark, address] = [marked.exec(text), link.exec(text)];
  const isLink = address !== null && (mark === null || address.index <= mark.index);
  const found = isLink ? address : mark;
  if (found === null) return plain(text);
  const before = plain(text.slice(0, found.index));
  const after = piecesOf(text.slice(found.index + found[0].length), link);
  return [...before, isLink ? linkOf(found) : markOf(found), ...after];
}

function linkOf([whole, url = whole, label]: RegExpExecArray): Piece {
  return { kind: 'link', url, text: label ?? url };
}

function markOf([whole, mark, text = whole]: RegExpExecArray): Piece {
  const kind = mark === '*' || mark === '_' || mark === '~' || mark === '`' ? marks[mark] : 'plain';
  return { kind, text };
}

const plain = (text: string): Piece[] => (text === '' ? [] : [{ kind: 'plain', text }]);

const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
