import type { ReachKind, ReachPerson, ReachTarget } from '#contract/reach.ts';
import { type ChannelType, isAddressed } from '#contract/channel-types.ts';
import type { SuppressionReason } from '#contract/suppressions.ts';
import { listedAs, preferredFirst } from '#domain/fallback-chains.ts';
import { type Exclusion, reasonOfExclusion } from '#domain/exclusions.ts';
import { hoursNeverMeet, noActiveChannel } from '#domain/ledger-reasons.ts';
import { reasonOfSkip, type Verdict } from '#domain/may-be-sent.ts';
import type { AddressLacking } from '#domain/reason-values.ts';
import { recipientKey, type Target } from '#domain/recipients.ts';

/** `off`: the workspace has disabled it. `missing`: there is none, or it is not usable. */
export type ChannelState = 'ready' | 'off' | 'missing';

type Fact = ReachPerson['facts'][number];

/** A person with the targets over which they are sent the message, unless it cannot be rendered for them. */
export type Reached = Omit<ReachPerson, 'is_reached'> & {
  /** The targets that are sent to, each the first possible one of its chain. */
  sent: Target[];
  /** For each of them its channel, and those that are tried after it. */
  sequences: ChannelType[][];
};

/** `skip`: why the message is not sent, with the reason of the list's entry where that is why. `hasLeft`: whether they left topics. */
export type ListAnswer = { skip: (Skip & { reason: SuppressionReason | null }) | null; hasLeft: boolean };
type Skip = Extract<Verdict, { kind: 'skip' }>;

type World = {
  /** What the suppression list says of the message to the target. */
  listOf: (target: Target) => ListAnswer;
  stateOf: (channel: ChannelType) => ChannelState;
  contactOf: (target: Target) => { id: string; name: string | null } | null;
  /** What keeps a contact from the message. */
  exclusionOf: (contactId: string) => Exclusion | null;
  /** The addresses that people of the audience lack, by contact id. */
  lacking: ReadonlyMap<string, AddressLacking>;
};

/**
 * The people to whom the targets of an occurrence belong, and what each is sent if it begins now. Without fallback, each target is a chain of its
 * own.
 */
export function createReach({ listOf, stateOf, contactOf, exclusionOf, lacking }: World) {
  const people = new Map<string, Reached>();

  function personOf(target: Target): Reached {
    const { contact_id: contactId, recipient_name: name } = target;
    const contact =
      contactId === undefined ? (isAddressed(target.channel) ? contactOf(target) : null) : { id: contactId, name };
    const id = contact?.id ?? recipientKey(listedAs(target));
    const known = people.get(id);
    if (known !== undefined) return known;
    const lack = contact === null ? undefined : lacking.get(contact.id);
    const person: Reached = {
      id,
      contact_id: contact?.id ?? null,
      name: name ?? contact?.name ?? null,
      facts: lack === undefined ? [] : [{ kind: 'no_address', of: lack }],
      targets: [],
      sent: [],
      sequences: [],
    };
    people.set(id, person);
    return person;
  }

  /** Whether a message could go there now. */
  const canSend = (target: Target) =>
    target.problem === null && stateOf(target.channel) === 'ready' && listOf(target).skip === null;

  /** The target of a chain that is sent to first, with the channels that are tried from there on, or else why none is. */
  function firstOf(
    chain: readonly Target[],
  ): { sent: Target; sequence: ChannelType[] } | { kind: ReachKind; of: string | null } {
    // Goes on to the next channel where the list forbids this one for a message that nobody can leave, or no consent to it is on record.
    const [first, ...others] = chain.filter(
      (target) =>
        target.problem === null && stateOf(target.channel) !== 'off' && listOf(target).skip?.isFallingBack !== true,
    );
    const candidates = first === undefined ? chain.slice(0, 1) : [first, ...others];
    let without: ChannelType | null = null;
    for (const [at, target] of candidates.entries()) {
      const { channel, problem } = target;
      if (problem !== null)
        return problem.code === hoursNeverMeet.code
          ? { kind: 'never_in_hours', of: channel }
          : { kind: 'unfit', of: null };
      const { skip } = listOf(target);
      // Whoever does not want an optional message on one channel does not get it over the next one either.
      if (skip !== null) return { kind: kindOf(skip), of: channel };
      if (stateOf(channel) === 'ready') return { sent: target, sequence: sequenceOf(candidates.slice(at)) };
      without ??= channel;
    }
    return without === null ? { kind: 'unfit', of: null } : { kind: 'no_channel', of: without };
  }

  /** The channels of candidates that can send; nothing is tried after one that the list forbids. */
  function sequenceOf(candidates: readonly Target[]): ChannelType[] {
    const stop = candidates.findIndex((target) => listOf(target).skip !== null);
    return candidates
      .slice(0, stop === -1 ? candidates.length : stop)
      .map(({ channel }) => channel)
      .filter((channel) => stateOf(channel) === 'ready');
  }

  const lacksConsent = (target: Target) =>
    target.problem === null && stateOf(target.channel) !== 'off' && listOf(target).skip?.code === 'no_consent';

  return {
    people,
    add(given: readonly Target[]): void {
      const chain = preferredFirst(given, canSend);
      const [head] = chain;
      if (head === undefined) return;
      const person = personOf(head);
      const exclusion = person.contact_id === null ? null : exclusionOf(person.contact_id);
      if (exclusion !== null) {
        addFact(person, { kind: exclusion.kind, of: exclusion.kind === 'paused' ? exclusion.until : null });
        const shown = shownChain(chain, { listOf, stateOf });
        person.targets.push(...shown.map((target) => ({ ...target, problem: reasonOfExclusion(exclusion).reason })));
        return;
      }
      const first = firstOf(chain);
      if ('sent' in first) {
        person.sent.push(first.sent);
        person.sequences.push(first.sequence);
        for (const target of chain)
          if (lacksConsent(target)) addFact(person, { kind: 'no_consent', of: target.channel });
      }
      // A missing address is reported only once.
      else if (first.kind !== 'unfit' || !person.facts.some(({ kind }) => kind === 'no_address'))
        addFact(person, first);
      person.targets.push(...shownChain(chain, { listOf, stateOf }));
    },
  };
}

const kindOf = ({ code, reason }: Skip & { reason: SuppressionReason | null }): ReachKind => {
  if (code === 'paused_by_recipient' || code === 'no_consent') return code;
  if (code !== 'suppressed') return 'left_topic';
  return reason === 'unsubscribed' || reason === 'stopped' ? 'unsubscribed' : 'suppressed';
};

function addFact({ facts }: Reached, { kind, of }: { kind: ReachKind; of: string | null }): void {
  if (!facts.some((fact) => fact.kind === kind && fact.of === of)) facts.push({ kind, of });
}

function shownChain(chain: readonly Target[], { listOf, stateOf }: Pick<World, 'listOf' | 'stateOf'>): ReachTarget[] {
  const skips = chain.map((target) =>
    target.problem === null && stateOf(target.channel) !== 'off' ? listOf(target).skip : null,
  );
  const stop = skips.find((skip) => skip?.isFallingBack === false) ?? null;
  const from = stop === null ? chain.length : skips.indexOf(stop);
  const skipAt = (at: number) => (at >= from ? stop : (skips[at] ?? null));
  return chain.map(
    ({ channel, recipient, recipient_name, through = null, problem, is_preferred: isPreferred = false }, at) => ({
      channel,
      recipient,
      recipient_name,
      through,
      problem:
        problem?.reason ??
        reasonOf(skipAt(at), channel) ??
        (stateOf(channel) === 'ready' ? null : noActiveChannel(channel).reason),
      is_fallback: at > 0,
      is_preferred: chain.length > 1 && at === 0 && isPreferred,
    }),
  );
}

const reasonOf = (skip: Skip | null, channel: ChannelType): string | null =>
  skip === null ? null : reasonOfSkip(skip.code, channel).reason;

/** Marks a person as not reached because the message cannot be rendered for them, over any channel. */
export function withoutMessage(person: Reached, { facts, problem }: { facts: readonly Fact[]; problem: string }): void {
  person.sent = [];
  person.sequences = [];
  for (const fact of facts) addFact(person, fact);
  for (const target of person.targets) target.problem ??= problem;
}
