import { quoted, type Remark, type Span } from './line.ts';
import type { Piece } from './pieces.ts';
import { isFast, type Rhythm } from './rhythm.ts';

/** Joins two rhythms, such as `every 15 minutes` and `on weekdays`. Null when they do not go together. */
export function withJoined(one: Rhythm, other: Rhythm): Rhythm | null {
  const [fast, days] = isFast(one) ? [one, other] : [other, one];
  if (isFast(fast) && fast.weekdays === null && days.kind === 'weekdays') return { ...fast, weekdays: days.days };
  if (isFast(fast) && days.kind === 'daily') return fast;
  if (one.kind === 'weekly' && other.kind === 'weekdays') return other;
  return one.kind === 'weekdays' && other.kind === 'weekly' ? one : null;
}

type SaidRhythm = Span & { words: string; said: Rhythm };
type Limit = Extract<Piece, { kind: 'except' | 'months' }>;

/** The rhythm without what `but Friday` and `in June` leave out. */
export function withLimits(
  rhythm: SaidRhythm | null,
  { limits, problems }: { limits: readonly Limit[]; problems: Remark[] },
): SaidRhythm | null {
  let limited = rhythm;
  for (const limit of limits) {
    const { from, to } = limit;
    const said = limited === null ? null : withLimit(limited.said, limit);
    if (said === null) problems.push({ from, to, text: refusalOf(limit, limited) });
    else if (limited !== null) limited = { ...limited, to: Math.max(limited.to, to), said };
  }
  return limited;
}

const refusalOf = ({ kind, words }: Limit, rhythm: SaidRhythm | null) =>
  kind === 'months' && rhythm === null
    ? `${quoted(words)} needs a day, such as “every Monday in March” or “on 1 March”`
    : `${quoted(words)} does not go together with ${rhythm === null ? 'a single day' : quoted(rhythm.words)}`;

const wholeWeek = [1, 2, 3, 4, 5, 6, 7];
const wholeYear = Array.from({ length: 12 }, (_, at) => at + 1);

function withLimit(rhythm: Rhythm, limit: Limit): Rhythm | null {
  if (limit.kind === 'months') return withMonths(rhythm, limit.months);
  if (limit.months.length > 0) return withMonths(rhythm, without(wholeYear, limit.months));
  const days = daysOf(rhythm);
  const left = days === null ? [] : without(days, limit.weekdays);
  // Each excluded day must be one of the rhythm's, otherwise something else was meant.
  if (days === null || left.length === 0 || left.length + limit.weekdays.length !== days.length) return null;
  if (rhythm.kind === 'weekdays') return { ...rhythm, days: left };
  return isFast(rhythm)
    ? { ...rhythm, weekdays: left }
    : { kind: 'weekdays', days: left, months: 'months' in rhythm ? rhythm.months : null };
}

/** The weekdays of a rhythm; null for one that does not use weekdays. */
function daysOf(rhythm: Rhythm): number[] | null {
  if (rhythm.kind === 'weekdays') return rhythm.days;
  if (rhythm.kind === 'daily') return wholeWeek;
  return isFast(rhythm) ? (rhythm.weekdays ?? wholeWeek) : null;
}

function withMonths(rhythm: Rhythm, months: number[]): Rhythm | null {
  if (rhythm.kind === 'monthly') return { kind: 'days', days: [1], months };
  return 'months' in rhythm && rhythm.months === null ? { ...rhythm, months } : null;
}

const without = (all: readonly number[], some: readonly number[]) => all.filter((one) => !some.includes(one));
