import type ICAL from 'ical.js';
import { calendarSourceLimits } from '#contract/calendar-sources.ts';
import { parseRule } from '#domain/recurrence/parse-rule.ts';
import { hasManyADay, ofWholeDays, type RecurrenceRule } from '#domain/recurrence/rule.ts';
import { OutOfSteps, timesOfRule } from '#domain/recurrence/rule-times.ts';
import { calendarsIn, ruleNames } from './calendar-file.ts';
import { definedZone, type DefinedZone } from './defined-zone.ts';
import type { LeftOutCount } from './left-out.ts';
import { instantOf, type Moment, momentsOf, type Reading } from './moments.ts';

/** One occurrence of an event. `recurrence` identifies it within the event, even after it has moved. */
export type Occurrence = EventText & {
  uid: string;
  recurrence: string;
  start: Temporal.Instant;
  isAllDay: boolean;
};

type EventText = { title: string; location: string; description: string };

type Window = { from: Temporal.Instant; until: Temporal.Instant };
/** What is left for the rules of a file: steps of the search, and times that are kept. */
type Left = { steps: number; times: number };
type Expansion = { reading: Reading; window: Window; leftOut: LeftOutCount; left: Left };

/**
 * The most steps and times of recurrence rules for one event and for a file. A step takes less than a microsecond: a file's take two seconds at most,
 * of the eight that its thread has. An hourly event has some 10,000 times in 400 days.
 */
const mostOfEvent: Left = { steps: 200_000, times: 10_000 };
const mostOfFile: Left = { steps: 2_000_000, times: 100_000 };

const tooOften = 'It repeats too often, or has for too long';

/** Every time within the window of every event of a file (RFC 5545), with its changed and cancelled times applied. */
export function occurrencesIn(
  text: string,
  { reading, window, leftOut }: { reading: Omit<Reading, 'zones'>; window: Window; leftOut: LeftOutCount },
): Occurrence[] {
  const left = { ...mostOfFile };
  return calendarsIn(text).flatMap(({ calendar, events, broken }) => {
    const expansion = { reading: { ...reading, zones: zonesOf(calendar, left) }, window, leftOut, left };
    for (const { title } of broken) leftOut.add('Its lines cannot be read', { title });
    if (/^cancel$/i.test(textOf(calendar, { name: 'method', most: 20 }))) return [];
    return [...Map.groupBy(events, uidOf)].flatMap(([uid, versions]) => {
      try {
        return occurrencesOf(uid, { versions, expansion });
      } catch (error) {
        const reason = error instanceof Unreadable ? error.message : 'Its times cannot be read';
        leftOut.add(error instanceof OutOfSteps ? tooOften : reason, titleOf(versions));
        return [];
      }
    });
  });
}

/** Thrown for an event that is left out; the message says why. */
class Unreadable extends Error {}

const zonesOf = (calendar: ICAL.Component, left: Left): ReadonlyMap<string, DefinedZone> =>
  new Map(
    calendar
      .getAllSubcomponents('vtimezone')
      .map((zone) => [textOf(zone, { name: 'tzid', most: 200 }), definedZone(zone, left)]),
  );

function occurrencesOf(
  uid: string,
  { versions, expansion }: { versions: readonly ICAL.Component[]; expansion: Expansion },
): Occurrence[] {
  const { window, leftOut, reading } = expansion;
  const isChange = (event: ICAL.Component) => event.hasProperty('recurrence-id');
  const master = newest(versions.filter((event) => !isChange(event)));
  const changes = changesIn(versions.filter(isChange), reading);
  const found: Occurrence[] = [];
  let times: Times = { keyOf: keyOfDay, starts: [] };
  if (master !== undefined) {
    if (isCancelled(master)) return leaveOut(expansion, { reason: cancelled, events: [master] });
    const start = momentsIn(master, { name: 'dtstart', reading })[0];
    if (start === undefined) return leaveOut(expansion, { reason: 'It has no start', events: [master] });
    times = timesOf(master, { start, expansion });
    const excluded = exclusionsOf(master, reading);
    const words = wordsOf(master);
    const changeBefore = changesOfFollowing(changes);
    for (const { moment, at } of times.starts) {
      if (excluded.size > 0 && (excluded.has(at.epochMilliseconds) || excluded.has(keyOfDay(moment)))) continue;
      if (changes.has(at.epochMilliseconds)) continue;
      const changed = changeBefore(at);
      if (changed !== null && isCancelled(changed.event)) continue;
      const startsAt = changed === null ? at : instantOf({ ...moment, wall: moment.wall.add(changed.shift) });
      const of = { uid, recurrence: times.keyOf(moment), isAllDay: start.isAllDay };
      found.push({ ...of, ...(changed === null ? words : wordsOf(changed.event)), start: startsAt });
    }
    // A time that is both changed and excluded is excluded.
    for (const [at, { was }] of changes)
      if (excluded.has(at) || excluded.has(was.wall.toPlainDate().toString())) changes.delete(at);
  }
  for (const { event, was, now } of changes.values()) {
    if (now === undefined || isCancelled(event)) {
      if (isWithin(instantOf(now ?? was), window)) leftOut.add(cancelled, titleOf([event]));
      continue;
    }
    const of = { uid, recurrence: times.keyOf(was), isAllDay: now.isAllDay };
    found.push({ ...of, ...wordsOf(event), start: instantOf(now) });
  }
  const within = found.filter(({ start }) => isWithin(start, window));
  if (within.length === 0 && master !== undefined && changes.size === 0) explain(found, { master, expansion });
  return within;
}

function explain(
  found: readonly Occurrence[],
  { master, expansion }: { master: ICAL.Component; expansion: Expansion },
): void {
  const isLater = found.some(({ start }) => Temporal.Instant.compare(start, expansion.window.until) > 0);
  leaveOut(expansion, {
    reason: isLater ? `It is more than ${calendarSourceLimits.days} days ahead` : 'It is over',
    events: [master],
  });
}

const cancelled = 'It is cancelled';

function leaveOut({ leftOut }: Expansion, { reason, events }: { reason: string; events: readonly ICAL.Component[] }) {
  leftOut.add(reason, titleOf(events));
  return [];
}

const isWithin = (at: Temporal.Instant, { from, until }: Window) =>
  Temporal.Instant.compare(at, from) >= 0 && Temporal.Instant.compare(at, until) <= 0;

/** The latest edit among several versions of one event. */
const newest = (masters: readonly ICAL.Component[]) =>
  masters.reduce<ICAL.Component | undefined>(
    (best, event) => (best === undefined || sequenceOf(event) >= sequenceOf(best) ? event : best),
    undefined,
  );

const sequenceOf = (event: ICAL.Component) => Number(event.getFirstPropertyValue('sequence') ?? 0) || 0;

type Change = { event: ICAL.Component; was: Moment; now: Moment | undefined; isOfFollowing: boolean };

/** Occurrences that were changed alone, or with all that follow (RECURRENCE-ID), by their original time. */
function changesIn(events: readonly ICAL.Component[], reading: Reading): Map<number, Change> {
  const changes = new Map<number, Change>();
  for (const event of events) {
    const property = event.getFirstProperty('recurrence-id');
    const was = property === null ? undefined : momentsOf(property, reading)[0];
    if (was === undefined) continue;
    const at = instantOf(was).epochMilliseconds;
    const known = changes.get(at);
    if (known !== undefined && sequenceOf(known.event) > sequenceOf(event)) continue;
    const [now] = momentsIn(event, { name: 'dtstart', reading });
    const range = property?.getFirstParameter('range');
    changes.set(at, { event, was, now, isOfFollowing: typeof range === 'string' && /^thisandfuture$/i.test(range) });
  }
  return changes;
}

type Shift = { event: ICAL.Component; shift: Temporal.Duration };

/** Of times that are asked in order: the last change of an occurrence and all that follow before each, and by how much it moves them. */
function changesOfFollowing(changes: ReadonlyMap<number, Change>): (at: Temporal.Instant) => Shift | null {
  const following = [...changes]
    .filter(([, { isOfFollowing }]) => isOfFollowing)
    .toSorted(([one], [other]) => one - other);
  let next = 0;
  return (at) => {
    while ((following[next]?.[0] ?? Number.POSITIVE_INFINITY) < at.epochMilliseconds) next += 1;
    const [, change] = following[next - 1] ?? [];
    if (change === undefined) return null;
    const { event, was, now } = change;
    return { event, shift: now === undefined ? new Temporal.Duration() : was.wall.until(now.wall) };
  };
}

type Times = { keyOf: (moment: Moment) => string; starts: { moment: Moment; at: Temporal.Instant }[] };

const keyOfDay = ({ wall }: Moment) => wall.toPlainDate().toString();

/** The start, the times by rules and the added dates, in order: those within the window, and the first of all. */
function timesOf(event: ICAL.Component, { start, expansion }: { start: Moment; expansion: Expansion }): Times {
  const { reading, window } = expansion;
  const budget = { steps: Math.min(mostOfEvent.steps, expansion.left.steps) };
  const times = { left: Math.min(mostOfEvent.times, expansion.left.times) };
  const rules = rulesOf(event, { name: ruleNames.rrule, start });
  const excluding = rulesOf(event, { name: ruleNames.exrule, start });
  const added = momentsIn(event, { name: 'rdate', reading });
  const starts = new Map([[instantOf(start).epochMilliseconds, start]]);
  const steps = budget.steps;
  let isBeside = false;
  try {
    for (const rule of rules) {
      const isFitting = fits(rule, { start, budget });
      isBeside ||= !isFitting;
      // The start counts as the first time, whether the rule has it or not (RFC 5545, section 3.8.5.3).
      const count = rule.count === null || isFitting ? rule.count : rule.count - 1;
      if (count === 0) continue;
      for (const [atMs, moment] of momentsOfRule({ ...rule, count }, { start, expansion, budget })) {
        if ((times.left -= 1) < 0) throw new OutOfSteps();
        starts.set(atMs, moment);
      }
    }
    for (const rule of excluding)
      for (const [atMs] of momentsOfRule(rule, { start, expansion, budget })) starts.delete(atMs);
  } finally {
    expansion.left.steps -= steps - Math.max(0, budget.steps);
    expansion.left.times -= starts.size;
  }
  if (isBeside && [...starts.values()].some((moment) => isWithin(instantOf(moment), window)))
    expansion.leftOut.add(startBeside, { ...titleOf([event]), isScheduled: true });
  for (const moment of added) starts.set(instantOf(moment).epochMilliseconds, moment);
  const isOnce = rules.length === 0 && added.length === 0;
  return {
    keyOf: isOnce
      ? () => ''
      : added.length > 0 || rules.some(hasManyADay)
        ? ({ wall }) => wall.toString()
        : // Identified by its day, so that a series that moves to another hour moves its messages.
          keyOfDay,
    starts: [...starts]
      .toSorted(([a], [b]) => a - b)
      .map(([at, moment]) => ({ moment, at: Temporal.Instant.fromEpochMilliseconds(at) })),
  };
}

const startBeside =
  'Its start does not fit its rule, of which the standard leaves open what it means: it is planned at its start and then by the rule';

/** Throws Unreadable for a rule that the standard forbids. */
const rulesOf = (event: ICAL.Component, { name, start }: { name: string; start: Moment }): RecurrenceRule[] =>
  event.getAllProperties(name).map((property) => {
    const parsed = parseRule(String(property.getFirstValue()));
    if ('problem' in parsed) throw new Unreadable(parsed.problem);
    const rule = start.isAllDay ? ofWholeDays(parsed.rule) : parsed.rule;
    if (rule === null) throw new Unreadable('It lasts all day, and its rule repeats within a day');
    return rule;
  });

type Budget = { steps: number };

const fits = (rule: RecurrenceRule, { start: { wall }, budget }: { start: Moment; budget: Budget }) =>
  !timesOfRule({ ...rule, count: null }, { start: wall, last: wall, budget }).next().done;

/** The times of a rule within the window, as epoch milliseconds and moments. A zone is at most a day from UTC. */
function* momentsOfRule(
  rule: RecurrenceRule,
  { start, expansion: { window }, budget }: { start: Moment; expansion: Expansion; budget: Budget },
): Generator<[atMs: number, moment: Moment]> {
  const wallIn = (at: Temporal.Instant) => at.toZonedDateTimeISO('UTC').toPlainDateTime();
  const search = { from: wallIn(window.from).subtract({ days: 2 }), last: wallIn(window.until).add({ days: 2 }) };
  const endMs = endOf(rule, start)?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
  const lastMs = Math.min(endMs, window.until.epochMilliseconds);
  const fromMs = window.from.epochMilliseconds;
  for (const wall of timesOfRule(rule, { start: start.wall, ...search, budget })) {
    const moment = { ...start, wall };
    const atMs = instantOf(moment).epochMilliseconds;
    if (atMs > lastMs) return;
    if (atMs >= fromMs) yield [atMs, moment];
  }
}

/** The last instant of a rule. An end that is a day includes that day; one without a zone is in the event's. */
function endOf({ until }: RecurrenceRule, start: Moment): Temporal.Instant | null {
  if (until === null) return null;
  if (start.isAllDay || until.kind === 'day')
    return instantOf({ ...start, wall: until.wall.toPlainDate().toPlainDateTime('23:59:59') });
  return instantOf({ ...start, wall: until.wall, ...(until.kind === 'utc' && { zone: { kind: 'named', id: 'UTC' } }) });
}

/** Excluded instants, or excluded days where the file gives a day. */
function exclusionsOf(event: ICAL.Component, reading: Reading): ReadonlySet<number | string> {
  const moments = momentsIn(event, { name: 'exdate', reading });
  return new Set(
    moments.map((moment) =>
      moment.isAllDay ? moment.wall.toPlainDate().toString() : instantOf(moment).epochMilliseconds,
    ),
  );
}

const momentsIn = (event: ICAL.Component, { name, reading }: { name: string; reading: Reading }) =>
  event.getAllProperties(name).flatMap((property) => momentsOf(property, reading));

const isCancelled = (event: ICAL.Component) => /^cancelled$/i.test(textOf(event, { name: 'status', most: 20 }));

/** The event's UID; without one, its title and start identify it. */
const uidOf = (event: ICAL.Component): string =>
  textOf(event, { name: 'uid', most: 1_000 }) ||
  `${wordsOf(event).title} ${String(event.getFirstPropertyValue('dtstart'))}`;

const wordsOf = (event: ICAL.Component): EventText => ({
  title: textOf(event, { name: 'summary', most: 200 }) || 'Event without a title',
  location: textOf(event, { name: 'location', most: 300 }),
  description: textOf(event, { name: 'description', most: 1_000 }),
});

const titleOf = ([event]: readonly ICAL.Component[]) => (event === undefined ? {} : { title: wordsOf(event).title });

/** A property's text, as one line without control characters. */
function textOf(component: ICAL.Component, { name, most }: { name: string; most: number }): string {
  const value: unknown = component.getFirstPropertyValue(name);
  if (typeof value !== 'string') return '';
  const line = value.slice(0, most * 4).replaceAll(/[\s\p{Cc}]+/gu, ' ');
  return line.slice(0, most).toWellFormed().trim();
}
