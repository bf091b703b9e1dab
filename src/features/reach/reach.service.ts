import { type Audience, audienceLimits } from '#contract/audience.ts';
import { type ChannelType, isAddressed } from '#contract/channel-types.ts';
import type { Reach, ReachQuery } from '#contract/reach.ts';
import { createAddressCheck, stepThroughPeople } from '#domain/audience-targets.ts';
import { stepThroughTargets } from '#domain/fallback-chains.ts';
import { audienceTooLarge, emptyAudience, hoursNeverMeet } from '#domain/ledger-reasons.ts';
import type { Occasion } from '#domain/may-be-sent.ts';
import { createReach } from '#domain/reach.ts';
import type { AddressLacking } from '#domain/reason-values.ts';
import { parseLineOf, recipientKey, stepThroughLines, type Target } from '#domain/recipients.ts';
import type { Renderer } from '#domain/rendering.ts';
import { channelStates, type RoutePorts } from '#features/channels/route.service.ts';
import { peopleOf } from '#features/contact-groups/audience.service.ts';
import { internationalOf } from '#features/contacts/dialling.service.ts';
import { contactsAmong } from '#features/contacts/lookup.service.ts';
import { exclusionsOf, type RunAhead } from '#features/exclusions/exclusions.service.ts';
import { fillIn, fillingOf, type Text } from '#features/reach/filling.ts';
import { answerOf, cursorOf } from '#features/reach/reach-page.ts';
import { neverMetAmong } from '#features/preferences/preferences.service.ts';
import { askList } from '#features/suppressions/suppressions.service.ts';
import { findTopicState } from '#features/topics/topics.service.ts';
import type { TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { AfterCommit } from '#platform/handler.ts';
import { finishInSlices, mapInSlices } from '#platform/in-slices.ts';

/** To whom a message goes, before contacts and channels are looked up. */
export type Addressed = {
  recipients: readonly string[];
  /** Those of them that are addresses of one person, whom an event names. */
  named?: readonly string[];
  audience: Audience | null;
  channels: readonly ChannelType[];
  /** Whether its channels form a fallback chain. */
  isInOrder: boolean;
  /** The id of the preferred channel of a type. */
  pinned?: Partial<Record<ChannelType, string | undefined>> | undefined;
  /** What the message is about. */
  topicId: string | null;
  occasion: Occasion;
};

export type ReachText = Text;

type Asked = {
  addressed: Addressed;
  text: ReachText;
  /** The event's data; null while no event is known. */
  data: Readonly<Record<string, string>> | null;
  /** Whether an event that has not come yet may name more recipients. */
  isEventAwaited?: boolean;
  at: Temporal.Instant;
  /** The run, for which people may be skipped or paused; null for what is no reminder. */
  run: RunAhead | null;
};

export type ReachPorts = RoutePorts & { renderer: Renderer };

/**
 * Who would get a message if it began now, by the rules of the claim, with the message rendered for each. Reads the workspace's contacts,
 * suppressions and channels once, however many people there are.
 */
export async function reachOf(
  ctx: TenantContext,
  { addressed, text, data, isEventAwaited = false, at, run }: Asked,
  { ports, query }: { ports: ReachPorts; query: ReachQuery },
): Promise<AfterCommit<Reach>> {
  const after = cursorOf(query.cursor);
  const filling = data === null ? null : fillingOf(text, { data, at, companyName: await companyNameOf(ctx) });
  const { chains, people, contacts, refusal } = await findTargets(ctx, addressed, { withValues: filling !== null });
  const { topicId, occasion } = addressed;
  const kind = topicId === null ? null : ((await findTopicState(ctx, topicId))?.kind ?? null);
  const listOf = await askList(ctx, {
    about: { topicId, kind, occasion },
    targets: chains.flat(),
    secrets: ports.secrets,
  });
  // A required message follows the workspace's hours where they do not meet.
  const isOptional = occasion === 'reminder' && kind !== 'required';
  const isNeverMet = await neverMetAmong(ctx, { targets: isOptional ? chains.flat() : [], now: at });
  for (const target of chains.flat()) if (isOptional && isNeverMet(target)) target.problem ??= hoursNeverMeet;
  const stateOf = await channelStates(ctx, ports);
  const { channels, isInOrder } = addressed;
  const listed = chains.flat().filter(({ contact_id: id }) => id === undefined);
  const lackOf = createAddressCheck({ channels, listed, isInOrder });
  const contactOf = (target: Target) => contacts.get(recipientKey(target.recipient)) ?? null;
  const persons = [...people.map(({ id }) => id), ...[...contacts.values()].map(({ id }) => id)];
  const exclusionOf = run === null ? () => null : await exclusionsOf(ctx, run, [...new Set(persons)]);
  const { workspaceId } = ctx;
  return new AfterCommit(async () => {
    const lacking = new Map<string, AddressLacking>();
    await mapInSlices(people, (person) => {
      const lack = lackOf(person);
      if (lack !== null) lacking.set(person.id, lack);
    });
    const reach = createReach({ listOf, stateOf, contactOf, exclusionOf, lacking });
    await mapInSlices(chains, (chain) => reach.add(chain));
    const reached = [...reach.people.values()];
    const unchecked =
      filling === null
        ? 0
        : await fillIn(reached, {
            fill: (person) => filling.fill(person, { contactOf, renderer: ports.renderer, workspaceId }),
            isTimed: filling.isLiquid,
          });
    const leftButRequired =
      kind === 'required' ? reached.filter(({ sent }) => sent.some((target) => listOf(target).hasLeft)).length : 0;
    return answerOf(reached, { query, after, unchecked, leftButRequired, refusal, isEventAwaited, isInOrder });
  });
}

export const companyNameOf = async ({ db, workspaceId }: TenantContext): Promise<string> =>
  (await findCompanyName(db, { workspaceId })).company_name;

type Contacts = Awaited<ReturnType<typeof contactsAmong>>;

/** The targets of a message from the current contacts and channels, in chains; without fallback, each is alone. */
export async function findTargets(
  ctx: TenantContext,
  { recipients, named = [], audience, channels, isInOrder, pinned = {} }: Addressed,
  { withValues = false }: { withValues?: boolean } = {},
): Promise<{
  chains: Target[][];
  people: NonNullable<Awaited<ReturnType<typeof peopleOf>>>;
  contacts: Contacts;
  refusal: string | null;
}> {
  const lines = await mapInSlices(recipients, (text) => parseLineOf(text, { named }));
  const international = await internationalOf(ctx, { channels, pinned });
  const listed = await finishInSlices(stepThroughLines(lines, { channels, international }));
  const people = audience === null ? [] : await peopleOf(ctx, audience);
  if (people === null)
    return { chains: [], people: [], contacts: new Map(), refusal: audienceTooLarge(audienceLimits.people).reason };
  const targets = [...listed, ...(await finishInSlices(stepThroughPeople(people, { channels, listed })))];
  const known = (isInOrder || withValues ? targets : listed).filter(({ channel }) => isAddressed(channel));
  const asked = known.map(({ recipient }) => recipient);
  // Targets of phone channels are in E.164 already, so no country is needed to find their contacts.
  const contacts: Contacts =
    asked.length === 0 ? new Map() : await contactsAmong(ctx, asked, { dialling: {}, withValues });
  const contactOf = (recipient: string) => contacts.get(recipientKey(recipient)) ?? null;
  const chains = isInOrder
    ? await finishInSlices(stepThroughTargets(targets, { channels, contactOf }))
    : targets.map((target) => [target]);
  return { chains, people, contacts, refusal: audience !== null && targets.length === 0 ? emptyAudience.reason : null };
}

const findCompanyName = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db.selectFrom('workspaces').where('id', '=', workspaceId).select('company_name').executeTakeFirstOrThrow();
