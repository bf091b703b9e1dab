import { blot, type Line, type Span } from './line.ts';

const fillers = new Set(
  `a an the and or please pls can could would you i want need to be by on at in of for with via it this that just also then so
  send sends sending write create make set schedule add up new remind reminder reminders message messages notification
  notifications note alert them him her me my our us immediately now away once tell notify inform let know get go out goes should shall will as is
  time every each when post call`.split(/\s+/),
);

/** The words that no parser took, in runs, without function words. */
export function leftOverOf(
  text: string,
  line: Line,
  isKept: (word: string) => boolean = isSaying,
): (Span & { words: string })[] {
  const free = line.free();
  const runs = free.matchAll(new RegExp(`[^${blot}]+`, 'gu'));
  return [...runs].flatMap((run) => {
    const found = [...run[0].matchAll(/[^\s,.;:!?()"“”]+/gu)];
    if (!found.some(([word]) => isSaying(word))) return [];
    const first = found.findIndex(([word]) => isKept(word));
    const last = found.findLastIndex(([word]) => isKept(word));
    const [start, end] = [found[first], found[last]];
    if (start === undefined || end === undefined) return [];
    const from = run.index + start.index;
    const to = run.index + end.index + end[0].length;
    return [{ from, to, words: text.slice(from, to) }];
  });
}

// Function words at the edge of a message; they are not part of it.
const edges = new Set(
  'and please pls to at on by in of for with via also then so set create reminder reminders: - the a an'.split(' '),
);

/** The same runs with all their words: `call the dentist` would otherwise keep only the last. */
export const wholeRunsOf = (text: string, line: Line) =>
  leftOverOf(text, line, (word) => !edges.has(word.toLowerCase()));

/** Words that may express a time or a negation. */
const timely =
  /\b(?:minutes?|mins?|hours?|days?|weeks?|months?|years?|quarters?|weekdays?|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|morning|afternoon|evening|night|noon|until|till|before|after|between|except|excluding|unless|not|never|don['’]t|do not|yesterday|times)\b/i;

export const maySayWhen = (words: string) => timely.test(words) || /\bMay\b/.test(words);

const isSaying = (word: string) => /[\p{L}\p{N}{}]/u.test(word) && !fillers.has(word.toLowerCase());
