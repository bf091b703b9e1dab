import type { Inline } from './markdown.ts';
import { hasToken, numberOf, token, tokens, withValues } from './marked-values.ts';

/** Where text is written: in running text, in the text of a link, or in code. */
export type Context = 'text' | 'label' | 'code';

/** How a format writes text and links. An address may have any scheme. */
export type Notation = {
  text(text: string, context: Context): string;
  /** Running text that the author wrote and no value brought, where it is written differently. */
  authored?(text: string): string;
  linkStart(address: string): string;
  linkEnd(address: string, label: string): string;
};

/** Writes parts that depend on values, which are not known yet. */
export type Writer = {
  text(text: string, context: Context): string;
  link(of: Extract<Inline, { kind: 'link' }>, written: string): string;
};

type Link = { address: string; label: string };

const kinds = { text: '\ufdd0', label: '\ufdd2', code: '\ufdd3', linkStart: '\ufdd4', linkEnd: '\ufdd5' } as const;
const kindOf: ReadonlyMap<string, keyof typeof kinds> = new Map([
  [kinds.text, 'text'],
  [kinds.label, 'label'],
  [kinds.code, 'code'],
  [kinds.linkStart, 'linkStart'],
  [kinds.linkEnd, 'linkEnd'],
]);

type Piece = string | { kind: Context; index: number } | ({ kind: 'linkStart' | 'linkEnd' } & Link);

/** A message in one format, without its values. */
export type Pieces = readonly Piece[];

/** @param write returns the text that it makes with the writer */
export function piecesOf(notation: Notation, write: (writer: Writer) => string): Pieces {
  const links: Link[] = [];
  const written = write({
    text: (text, context) => {
      const authored = context === 'text' ? notation.authored?.(text) : undefined;
      const fixed = authored ?? notation.text(text, context);
      return context === 'text' ? fixed : fixed.replaceAll(kinds.text, kinds[context]);
    },
    link({ address, inside }, label) {
      const link = { address, label: wordsOf(inside) };
      if (!hasToken(address) && !hasToken(link.label))
        return notation.linkStart(address) + label + notation.linkEnd(address, link.label);
      links.push(link);
      const index = links.length - 1;
      return token(kinds.linkStart, index) + label + token(kinds.linkEnd, index);
    },
  });
  const [first = '', ...others] = written.split(tokens);
  const pieces: Piece[] = [first];
  for (let at = 0; at < others.length; at += 3) {
    const kind = kindOf.get(others[at] ?? '') ?? 'text';
    const index = numberOf(others[at + 1] ?? '');
    if (kind === 'linkStart' || kind === 'linkEnd') pieces.push({ kind, ...(links[index] ?? noLink) });
    else pieces.push({ kind, index });
    pieces.push(others[at + 2] ?? '');
  }
  return pieces;
}

const noLink: Link = { address: '', label: '' };

/** The message with its values filled in. */
export function filledWith(values: readonly string[], { pieces, notation }: { pieces: Pieces; notation: Notation }) {
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else if ('index' in piece) text += notation.text(values[piece.index] ?? '', piece.kind);
    else {
      const address = withValues(piece.address, values);
      text +=
        piece.kind === 'linkStart'
          ? notation.linkStart(address)
          : notation.linkEnd(address, withValues(piece.label, values));
    }
  }
  return text;
}

const wordsOf = (inlines: readonly Inline[]): string =>
  inlines
    .map((inline) => {
      if (inline.kind === 'break') return ' ';
      return 'inside' in inline ? wordsOf(inline.inside) : inline.text;
    })
    .join('');
