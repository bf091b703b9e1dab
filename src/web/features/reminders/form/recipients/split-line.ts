import { parseRecipient } from '#domain/recipients.ts';

/**
 * The recipients of one line: several where it lists several. A line that lists nobody is one recipient, whatever it says:
 * the form of recipients is not checked.
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

/** Commas and semicolons belong to it, but for those before another address. */
const isOneUrl = (line: string) => parseRecipient(line).kind === 'url' && !/[,;](?:https?:|[^\s/]+@)/i.test(line);

/** What stands between commas and semicolons outside of quotes and angle brackets. */
function piecesOf(line: string): string[] {
  const pieces = line.match(/(?:"(?:[^"\\]|\\.)*"|<[^>]*>|[^,;\t])+/g) ?? [];
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

/** `Lee, Ann <ann@example.com>` is one person, as address books write them. */
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
