import { type Line, phrase, type Remark, type Span } from './line.ts';
import type { HourWindow, Rhythm, SaidRhythm } from './rhythm.ts';
import { rhythmPatterns } from './rhythm-patterns.ts';

export type Rhythms = { found: (Span & { words: string; said: SaidRhythm })[]; window: HourWindow | null };

const hourWindow = phrase(
  String.raw`(?:between|from) (?<from>\d{1,2})(?::00)?\s?(?<fromHalf>[ap]m)? (?:and|to|until|till) (?<to>\d{1,2})(?::00)?\s?(?<toHalf>[ap]m)?(?:\s?o['’]clock)?`,
);

/** All repetitions in a line, in the order of the text. */
export function takeRhythms(line: Line): Rhythms {
  const found = rhythmPatterns.flatMap(({ pattern, read }) =>
    line.takeAll(pattern).map(({ from, to, words, groups }) => ({ from, to, words, said: read(groups, words) })),
  );
  return { found: found.sort((one, other) => one.from - other.from), window: takeWindow(line) };
}

function takeWindow(line: Line): HourWindow | null {
  const found = line.find(hourWindow);
  if (found === null) return null;
  const fromHour = hourOf(found.groups.from, found.groups.fromHalf);
  const toHour = hourOf(found.groups.to, found.groups.toHalf);
  if (fromHour === null || toHour === null || fromHour >= toHour) return null;
  line.takeSpan(found);
  return { from: found.from, to: found.to, fromHour, toHour };
}

function hourOf(text: string | undefined, half: string | undefined): number | null {
  const hour = Number(text);
  if (half === undefined) return hour > 23 ? null : hour;
  return hour < 1 || hour > 12 ? null : (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

/** The one rhythm of a line. "Every 15 minutes" and "on weekdays" combine; other pairs do not. */
export function onlyRhythm({ found }: Rhythms): {
  rhythm: Rhythm | null;
  hour: number | null;
  problems: Remark[];
  /** The rhythms that do not combine with it. */
  others: Rhythms['found'];
} {
  const problems: Remark[] = [];
  const others: Rhythms['found'] = [];
  let rhythm: Rhythm | null = null;
  let hour: number | null = null;
  for (const one of found) {
    const { from, to, said } = one;
    if ('problem' in said) {
      problems.push({ from, to, text: said.problem });
      continue;
    }
    const joined: Rhythm | null = rhythm === null ? said.rhythm : joinedWith(rhythm, said.rhythm);
    if (joined === null) others.push(one);
    rhythm = joined ?? rhythm;
    hour ??= said.hour;
  }
  return { rhythm, hour, problems, others };
}

function joinedWith(one: Rhythm, other: Rhythm): Rhythm | null {
  const [fast, days] = isFast(one) ? [one, other] : [other, one];
  if (isFast(fast) && days.kind === 'weekdays') return { ...fast, weekdays: days.days };
  if (isFast(fast) && days.kind === 'daily') return fast;
  if (one.kind === 'daily' && other.kind === 'weekdays') return other;
  if (one.kind === 'weekdays' && other.kind === 'daily') return one;
  if (one.kind === 'weekly' && other.kind === 'weekdays') return other;
  return null;
}

const isFast = (rhythm: Rhythm): rhythm is Extract<Rhythm, { kind: 'minutes' | 'hours' }> =>
  rhythm.kind === 'minutes' || rhythm.kind === 'hours';
