/** Where something stands in the text, in UTF-16 units: from `from` up to, and without, `to`. */
export type Span = { from: number; to: number };

export type Found = Span & { words: string; groups: Partial<Record<string, string>> };

/** Something said about a place in the text, in a whole sentence. */
export type Remark = Span & { text: string };

/** A text, or a piece of it, in which every word is taken once, by who understands it first. Places stay those of the text. */
export type Line = {
  /** The first place that is still free, without taking it. */
  find(pattern: RegExp): Found | null;
  take(pattern: RegExp): Found | null;
  takeAll(pattern: RegExp): Found[];
  claim(span: Span): void;
  /** What nobody took; `blot` stands for each character that somebody did. */
  free(): string;
};

// A character of no script: no pattern asks for it.
export const blot = '\u{E000}';

export function lineOf(text: string, { from, to }: Span = { from: 0, to: text.length }): Line {
  let free = blot.repeat(from) + text.slice(from, to).replaceAll('\n', ' ') + blot.repeat(text.length - to);
  const line: Line = {
    find(pattern) {
      const match = pattern.exec(free);
      if (match === null || match[0] === '') return null;
      return { from: match.index, to: match.index + match[0].length, words: match[0], groups: match.groups ?? {} };
    },
    take(pattern) {
      const found = line.find(pattern);
      if (found !== null) line.claim(found);
      return found;
    },
    takeAll(pattern) {
      const all: Found[] = [];
      for (let found = line.take(pattern); found !== null; found = line.take(pattern)) all.push(found);
      return all;
    },
    claim(span) {
      free = free.slice(0, span.from) + blot.repeat(span.to - span.from) + free.slice(span.to);
    },
    free: () => free,
  };
  return line;
}

// Plain ranges: a pattern with Unicode's own classes takes twenty times as long to be made ready, and there are many.
export const letter = String.raw`[\w\u00C0-\u1FFF\u2C00-\uD7FF]`;

/** A pattern of whole words, in any case; a blank in it stands for one or more of them, a blank before `?` for any number. */
export const phrase = (source: string) => new RegExp(`(?<!${letter})(?:${spaced(source)})(?!${letter})`, 'i');

export const spaced = (source: string) => source.replaceAll(' ?', String.raw`\s*`).replaceAll(' ', String.raw`\s+`);

/** What a person wrote, in typographic quotes and with single blanks. */
export const quoted = (words: string) => `“${words.trim().replaceAll(/\s+/g, ' ')}”`;
