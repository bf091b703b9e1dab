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

/**
 * From when on an offset holds; `wallMs` is what clocks show right before it, as milliseconds. A number, because each comparison of Temporal's objects
 * makes two more, with memory of their own that is not counted for the thread: to sort the list of a zone took 130 MB.
 */
type Onset = { wallMs: number; from: number; to: number };

/** The most steps that the rules and listed times of one zone may take for all times that are asked. */
const stepsOfZone = 200_000;

type Steps = { steps: number };

/** Throws OutOfSteps, from `offsetAt`, where its rules take too long. @param left the steps that are left to the file; they are taken away */
export function definedZone(component: ICAL.Component, left: Steps): DefinedZone {
  const components = [...component.getAllSubcomponents('standard'), ...component.getAllSubcomponents('daylight')];
  const budget = { steps: stepsOfZone };
  const ofYear = new Map<number, Onset[]>();
  const starts = components.flatMap((one) => startOf(one)?.onset ?? []).toSorted(inOrder);
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
      const wallMs = msOf(wall);
      const last = onsets.findLast((one) => newWallMs(one) <= wallMs);
      return last?.to ?? onsets[0]?.from ?? starts[0]?.from ?? 0;
    },
  };
}

/** One of the offsets of a zone: when it begins, by a start, a list, which is in order, and rules. */
type Observance = {
  start: Temporal.PlainDateTime;
  onset: Onset;
  listed: readonly number[];
  rules: readonly RecurrenceRule[];
};

function observanceOf(component: ICAL.Component, budget: Steps): Observance | null {
  const begin = startOf(component);
  if (begin === null) return null;
  const listed = component
    .getAllProperties('rdate')
    .flatMap((property) =>
      property.getValues().flatMap((value) => (value instanceof ICAL.Time ? [msOf(plain(value))] : [])),
    );
  spend(budget, listed.length);
  const rules = component.getAllProperties(ruleNames.rrule).flatMap((property) => {
    const parsed = parseRule(String(property.getFirstValue()));
    return 'problem' in parsed ? [] : [parsed.rule];
  });
  return { ...begin, listed: [begin.onset.wallMs, ...listed].toSorted(ascending), rules };
}

const ascending = (one: number, other: number) => one - other;
const inOrder = (one: Onset, other: Onset) => one.wallMs - other.wallMs;

/** A time that comes twice is the first; a time that is skipped has the offset from before, so that it lies after the change. */
const newWallMs = ({ wallMs, from, to }: Onset) => (to < from ? wallMs : wallMs + (to - from) * 1_000);

function startOf(observance: ICAL.Component): Pick<Observance, 'start' | 'onset'> | null {
  const start: unknown = observance.getFirstPropertyValue('dtstart');
  const [from, to] = ['tzoffsetfrom', 'tzoffsetto'].map((name) => {
    const value: unknown = observance.getFirstPropertyValue(name);
    return value instanceof ICAL.UtcOffset ? value.toSeconds() : null;
  });
  if (!(start instanceof ICAL.Time) || from == null || to == null) return null;
  const wall = plain(start);
  return { start: wall, onset: { wallMs: msOf(wall), from, to } };
}

const plain = ({ year, month, day, hour, minute, second }: ICAL.Time) =>
  Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });

/** A wall time as the milliseconds at which a clock in UTC shows it. */
function msOf({ year, month, day, hour, minute, second }: Temporal.PlainDateTime): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second);
}

/** The onsets within a span, and the last one before it. */
function onsetsOf(
  { start, onset, listed, rules }: Observance,
  { from, until, budget }: { from: Temporal.PlainDateTime; until: Temporal.PlainDateTime; budget: Steps },
): Onset[] {
  spend(budget, 1 + rules.length);
  const [fromMs, untilMs] = [msOf(from), msOf(until)];
  const first = firstNotBefore(listed, fromMs);
  const walls = listed.slice(Math.max(0, first - 1), firstNotBefore(listed, untilMs));
  for (const rule of rules) {
    const { until: end } = rule;
    const last = end === null ? null : end.kind === 'utc' ? end.wall.add({ seconds: onset.from }) : end.wall;
    const lastMs = last === null ? Number.POSITIVE_INFINITY : msOf(last);
    const search = { start, last: until, budget };
    // A rule that has ended leaves its last offset behind.
    const since = last !== null && lastMs < fromMs ? last : from;
    for (const wall of timesOfRule(rule, { ...search, from: since.subtract({ years: 2 }) })) {
      const wallMs = msOf(wall);
      if (wallMs > lastMs) break;
      walls.push(wallMs);
    }
  }
  spend(budget, walls.length);
  const sorted = walls.toSorted(ascending);
  const before = sorted.findLast((wallMs) => wallMs < fromMs);
  const within = sorted.filter((wallMs) => wallMs >= fromMs && wallMs <= untilMs);
  return [...(before === undefined ? [] : [before]), ...within].map((wallMs) => ({ ...onset, wallMs }));
}

/** The index of the first of `sorted` that is not before `wallMs`; its length when there is none. */
function firstNotBefore(sorted: readonly number[], wallMs: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = sorted[middle];
    if (one !== undefined && one < wallMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
