import { blot, type Line, quoted, type Remark, type Span } from './line.ts';
import { isOneEditFrom, mayBeOn, mayBeTime, nearMiss } from './near-miss.ts';
import { cityWords } from './zones.ts';

// Words without a meaning of their own, which cannot change when something is sent.
const fillers = new Set(
  `a an the and please pls can could would you i want need to be by on at in of for with via it this that just also then so
  send sends sending write create make set schedule add up new remind reminder reminders message messages notification
  notifications note alert them him her me my our us tell notify inform let know get go out goes should shall will as
  is post call only say`.split(/\s+/),
);
/** Words that have a meaning only with what follows. Where that was understood, they were taken with it. */
const dangling = new Set('at on in by of for'.split(' '));

/** The words that nothing has taken, in runs, without fillers at their edges. */
export function leftOverOf(
  text: string,
  line: Line,
  isKept: (word: string) => boolean = isSaying,
): (Span & { words: string })[] {
  return runsOf(line).flatMap(({ index, words: found }) => {
    if (!found.some(({ word }) => isSaying(word))) return [];
    const first = found.findIndex(({ word }) => isKept(word));
    const last = found.findLastIndex(({ word }) => isKept(word));
    const [start, end] = [found[first], found[last]];
    if (start === undefined || end === undefined) return [];
    const from = index + start.at;
    const to = index + end.at + end.word.length;
    return [{ from, to, words: text.slice(from, to) }];
  });
}

const runsOf = (line: Line) =>
  [...line.free().matchAll(new RegExp(`[^${blot}]+`, 'gu'))].map((run) => ({
    index: run.index,
    isAtEnd: run.index + run[0].length === line.free().length,
    words: [...run[0].matchAll(/[^\s,.;:!?()"“”]+/gu)].map(({ index, 0: word }) => ({ at: index, word })),
  }));

/** Words such as `every Monday at`, after which more is about to be typed. */
export const danglingOf = (line: Line): (Span & { words: string })[] =>
  runsOf(line).flatMap(({ index, isAtEnd, words }) => {
    const last = words.at(-1);
    if (!isAtEnd || last === undefined || !dangling.has(last.word.toLowerCase())) return [];
    return [{ from: index + last.at, to: index + last.at + last.word.length, words: last.word }];
  });

// Function words at the edge of a message; they are not part of it.
const edges = new Set(
  'and please pls to at on by in of for with via also then so set create reminder reminders: - the a an'.split(' '),
);

/** The same runs with all their words: `call the dentist` would otherwise keep only the last. */
export const wholeRunsOf = (text: string, line: Line) =>
  leftOverOf(text, line, (word) => !edges.has(word.toLowerCase()));

const isSaying = (word: string) => /[\p{L}\p{N}{}]/u.test(word) && !fillers.has(word.toLowerCase());

/** Words that speak of time, or of what is left out. */
const timely =
  /^(?:every|each|when|whenever|once|twice|thrice|while|during|within|about|around|approximately|roughly|minutes?|mins?|hours?|hrs|days?|weeks?|months?|years?|quarters?|weekdays?|weekends?|fortnights?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|mornings?|afternoons?|evenings?|nights?|noon|midnight|midday|lunch|lunchtime|dusk|sunrise|sunset|tonight|today|tomorrow|yesterday|now|later|soon|early|late|asap|eod|cob|eow|eom|eoy|end|start|begin|beginning|starting|until|till?|through|before|after|since|between|from|but|except|excluding|unless|not|never|don['’]t|without|other|alternate|alternating|or|than|either|times?|next|last|this|coming|previous|past|half|quarter|couple|few|several|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|business|working|holidays?|christmas|xmas|easter|thanksgiving|halloween|ramadan|o['’]clock|hourly|daily|nightly|weekly|biweekly|fortnightly|monthly|quarterly|yearly|annually|regularly|repeatedly|sometimes|always|again|anniversary|birthday|ish)$/i;

// How many characters from the end a word about time may be part of a schedule that was cut in two.
const nearEnd = 4;

/** The words about time at the end of a message, before others that follow it; null when there are none. */
export function timelyEndOf(words: string): string | null {
  const last = wordsIn(words).slice(-nearEnd);
  const start = last.find(
    ({ word }, at) =>
      timely.test(word) ||
      (/\d/.test(word) && (/^at$/i.test(last[at - 1]?.word ?? '') || !isCount(word, last[at + 1]?.word))),
  );
  return start === undefined ? null : words.slice(start.at).trim();
}

/** `2 pills` */
const isCount = (word: string, next: string | undefined) =>
  /^\d{1,3}$/.test(word) && next !== undefined && /^\p{Ll}{3}/u.test(next);

type Words = Span & { words: string };

/** Where words stand next to understood words about time: there even a short one may be a misspelling. */
type BesideTime = 'everywhere' | 'at the end' | 'at both ends' | 'nowhere';

/** Why words may speak of time although they were not understood; null when they do not. */
export function timelyRemark(
  { from, to, words }: Words,
  { beside, advice = 'use other words' }: { beside: BesideTime; advice?: string },
): Remark | null {
  const misspelled = misspellingIn({ from, to, words }, beside);
  if (misspelled !== null) return didYouMean(misspelled);
  const maySayWhen = wordsIn(words).some(({ word }) => timely.test(word) || word === 'May' || /\d/.test(word));
  return maySayWhen ? { from, to, text: `${quoted(words)} may give a time, but is not understood: ${advice}` } : null;
}

/** A word that misspells one about time, and which one. */
type Misspelling = Words & { meant: string };

export const didYouMean = ({ from, to, words, meant }: Misspelling): Remark => ({
  from,
  to,
  text: `${quoted(words)} is not understood: did you mean ${quoted(meant)}?`,
});

/** `Monday to`, before `Friday`. */
const joins = /^(?:to|and|or|through|till|until)$/i;

/** Whether a word ends the name of a place that has a zone, or is such a word with a letter wrong. */
const mayEndCity = (name: string) =>
  /\p{Lu}/u.test(name) &&
  (cityWords().has(name.toLowerCase()) ||
    (name.length > 3 && [...cityWords()].some((one) => isOneEditFrom(name, one))));

/** The first misspelled word about time. */
export function misspellingIn({ from, words }: Words, beside: BesideTime): Misspelling | null {
  const all = wordsIn(words);
  for (const [index, { at, word }] of all.entries()) {
    const isLast = index === all.length - 1;
    const isBesideTime =
      beside === 'everywhere' || (isLast && beside !== 'nowhere') || (index === 0 && beside === 'at both ends');
    const next = index === all.length - 2 && beside !== 'nowhere' ? (all[index + 1]?.word ?? '') : '';
    // `Berlin tie ton the 1st`, where two words are misspelled, and `Belin tim, pay the rent`.
    const mayFollowCity = isBesideTime || mayBeOn(next) || (beside === 'at both ends' && index < 4);
    const city = mayFollowCity ? (all[index - 1]?.word ?? '') : '';
    const meant = timely.test(word)
      ? null
      : mayBeTime(word) && mayEndCity(city)
        ? 'time'
        : nearMiss(word, { isBesideTime: isBesideTime || joins.test(next) });
    if (meant === null) continue;
    return { from: from + at, to: from + at + word.length, words: word, meant };
  }
  return null;
}

const wordsIn = (words: string) =>
  [...words.matchAll(/[^\s,.;:!?()"“”/&–-]+/gu)].map(({ index, 0: word }) => ({ at: index, word }));
