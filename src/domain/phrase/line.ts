/** A range of the text in UTF-16 units; `to` is excluded. */
export type Span = { from: number; to: number };

export type Found = Span & { words: string; groups: Partial<Record<string, string>> };

/** A whole sentence about a range of the text. */
export type Remark = Span & { text: string };

export const remarkAt = ({ from, to }: Span, text: string): Remark => ({ from, to, text });

/**
 * A text, or part of it, in which each word is taken once, by the first parser that recognises it. Positions stay those
 * of the text.
 */
export type Line = {
  /** The first free match, without taking it. */
  find(pattern: RegExp): Found | null;
  take(pattern: RegExp): Found | null;
  takeAll(pattern: RegExp): Found[];
  takeSpan(span: Span): void;
  /** The free text; `blot` replaces each character that was taken. */
  free(): string;
};

// A private-use character that no pattern matches.
export const blot = '\u{E000}';

export function lineOf(text: string, { from, to }: Span = { from: 0, to: text.length }): Line {
  let free = blot.repeat(from) + plain(text.slice(from, to)) + blot.repeat(text.length - to);
  const line: Line = {
    find(pattern) {
      const match = pattern.exec(free);
      if (match === null || match[0] === '') return null;
      return { from: match.index, to: match.index + match[0].length, words: match[0], groups: match.groups ?? {} };
    },
    take(pattern) {
      const found = line.find(pattern);
      if (found !== null) line.takeSpan(found);
      return found;
    },
    takeAll(pattern) {
      const all: Found[] = [];
      for (let found = line.take(pattern); found !== null; found = line.take(pattern)) all.push(found);
      return all;
    },
    takeSpan(span) {
      free = free.slice(0, span.from) + blot.repeat(span.to - span.from) + free.slice(span.to);
    },
    free: () => free,
  };
  return line;
}

/** Line breaks and the `T` of `2027-03-03T09:30` are blanks. */
const plain = (text: string) => text.replaceAll('\n', ' ').replaceAll(/(?<=\d{4}-\d{2}-\d{2})T(?=\d{2}:\d{2})/g, ' ');

// Plain ranges: patterns with Unicode classes take twenty times as long to compile, and there are many.
export const letter = String.raw`[\w\u00C0-\u1FFF\u2C00-\uD7FF]`;

/**
 * A case-insensitive pattern of whole words. A blank in it matches one or more blanks, a blank before `?` any number.
 */
export const phrase = (source: string) => new RegExp(`(?<!${letter})(?:${spaced(source)})(?!${letter})`, 'i');

/** The same, at one position. The words are not part of a longer one: `Monday’s`, `9am-ish`, `9.30.5`. */
export const sticky = (source: string) =>
  new RegExp(`(?<!${letter})(?:${spaced(source)})(?!${letter}|['’/+%@–-]${letter}|[.:,]\\d)`, 'iy');

export const spaced = (source: string) => source.replaceAll(' ?', String.raw`\s*`).replaceAll(' ', String.raw`\s+`);

/** The writer's words, in typographic quotes and with single blanks. */
export const quoted = (words: string) => `“${words.trim().replaceAll(/\s+/g, ' ')}”`;
