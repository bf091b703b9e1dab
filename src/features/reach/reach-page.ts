import { z } from 'zod';
import { channelTypes } from '#contract/channel-types.ts';
import {
  type Reach,
  type ReachCount,
  type ReachKind,
  reachKinds,
  type ReachPerson,
  type ReachQuery,
  type ReachSequence,
} from '#contract/reach.ts';
import type { Reached } from '#domain/reach.ts';
import { Invalid } from '#platform/errors.ts';
import { pageBytes } from '#platform/page.ts';

const mostCounts = 100;

type Asking = {
  query: ReachQuery;
  after: Position | null;
  unchecked: number;
  leftButRequired: number;
  refusal: string | null;
  isEventAwaited: boolean;
  isInOrder: boolean;
};

/** The counts by kind, and a page of the people that the query asks for. */
export function answerOf(
  people: readonly Reached[],
  { query, after, unchecked, leftButRequired, refusal, isEventAwaited, isInOrder }: Asking,
): Reach {
  const counts = countsOf(people);
  const { kind, of = null, limit } = query;
  const listed = kind === undefined ? [] : people.filter((person) => isOf(person, { kind, of }));
  const sorted = listed
    .map((person) => ({ person, position: positionOf(person) }))
    .toSorted((a, b) => byPosition(a.position, b.position));
  const next = after === null ? sorted : sorted.filter(({ position }) => byPosition(position, after) > 0);
  const page = withinBytes(next.slice(0, limit));
  const last = page.at(-1);
  return {
    total: people.length,
    messages: people.reduce((sum, { sent }) => sum + sent.length, 0),
    counts,
    sequences: isInOrder ? sequencesOf(people) : [],
    unchecked,
    left_but_required: leftButRequired,
    refusal,
    is_event_awaited: isEventAwaited,
    data: page.map(({ person }) => shown(person)),
    next_cursor: last !== undefined && next.length > page.length ? encoded(last.position) : null,
  };
}

const isOf = ({ facts, sent }: Reached, { kind, of }: { kind: ReachKind; of: string | null }) =>
  kind === 'reached' ? sent.length > 0 : facts.some((fact) => fact.kind === kind && (of === null || fact.of === of));

const shown = ({ sent, sequences: _, ...person }: Reached): ReachPerson => ({ ...person, is_reached: sent.length > 0 });

function countsOf(people: readonly Reached[]): Reach['counts'] {
  const counts = new Map<string, Reach['counts'][number]>();
  const count = (kind: ReachKind, { of, sent }: { of: string | null; sent: Reached['sent'] }) => {
    const key = `${kind} ${of}`;
    const known = counts.get(key) ?? { kind, of, people: 0 };
    counts.set(key, { ...known, people: known.people + 1, ...(sent.length > 0 && reachedBy(known, sent)) });
  };
  counts.set('reached null', { kind: 'reached', of: null, people: 0 });
  for (const { facts, sent } of people) {
    if (sent.length > 0) count('reached', { of: null, sent: [] });
    // Of a pause each person has an end of their own.
    for (const { kind, of } of facts) count(kind, { of: kind === 'paused' ? null : of, sent });
  }
  return [...counts.values()]
    .toSorted((a, b) => reachKinds.indexOf(a.kind) - reachKinds.indexOf(b.kind))
    .slice(0, mostCounts);
}

function sequencesOf(people: readonly Reached[]): ReachSequence[] {
  const found = new Map<string, ReachSequence>();
  for (const channels of people.flatMap(({ sequences }) => sequences)) {
    const known = found.get(channels.join()) ?? { channels, people: 0 };
    found.set(channels.join(), { channels, people: known.people + 1 });
  }
  return [...found.values()].toSorted((a, b) => b.people - a.people || b.channels.length - a.channels.length);
}

function reachedBy({ reached_by: before }: ReachCount, sent: Reached['sent']): Pick<ReachCount, 'reached_by'> {
  const over = new Set([...(before?.channels ?? []), ...sent.map(({ channel }) => channel)]);
  const channels = channelTypes.filter((channel) => over.has(channel));
  return { reached_by: { people: (before?.people ?? 0) + 1, channels } };
}

/** As in every list, a page ends early when it gets too large, but has at least one row. */
function withinBytes<T extends { person: Reached }>(rows: readonly T[]): T[] {
  let bytes = 0;
  const over = rows.findIndex(({ person }) => {
    bytes += Buffer.byteLength(JSON.stringify(shown(person)));
    return bytes > pageBytes;
  });
  return rows.slice(0, over === -1 ? rows.length : Math.max(1, over));
}

/** The position in the list: by name, then by the key, which is unique. */
export type Position = readonly [name: string, key: string];

const longestName = 100;

const positionOf = ({ name, targets, id }: Reached): Position => [
  (name ?? targets[0]?.recipient ?? '').toLowerCase().slice(0, longestName),
  id,
];

const byPosition = ([name, key]: Position, [otherName, otherKey]: Position) =>
  name < otherName ? -1 : name > otherName ? 1 : key < otherKey ? -1 : key > otherKey ? 1 : 0;

const encoded = (position: Position) => Buffer.from(JSON.stringify(position)).toString('base64url');

export function cursorOf(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  try {
    return z.tuple([z.string(), z.string()]).parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new Invalid([{ path: 'cursor', message: 'is not a cursor of this list' }]);
  }
}
