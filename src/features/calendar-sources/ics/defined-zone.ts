import ICAL from 'ical.js';
import { parseRule } from '#domain/recurrence/parse-rule.ts';
import { timesOfRule } from '#domain/recurrence/rule-times.ts';
import { ruleNames } from './calendar-file.ts';

/** A zone with the rules that a file gives it (VTIMEZONE). */
export type DefinedZone = {
  /** The offset of a wall time from UTC, in seconds. Of a time that comes twice it is the first. */
  offsetAt: (wall: Temporal.PlainDateTime) => number;
};

/** From when on an offset holds; `wall` is what clocks show right before it. */
type Onset = { wall: Temporal.PlainDateTime; from: number; to: number };

/** The most steps that the rules of one zone may take for all times that are asked. */
const stepsOfZone = 200_000;

/** Throws OutOfSteps, from `offsetAt`, where its rules take too long. */
export function definedZone(component: ICAL.Component): DefinedZone {
  const observances = [...component.getAllSubcomponents('standard'), ...component.getAllSubcomponents('daylight')];
  const budget = { steps: stepsOfZone };
  const ofYear = new Map<number, Onset[]>();
  const starts = observances.flatMap((one) => startOf(one) ?? []).toSorted(inOrder);
  return {
    offsetAt(wall) {
      let onsets = ofYear.get(wall.year);
      if (onsets === undefined) {
        const span = {
          from: wall.with({ month: 1, day: 1 }),
          until: wall.with({ month: 12, day: 31 }).add({ days: 1 }),
        };
        onsets = observances.flatMap((one) => onsetsOf(one, { ...span, budget })).toSorted(inOrder);
        ofYear.set(wall.year, onsets);
      }
      const last = onsets.findLast((one) => Temporal.PlainDateTime.compare(newWall(one), wall) <= 0);
      return last?.to ?? onsets[0]?.from ?? starts[0]?.from ?? 0;
    },
  };
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
  observance: ICAL.Component,
  { from, until, budget }: { from: Temporal.PlainDateTime; until: Temporal.PlainDateTime; budget: { steps: number } },
): Onset[] {
  const start = startOf(observance);
  if (start === null) return [];
  const walls = [start.wall];
  for (const property of observance.getAllProperties('rdate'))
    for (const value of property.getValues()) if (value instanceof ICAL.Time) walls.push(plain(value));
  for (const property of observance.getAllProperties(ruleNames.rrule)) {
    const parsed = parseRule(String(property.getFirstValue()));
    if ('problem' in parsed) continue;
    const { until: end } = parsed.rule;
    const last = end === null ? null : end.kind === 'utc' ? end.wall.add({ seconds: start.from }) : end.wall;
    const search = { start: start.wall, last: until, budget };
    // A rule that has ended leaves its last offset behind.
    const since = last !== null && Temporal.PlainDateTime.compare(last, from) < 0 ? last : from;
    for (const wall of timesOfRule(parsed.rule, { ...search, from: since.subtract({ years: 2 }) })) {
      if (last !== null && Temporal.PlainDateTime.compare(wall, last) > 0) break;
      walls.push(wall);
    }
  }
  const isEarly = (wall: Temporal.PlainDateTime) => Temporal.PlainDateTime.compare(wall, from) < 0;
  const sorted = walls.toSorted(Temporal.PlainDateTime.compare);
  const before = sorted.findLast(isEarly);
  const within = sorted.filter((wall) => !isEarly(wall) && Temporal.PlainDateTime.compare(wall, until) <= 0);
  return [...(before === undefined ? [] : [before]), ...within].map((wall) => ({ ...start, wall }));
}
