import { parseRecipient } from '#domain/recipients.ts';

/**
 * The recipients of one line: several when it is a list. Any other line is one recipient, because recipients have no
 * fixed format. A name next to an address without angle brackets is not used, because it could greet the wrong person.
 */
export function splitLine(line: string): string[] {
  if (line === '') return [];
  if (isOneUrl(line)) return [line];
  const words = line.split(/\s+/);
  if (words.length > 1 && words.every(isAddress)) return words;
  const pieces = withNamesInTwoParts(piecesOf(line));
  return pieces.length > 1 && pieces.some(isUsable) ? pieces : [line];
}

const isUsable = (piece: string) => parseRecipient(piece).kind !== 'other';
const isAddress = (word: string) => ['email', 'url'].includes(parseRecipient(word).kind) && !/[,;]/.test(word);

/** Commas and semicolons are part of a URL, except before another address. */
const isOneUrl = (line: string) => parseRecipient(line).kind === 'url' && !/[,;](?:https?:|[^\s/,;@]+@)/i.test(line);

/** Splits a line at commas and semicolons outside quotes and angle brackets. */
function piecesOf(line: string): string[] {
  const pieces: string[] = [];
  const closed = closingsIn(line);
  let from = 0;
  for (let at = 0; at <= line.length; at += 1) {
    const character = line[at];
    if (character === '"' || character === '<') at = closed(at);
    else if (at === line.length || character === ',' || character === ';' || character === '\t') {
      pieces.push(line.slice(from, at).trim());
      from = at + 1;
    }
  }
  return pieces.filter((piece) => piece !== '');
}

/**
 * Returns a function that finds the end of the quote or bracket at a position, or returns the position when it is
 * unclosed. An unclosed one ends the search for its kind, which keeps the time linear.
 */
function closingsIn(line: string): (at: number) => number {
  const neverClosed = new Set<string | undefined>();
  return (at) => {
    const opening = line[at];
    if (neverClosed.has(opening)) return at;
    const closed = opening === '<' ? line.indexOf('>', at) : quoteEnd(line, at);
    if (closed !== -1) return closed;
    neverClosed.add(opening);
    return at;
  };
}

function quoteEnd(line: string, from: number): number {
  for (let at = from + 1; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === '"') return at;
  }
  return -1;
}

/** Address books write one person as `Lee, Ann <ann@example.com>`. */
function withNamesInTwoParts(pieces: readonly string[]): string[] {
  const joined: string[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    const isRestOfName = parseRecipient(piece).name !== null && !piece.startsWith('"');
    if (before !== undefined && isRestOfName && /^[\p{L}\p{M}' .-]+$/u.test(before))
      joined[joined.length - 1] = `${before}, ${piece}`;
    else joined.push(piece);
  }
  return joined;
}
