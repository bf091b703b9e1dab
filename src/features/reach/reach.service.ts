import { z } from 'zod';
import type { Audience } from '#contract/audience.ts';
import { contactLimits } from '#contract/contacts.ts';
import { type Reach, type ReachKind, reachKinds, type ReachPerson, type ReachQuery } from '#contract/reach.ts';
import type { ChannelType } from '#contract/reminders.ts';
import {
  type AddressLacking,
  createAddressCheck,
  emptyAudienceText,
  stepThroughPeople,
  tooManyPeopleText,
} from '#domain/audience-targets.ts';
import { stepThroughTargets } from '#domain/fallback-chains.ts';
import { createReach, type Reached, withoutMessage } from '#domain/reach.ts';
import { isAddressed, parseLine, recipientKey, stepThroughLines, type Target } from '#domain/recipients.ts';
import type { Renderer } from '#domain/rendering.ts';
import { isPlain, namesNeeded } from '#domain/template.ts';
import { hasValue, rememberedKey } from '#domain/variable-values.ts';
import { type Contact, messageValues } from '#domain/variables.ts';
import { channelStates, type RoutePorts } from '#features/channels/route.service.ts';
import { peopleOf } from '#features/contact-groups/audience.service.ts';
import { internationalOf } from '#features/contacts/dialling.service.ts';
import { contactsAmong, type FoundContact } from '#features/contacts/lookup.service.ts';
import { findCompanyName } from '#features/reach/reach.db.ts';
import { suppressionsNow } from '#features/suppressions/suppressions.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { AppError, Invalid } from '#platform/errors.ts';
import { AfterCommit } from '#platform/handler.ts';
import { endFullSlice, finishInSlices, mapInSlices } from '#platform/in-slices.ts';
import { pageBytes } from '#platform/page.ts';

/** To whom a message goes, before contacts and channels are looked up. */
export type Addressed = {
  recipients: readonly string[];
  audience: Audience | null;
  channels: readonly ChannelType[];
  /** Whether its channels form a fallback chain. */
  isInOrder: boolean;
  /** The id of the preferred channel of a type. */
  pinned?: Partial<Record<ChannelType, string | undefined>> | undefined;
};

/** A text before it is rendered. */
export type ReachText = {
  subject: string;
  message: string;
  values: Readonly<Record<string, string>>;
  timezone: string;
};

type Asked = {
  addressed: Addressed;
  text: ReachText;
  /** What an event brought; null when that is not known yet. */
  data: Readonly<Record<string, string>> | null;
  /** Whether an event that is not there yet names more recipients. */
  isEventAwaited?: boolean;
  at: Temporal.Instant;
};

export type ReachPorts = RoutePorts & { renderer: Renderer };

/** A message may name ten thousand variables. A contact fills fewer than these, so whoever lacks another lacks one of them. */
const mostNames = contactLimits.variables + 10;
const mostCounts = 100;

/** Rendering Liquid for 10,000 people could take minutes. */
const renderingLimitMs = 2_000;

/**
 * Who would get a message if it began now: by the rules of the claim, and with the values of the renderer. Reads the workspace's
 * contacts, suppressions and channels once each, whatever the number of people.
 */
export async function reachOf(
  ctx: TenantContext,
  { addressed, text, data, isEventAwaited = false, at }: Asked,
  { ports, query }: { ports: ReachPorts; query: ReachQuery },
): Promise<AfterCommit<Reach>> {
  const after = cursorOf(query.cursor);
  const filling = data === null ? null : fillingOf(text, { data, at, companyName: await companyNameOf(ctx) });
  const { chains, people, contacts, refusal } = await findTargets(ctx, addressed, { withValues: filling !== null });
  const suppressionOf = await suppressionsNow(ctx, chains.flat());
  const stateOf = await channelStates(ctx, ports);
  const { channels, isInOrder } = addressed;
  const listed = chains.flat().filter(({ contact_id: id }) => id === undefined);
  const lackOf = createAddressCheck({ channels, listed, isInOrder });
  const contactOf = (target: Target) => contacts.get(recipientKey(target.recipient)) ?? null;
  const { workspaceId } = ctx;
  return new AfterCommit(async () => {
    const lacking = new Map<string, AddressLacking>();
    await mapInSlices(people, (person) => {
      const lack = lackOf(person);
      if (lack !== null) lacking.set(person.id, lack);
    });
    const reach = createReach({ suppressionOf, stateOf, contactOf, lacking });
    await mapInSlices(chains, (chain) => reach.add(chain));
    const reached = [...reach.people.values()];
    const unchecked =
      filling === null
        ? 0
        : await fillIn(reached, {
            fill: (person) => filling.fill(person, { contactOf, renderer: ports.renderer, workspaceId }),
            isTimed: filling.isLiquid,
          });
    return answerOf(reached, { query, after, unchecked, refusal, isEventAwaited });
  });
}

export const companyNameOf = async ({ db, workspaceId }: TenantContext): Promise<string> =>
  (await findCompanyName(db, { workspaceId })).company_name;

type Contacts = Awaited<ReturnType<typeof contactsAmong>>;

/** The targets of a message from the current contacts and channels, in chains; without fallback, each is alone. */
export async function findTargets(
  ctx: TenantContext,
  { recipients, audience, channels, isInOrder, pinned = {} }: Addressed,
  { withValues = false }: { withValues?: boolean } = {},
): Promise<{
  chains: Target[][];
  people: NonNullable<Awaited<ReturnType<typeof peopleOf>>>;
  contacts: Contacts;
  refusal: string | null;
}> {
  const lines = await mapInSlices(recipients, parseLine);
  const international = await internationalOf(ctx, { channels, pinned });
  const listed = await finishInSlices(stepThroughLines(lines, { channels, international }));
  const people = audience === null ? [] : await peopleOf(ctx, audience);
  if (people === null) return { chains: [], people: [], contacts: new Map(), refusal: tooManyPeopleText };
  const targets = [...listed, ...(await finishInSlices(stepThroughPeople(people, { channels, listed })))];
  const known = (isInOrder || withValues ? targets : listed).filter(({ channel }) => isAddressed(channel));
  const asked = known.map(({ recipient }) => recipient);
  // The targets of phone channels are in E.164 already, and the claim knows no country for others.
  const contacts: Contacts =
    asked.length === 0 ? new Map() : await contactsAmong(ctx, asked, { dialling: {}, withValues });
  const contactOf = (recipient: string) => contacts.get(recipientKey(recipient)) ?? null;
  const chains = isInOrder
    ? await finishInSlices(stepThroughTargets(targets, { channels, contactOf }))
    : targets.map((target) => [target]);
  return { chains, people, contacts, refusal: audience !== null && targets.length === 0 ? emptyAudienceText : null };
}

type Filled = { missing: readonly string[] } | { broken: string };

/** Tries the message of a person to whom something is sent; null when their values are not known. */
type Filling = (
  person: Reached,
  known: { contactOf: (target: Target) => FoundContact | null; renderer: Renderer; workspaceId: string },
) => Filled | null | Promise<Filled>;

/** How a person's message is filled in, and whether that takes a renderer; null when it can be for everybody. */
function fillingOf(
  { subject, message, values: own, timezone }: ReachText,
  { data, at, companyName }: { data: Readonly<Record<string, string>>; at: Temporal.Instant; companyName: string },
): { fill: Filling; isLiquid: boolean } | null {
  const parts = [subject, message];
  const isLiquid = !parts.every(isPlain);
  const valuesOf = ({ recipient, recipient_name: recipientName }: Who, contact: Contact | null) =>
    messageValues({
      recipient,
      recipientName,
      companyName,
      scheduledFor: at,
      timezone,
      values: own,
      data,
      contact,
    });
  const common = valuesOf({ recipient: '', recipient_name: null }, null);
  const keys = new Set<string>();
  const needed = parts.flatMap(namesNeeded).filter((name) => keys.size < keys.add(rememberedKey(name)).size);
  const names = needed.filter((name) => !hasValue(common, name)).slice(0, mostNames);
  if (names.length === 0 && !isLiquid) return null;
  const fill: Filling = (person, { contactOf, renderer, workspaceId }) => {
    const [target] = person.sent;
    if (target === undefined) return { missing: [] };
    const contact = contactOf(target);
    if (contact?.hasValues === false) return null;
    const values = valuesOf(target, contact);
    const missing = names.filter((name) => !hasValue(values, name));
    if (missing.length > 0 || !isLiquid) return { missing };
    return rendered(renderer.message(parts, { workspaceId, values }));
  };
  return { fill, isLiquid };
}

type Who = Pick<Target, 'recipient' | 'recipient_name'>;

async function rendered(parts: ReturnType<Renderer['message']>): Promise<Filled> {
  for (const part of await parts) {
    if (part.kind === 'missing') return { missing: [part.variable] };
    if (part.kind === 'broken') return { broken: part.reason };
  }
  return { missing: [] };
}

/** Takes the message from those for whom it cannot be filled in. Returns for how many it was not tried. */
async function fillIn(
  people: readonly Reached[],
  { fill, isTimed }: { fill: (person: Reached) => ReturnType<Filling>; isTimed: boolean },
): Promise<number> {
  const until = performance.now() + (isTimed ? renderingLimitMs : Infinity);
  const slice = { size: 0 };
  let unchecked = 0;
  let isOver = false;
  for (const person of people) {
    if (person.sent.length === 0) continue;
    await endFullSlice(slice);
    slice.size += 1;
    isOver ||= performance.now() > until;
    const filled = isOver ? null : await triedOnce(fill, person);
    if (filled === 'busy') isOver = true;
    if (filled === null || filled === 'busy') unchecked += 1;
    else if ('broken' in filled)
      withoutMessage(person, {
        facts: [{ kind: 'not_rendered', of: null }],
        problem: `The message cannot be rendered: ${filled.broken}`,
      });
    else if (filled.missing.length > 0)
      withoutMessage(person, {
        facts: filled.missing.map((name) => ({ kind: 'lacks_value', of: name })),
        problem: `missing variable ${filled.missing[0]}`,
      });
  }
  return unchecked;
}

/** `busy` when the renderer has too much to do. */
async function triedOnce(fill: (person: Reached) => ReturnType<Filling>, person: Reached) {
  try {
    return await fill(person);
  } catch (error) {
    if (error instanceof AppError) return 'busy';
    throw error;
  }
}

type Asking = {
  query: ReachQuery;
  after: Position | null;
  unchecked: number;
  refusal: string | null;
  isEventAwaited: boolean;
};

function answerOf(people: readonly Reached[], { query, after, unchecked, refusal, isEventAwaited }: Asking): Reach {
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
    unchecked,
    refusal,
    is_event_awaited: isEventAwaited,
    data: page.map(({ person }) => shown(person)),
    next_cursor: last !== undefined && next.length > page.length ? encoded(last.position) : null,
  };
}

const isOf = ({ facts, sent }: Reached, { kind, of }: { kind: ReachKind; of: string | null }) =>
  kind === 'reached' ? sent.length > 0 : facts.some((fact) => fact.kind === kind && (of === null || fact.of === of));

const shown = ({ sent, ...person }: Reached): ReachPerson => ({ ...person, is_reached: sent.length > 0 });

function countsOf(people: readonly Reached[]): Reach['counts'] {
  const counts = new Map<string, Reach['counts'][number]>();
  const count = (kind: ReachKind, of: string | null) => {
    const key = `${kind} ${of}`;
    const known = counts.get(key) ?? { kind, of, people: 0 };
    counts.set(key, { ...known, people: known.people + 1 });
  };
  counts.set('reached null', { kind: 'reached', of: null, people: 0 });
  for (const { facts, sent } of people) {
    if (sent.length > 0) count('reached', null);
    for (const { kind, of } of facts) count(kind, of);
  }
  return [...counts.values()]
    .toSorted((a, b) => reachKinds.indexOf(a.kind) - reachKinds.indexOf(b.kind))
    .slice(0, mostCounts);
}

/** A page ends early, like every list, when it is too large. Its first row is always there. */
function withinBytes<T extends { person: Reached }>(rows: readonly T[]): T[] {
  let bytes = 0;
  const over = rows.findIndex(({ person }) => {
    bytes += Buffer.byteLength(JSON.stringify(shown(person)));
    return bytes > pageBytes;
  });
  return rows.slice(0, over === -1 ? rows.length : Math.max(1, over));
}

/** By name, then by the id, which no two people share. */
type Position = readonly [name: string, key: string];

const longestName = 100;

const positionOf = ({ name, targets, id }: Reached): Position => [
  (name ?? targets[0]?.recipient ?? '').toLowerCase().slice(0, longestName),
  id,
];

const byPosition = ([name, key]: Position, [otherName, otherKey]: Position) =>
  name < otherName ? -1 : name > otherName ? 1 : key < otherKey ? -1 : key > otherKey ? 1 : 0;

const encoded = (position: Position) => Buffer.from(JSON.stringify(position)).toString('base64url');

function cursorOf(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  try {
    return z.tuple([z.string(), z.string()]).parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new Invalid([{ path: 'cursor', message: 'is not a cursor of this list' }]);
  }
}
