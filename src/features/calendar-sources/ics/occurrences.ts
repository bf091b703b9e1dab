import ICAL from 'ical.js';
import { calendarSourceLimits } from '#contract/calendar-sources.ts';
import { RefusedFile } from './bounds.ts';
import type { LeftOutCount } from './left-out.ts';
import { instantOf, type Moment, momentsOf, movedTo, type Reading } from './moments.ts';

/** One occurrence of an event. `recurrence` identifies it within the event, even after it has moved. */
export type Occurrence = EventText & {
  uid: string;
  recurrence: string;
  start: Temporal.Instant;
  isAllDay: boolean;
};

type EventText = { title: string; location: string; description: string };

type Window = { from: Temporal.Instant; until: Temporal.Instant };
type Expansion = { reading: Reading; window: Window; leftOut: LeftOutCount; budget: { steps: number } };

/** The most steps of recurrence rules for one event and for a file: an hourly event has some 26,000 in three years. */
const stepsOfEvent = 30_000;
const stepsOfFile = 300_000;

const tooOften = 'It repeats too often, or has for too long';

/** Every time within the window of every event of a file (RFC 5545), with its changed and cancelled times applied. */
export function occurrencesIn(text: string, { reading, window, leftOut }: Omit<Expansion, 'budget'>): Occurrence[] {
  const expansion = { reading, window, leftOut, budget: { steps: stepsOfFile } };
  return calendarsIn(text).flatMap((calendar) => {
    const isCancelled = /^cancel$/i.test(textOf(calendar, { name: 'method', most: 20 }));
    const events = Map.groupBy(calendar.getAllSubcomponents('vevent'), uidOf);
    return [...events].flatMap(([uid, versions]) => {
      try {
        return isCancelled ? [] : occurrencesOf(uid, { versions, expansion });
      } catch (error) {
        if (error instanceof TooOften) leftOut.add(tooOften, titleOf(versions));
        else leftOut.add('Its times cannot be read', titleOf(versions));
        return [];
      }
    });
  });
}

function calendarsIn(text: string): ICAL.Component[] {
  try {
    const parsed: unknown = ICAL.parse(text.replace(/^\uFEFF/, ''));
    if (!Array.isArray(parsed)) throw new RefusedFile('This is not a calendar (an iCalendar file).');
    const several = Array.isArray(parsed[0]) ? parsed : [parsed];
    return several.map((one) => new ICAL.Component(one)).filter(({ name }) => name === 'vcalendar');
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    const detail = error instanceof Error ? error.message.slice(0, 200) : 'it has another form';
    throw new RefusedFile(`The calendar cannot be read: ${detail}`);
  }
}

class TooOften extends Error {}

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
    for (const { moment, at } of times.starts) {
      if (excluded.has(at.epochMilliseconds) || excluded.has(moment.wall.toPlainDate().toString())) continue;
      if (changes.has(at.epochMilliseconds)) continue;
      const changed = changeBefore(changes, at);
      if (changed !== null && isCancelled(changed.event)) continue;
      const moved = changed === null ? moment : { ...moment, wall: moment.wall.add(changed.shift) };
      const of = { uid, recurrence: times.keyOf(moment), isAllDay: start.isAllDay };
      found.push({ ...of, ...wordsOf(changed?.event ?? master), start: instantOf(moved) });
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

/** The last change of an occurrence and all that follow before `at`, and by how much it moves them. */
function changeBefore(
  changes: ReadonlyMap<number, Change>,
  at: Temporal.Instant,
): { event: ICAL.Component; shift: Temporal.Duration } | null {
  let last: { since: number; change: Change } | null = null;
  for (const [since, change] of changes)
    if (change.isOfFollowing && since < at.epochMilliseconds && (last === null || since > last.since))
      last = { since, change };
  if (last === null) return null;
  const { event, was, now } = last.change;
  return { event, shift: now === undefined ? new Temporal.Duration() : was.wall.until(now.wall) };
}

type Times = { keyOf: (moment: Moment) => string; starts: { moment: Moment; at: Temporal.Instant }[] };

const keyOfDay = ({ wall }: Moment) => wall.toPlainDate().toString();

/** The start, the times by rules and the added dates, in order: those within the window, and the first of all. */
function timesOf(event: ICAL.Component, { start, expansion }: { start: Moment; expansion: Expansion }): Times {
  const { reading, window } = expansion;
  const rules = event.getAllProperties('rrule').flatMap((property) => {
    const rule: unknown = property.getFirstValue();
    return rule instanceof ICAL.Recur ? [rule] : [];
  });
  const added = momentsIn(event, { name: 'rdate', reading });
  const starts = new Map([[instantOf(start).epochMilliseconds, start]]);
  for (const rule of rules) {
    for (const moment of momentsOfRule(event, { rule, start, expansion })) {
      const at = instantOf(moment);
      if (Temporal.Instant.compare(at, window.until) > 0) break;
      if (Temporal.Instant.compare(at, window.from) >= 0) starts.set(at.epochMilliseconds, moment);
    }
  }
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

const hasManyADay = ({ freq, parts }: ICAL.Recur) =>
  freq === 'HOURLY' || [parts.BYHOUR, parts.BYMINUTE, parts.BYSECOND].some((list) => (list?.length ?? 0) > 1);

function* momentsOfRule(
  event: ICAL.Component,
  { rule, start, expansion }: { rule: ICAL.Recur; start: Moment; expansion: Expansion },
): Generator<Moment> {
  if (rule.freq === 'SECONDLY' || rule.freq === 'MINUTELY') throw new TooOften();
  const first: unknown = event.getFirstPropertyValue('dtstart');
  if (!(first instanceof ICAL.Time)) return;
  const end = endOf(rule, { start, reading: expansion.reading });
  const endless = rule.clone();
  // The end is compared as an instant by us: the library compares times of different zones by their clocks.
  endless.until = null;
  const times = endless.iterator(first);
  for (let steps = 0; ; steps += 1) {
    expansion.budget.steps -= 1;
    if (steps > stepsOfEvent || expansion.budget.steps < 0) throw new TooOften();
    const next = times.next();
    if (!next) return;
    const moment = movedTo(next, { like: start, reading: expansion.reading });
    if (end !== null && Temporal.Instant.compare(instantOf(moment), end) > 0) return;
    yield moment;
  }
}

/** The last instant of a rule. An end that is a day includes that day; one without a zone is in the event's. */
function endOf(
  { until }: ICAL.Recur,
  { start, reading }: { start: Moment; reading: Reading },
): Temporal.Instant | null {
  if (!until) return null;
  if (start.isAllDay || until.isDate) {
    const { wall } = movedTo(until, { like: { ...start, isAllDay: true }, reading });
    return instantOf({ ...start, wall: wall.toPlainDate().toPlainDateTime('23:59:59') });
  }
  const moment = movedTo(until, { like: start, reading });
  const isUtc = until.zone === ICAL.Timezone.utcTimezone;
  return instantOf(isUtc ? { ...moment, zone: { kind: 'named', id: 'UTC' } } : moment);
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
