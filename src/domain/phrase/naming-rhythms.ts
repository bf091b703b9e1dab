import { type Line, lineOf, type Span } from './line.ts';
import type { Piece } from './pieces.ts';
import { scan } from './scan.ts';

const adjective = /^(?:hourly|daily|nightly|weekly|bi-?weekly|fortnightly|monthly|quarterly|yearly)$/i;
const named = /^ +(?<word>\p{Ll}{2,}|\p{Lu}[\p{L}]+)/u;
/** Words before more of a schedule, or before people and the message. */
const joining =
  /^(?:on|at|by|to|in|for|from|about|that|saying|until|till|through|starting|beginning|except|but|and|or|with|via|over|of|as|please|regarding|concerning|if|when|while|after|before|every|each|the|an?|my|our|me|us|him|her|them|everyone|everybody)$/i;

/** Where `weekly` names a thing, as in `post the weekly update every Friday`: what repeats is said elsewhere in the line. */
export function namingRhythms(line: Line, { timezone }: { timezone: string }): Span[] {
  const trial = lineOf(line.free());
  const rhythms = scan(trial, { timezone }).filter(({ kind }) => kind === 'rhythm' || kind === 'refused');
  const free = trial.free();
  const isNaming = (piece: Piece) => {
    const word = named.exec(free.slice(piece.to))?.groups?.word;
    return adjective.test(piece.words) && word !== undefined && !joining.test(word);
  };
  const naming = rhythms.filter(isNaming);
  const isSaidElsewhere = rhythms.some((piece) => piece.kind === 'rhythm' && !naming.includes(piece));
  return isSaidElsewhere ? naming.map(({ from, to }) => ({ from, to })) : [];
}

/** The words without those at the spans, in the same places. */
export const wordsWithout = <Words extends Span & { words: string }>(said: Words, spans: readonly Span[]): Words => {
  const isWithin = (at: number) => spans.some(({ from, to }) => at >= from && at < to);
  return {
    ...said,
    words: said.words.replaceAll(/[a-z]/gi, (char, at: number) => (isWithin(said.from + at) ? ' ' : char)),
  };
};
