import ICAL from 'ical.js';
import { parseRule } from '#domain/recurrence/parse-rule.ts';
import type { RecurrenceRule } from '#domain/recurrence/rule.ts';
import { spend, timesOfRule } from '#domain/recurrence/rule-times.ts';
import { ruleNames } from './calendar-file.ts';

/** A zone with the rules that a file gives it (VTIMEZONE). */
export type DefinedZone = {
  /** The offset of a wall time from UTC, in seconds. Of a time that comes twice it is the first. */
  offsetAt: (wall: Temporal.PlainDateTime) => number;
};

/** From when on an offset holds; `wall` is what clocks show right before it. */
type Onset = { wall: Temporal.PlainDateTime; from: number; to: number };

/** The most steps that the rules and listed times of one zone may take for all times that are asked. */
const stepsOfZone = 200_000;

type Steps = { steps: number };

/** Throws OutOfSteps, from `offsetAt`, where its rules take too long. @param left the steps that are left to the file; they are taken away */
export function definedZone(component: ICAL.Component, left: Steps): DefinedZone {
  const components = [...component.getAllSubcomponents('standard'), ...component.getAllSubcomponents('daylight')];
  const budget = { steps: stepsOfZone };
  const ofYear = new Map<number, Onset[]>();
  const starts = components.flatMap((one) => startOf(one) ?? []).toSorted(inOrder);
  let observances: Observance[] | undefined;
  function readYear(year: number): Onset[] {
    const steps = (budget.steps = Math.min(budget.steps, left.steps));
    try {
      // First, so that one without steps reads nothing again.
      spend(budget, 1);
      observances ??= components.flatMap((one) => observanceOf(one, budget) ?? []);
      const from = Temporal.PlainDateTime.from({ year, month: 1, day: 1 });
      const span = { from, until: from.add({ years: 1 }), budget };
      return observances.flatMap((one) => onsetsOf(one, span)).toSorted(inOrder);
    } finally {
      left.steps -= steps - Math.max(0, budget.steps);
    }
  }
  return {
    offsetAt(wall) {
      let onsets = ofYear.get(wall.year);
      if (onsets === undefined) ofYear.set(wall.year, (onsets = readYear(wall.year)));
      const last = onsets.findLast((one) => Temporal.PlainDateTime.compare(newWall(one), wall) <= 0);
      return last?.to ?? onsets[0]?.from ?? starts[0]?.from ?? 0;
    },
  };
}

/** One of the offsets of a zone: when it begins, by a start, a list, which is in order, and rules. */
type Observance = { start: Onset; listed: readonly Temporal.PlainDateTime[]; rules: readonly RecurrenceRule[] };

function observanceOf(component: ICAL.Component, budget: Steps): Observance | null {
  const start = startOf(component);
  if (start === null) return null;
  const listed = component
    .getAllProperties('rdate')
    .flatMap((property) => property.getValues().flatMap((value) => (value instanceof ICAL.Time ? [plain(value)] : [])));
  spend(budget, listed.length);
  const rules = component.getAllProperties(ruleNames.rrule).flatMap((property) => {
    const parsed = parseRule(String(property.getFirstValue()));
    return 'problem' in parsed ? [] : [parsed.rule];
  });
  return { start, listed: [start.wall, ...listed].toSorted(Temporal.PlainDateTime.compare), rules };
}

const inOrder = (one: Onset, other: Onset) => Temporal.PlainDateTime.compare(one.wall, other.wall);

/** A time that comes twice is the first; a time that is skipped has the offset from before, so that it lies after the change. */
const newWall = ({ wall, from, to }: Onset) => (to < from ? wall : wall.add({ seconds: to - from }));

function startOf(observance: ICAL.Component): Onset | null {
  const start: unknown = observance.getFirstPropertyValue('dtstart');
  const [from, to] = ['tzoffsetfrom', 'tzoffsetto'].map((name) => {
    const value: unknown = observance.getFirstPropertyValue(name);
    return value instanceof ICAL.UtcOffset ? value.toSeconds() : null;
  });
  if (!(start instanceof ICAL.Time) || from == null || to == null) return null;
  return { wall: plain(start), from, to };
}

const plain = ({ year, month, day, hour, minute, second }: ICAL.Time) =>
  Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });

/** The onsets within a span, and the last one before it. */
function onsetsOf(
  { start, listed, rules }: Observance,
  { from, until, budget }: { from: Temporal.PlainDateTime; until: Temporal.PlainDateTime; budget: Steps },
): Onset[] {
  spend(budget, 1 + rules.length);
  const first = firstNotBefore(listed, from);
  const walls = listed.slice(Math.max(0, first - 1), firstNotBefore(listed, until));
  for (const rule of rules) {
    const { until: end } = rule;
    const last = end === null ? null : end.kind === 'utc' ? end.wall.add({ seconds: start.from }) : end.wall;
    const search = { start: start.wall, last: until, budget };
    // A rule that has ended leaves its last offset behind.
    const since = last !== null && Temporal.PlainDateTime.compare(last, from) < 0 ? last : from;
    for (const wall of timesOfRule(rule, { ...search, from: since.subtract({ years: 2 }) })) {
      if (last !== null && Temporal.PlainDateTime.compare(wall, last) > 0) break;
      walls.push(wall);
    }
  }
  spend(budget, walls.length);
  const isEarly = (wall: Temporal.PlainDateTime) => Temporal.PlainDateTime.compare(wall, from) < 0;
  const sorted = walls.toSorted(Temporal.PlainDateTime.compare);
  const before = sorted.findLast(isEarly);
  const within = sorted.filter((wall) => !isEarly(wall) && Temporal.PlainDateTime.compare(wall, until) <= 0);
  return [...(before === undefined ? [] : [before]), ...within].map((wall) => ({ ...start, wall }));
}

/** The index of the first of `sorted` that is not before `wall`; its length when there is none. */
function firstNotBefore(sorted: readonly Temporal.PlainDateTime[], wall: Temporal.PlainDateTime): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = sorted[middle];
    if (one !== undefined && Temporal.PlainDateTime.compare(one, wall) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
