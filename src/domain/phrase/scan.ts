import { boundRecognisers } from './bounds.ts';
import { dateRecognisers } from './dates.ts';
import { eventRecognisers } from './events.ts';
import type { Line, Span } from './line.ts';
import type { Piece, Recogniser } from './pieces.ts';
import { refusedRecognisers } from './refused.ts';
import { rhythmRecognisers } from './rhythm-patterns.ts';
import { timeRecognisers } from './times.ts';
import { zoneRecognisers } from './zones.ts';

// All recognisers. When two match the same words, the first counts.
const recognisers: readonly Recogniser[] = [
  ...eventRecognisers,
  ...refusedRecognisers,
  ...rhythmRecognisers,
  ...boundRecognisers,
  ...dateRecognisers,
  ...timeRecognisers,
  ...zoneRecognisers,
];

const wordStart = /(?<=^|[\s,;()\u{E000}])[^\s,;()\u{E000}]/gu;

type ScanOptions = {
  timezone: string;
  /** Words that are none about time here. */
  except?: readonly Span[];
};

/**
 * Takes everything that a line says about time, from left to right. At each word the longest match counts: `first and
 * third Monday` is never read as its last two words.
 */
export function scan(line: Line, { timezone, except = [] }: ScanOptions): Piece[] {
  const pieces: Piece[] = [];
  const text = line.free();
  let end = 0;
  for (const { index } of text.matchAll(wordStart)) {
    if (index < end || except.some(({ from }) => from === index)) continue;
    const piece = longestAt(text, index, { pieces, timezone });
    if (piece === null) continue;
    pieces.push(piece);
    line.takeSpan(piece);
    end = piece.to;
  }
  return pieces;
}

/** Whether words about time begin at a position. */
export const saysTimeAt = (text: string, index: number) =>
  longestAt(text, index, { pieces: [], timezone: 'UTC' }) !== null;

function longestAt(
  text: string,
  index: number,
  { pieces, timezone }: { pieces: readonly Piece[]; timezone: string },
): Piece | null {
  const last = pieces.at(-1) ?? null;
  const previous = last !== null && /^[\s,]*$/.test(text.slice(last.to, index)) ? last : null;
  let longest: Piece | null = null;
  for (const { pattern, read } of recognisers) {
    pattern.lastIndex = index;
    const match = pattern.exec(text);
    if (match === null || match[0].length <= (longest?.words.length ?? 0)) continue;
    const to = index + match[0].length;
    const found = { from: index, to, words: match[0], groups: match.groups ?? {} };
    const reading = read(found, { previous, after: text.slice(to, to + 40), timezone });
    if (reading !== null) longest = { ...reading, from: index, to, words: match[0] };
  }
  return longest;
}
