import type { ReachKind, ReachPerson, ReachTarget } from '#contract/reach.ts';
import { type ChannelType, isAddressed } from '#contract/channel-types.ts';
import type { SuppressionReason } from '#contract/suppressions.ts';
import type { AddressLacking } from '#domain/audience-targets.ts';
import { preferredFirst } from '#domain/fallback-chains.ts';
import { type Exclusion, reasonOfExclusion } from '#domain/exclusions.ts';
import { noActiveChannel, onSuppressionList } from '#domain/ledger-reasons.ts';
import { recipientKey, type Target } from '#domain/recipients.ts';

/** `off`: the workspace has disabled it. `missing`: there is none, or it is not usable. */
export type ChannelState = 'ready' | 'off' | 'missing';

type Fact = ReachPerson['facts'][number];

/** A person with the targets over which they are sent the message, unless it cannot be rendered for them. */
export type Reached = Omit<ReachPerson, 'is_reached'> & {
  /** The targets that are sent to, each the first possible one of its chain. */
  sent: Target[];
};

type World = {
  suppressionOf: (target: Target) => SuppressionReason | null;
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
export function createReach({ suppressionOf, stateOf, contactOf, exclusionOf, lacking }: World) {
  const people = new Map<string, Reached>();

  function personOf(target: Target): Reached {
    const { contact_id: contactId, recipient, recipient_name: name } = target;
    const contact =
      contactId === undefined ? (isAddressed(target.channel) ? contactOf(target) : null) : { id: contactId, name };
    const id = contact?.id ?? recipientKey(recipient);
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
    };
    people.set(id, person);
    return person;
  }

  /** Whether a message could go there now. */
  const canSend = (target: Target) =>
    target.problem === null && stateOf(target.channel) === 'ready' && suppressionOf(target) === null;

  /** The target of a chain that is sent to first, or else why none is. */
  function firstOf(chain: readonly Target[]): { sent: Target } | { kind: ReachKind; of: string | null } {
    const [first, ...others] = chain.filter(({ problem, channel }) => problem === null && stateOf(channel) !== 'off');
    const candidates = first === undefined ? chain.slice(0, 1) : [first, ...others];
    let without: ChannelType | null = null;
    for (const target of candidates) {
      const { channel, problem } = target;
      if (problem !== null) return { kind: 'unfit', of: null };
      const reason = suppressionOf(target);
      // Whoever is suppressed on one channel does not get the message over the next one either.
      if (reason !== null) return { kind: hasLeft(reason) ? 'unsubscribed' : 'suppressed', of: channel };
      if (stateOf(channel) === 'ready') return { sent: target };
      without ??= channel;
    }
    return without === null ? { kind: 'unfit', of: null } : { kind: 'no_channel', of: without };
  }

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
        const shown = shownChain(chain, { suppressionOf, stateOf });
        person.targets.push(...shown.map((target) => ({ ...target, problem: reasonOfExclusion(exclusion).reason })));
        return;
      }
      const first = firstOf(chain);
      if ('sent' in first) person.sent.push(first.sent);
      // A missing address is reported only once.
      else if (first.kind !== 'unfit' || !person.facts.some(({ kind }) => kind === 'no_address'))
        addFact(person, first);
      person.targets.push(...shownChain(chain, { suppressionOf, stateOf }));
    },
  };
}

const hasLeft = (reason: SuppressionReason) => reason === 'unsubscribed' || reason === 'stopped';

function addFact({ facts }: Reached, { kind, of }: { kind: ReachKind; of: string | null }): void {
  if (!facts.some((fact) => fact.kind === kind && fact.of === of)) facts.push({ kind, of });
}

function shownChain(
  chain: readonly Target[],
  { suppressionOf, stateOf }: Pick<World, 'suppressionOf' | 'stateOf'>,
): ReachTarget[] {
  const stop = chain.findIndex(
    (target) => target.problem === null && stateOf(target.channel) !== 'off' && suppressionOf(target) !== null,
  );
  return chain.map(
    ({ channel, recipient, recipient_name, through = null, problem, is_preferred: isPreferred = false }, at) => ({
      channel,
      recipient,
      recipient_name,
      through,
      problem:
        problem?.reason ??
        (stop !== -1 && at >= stop
          ? onSuppressionList.reason
          : stateOf(channel) === 'ready'
            ? null
            : noActiveChannel(channel).reason),
      is_fallback: at > 0,
      is_preferred: chain.length > 1 && at === 0 && isPreferred,
    }),
  );
}

/** Marks a person as not reached because the message cannot be rendered for them, over any channel. */
export function withoutMessage(person: Reached, { facts, problem }: { facts: readonly Fact[]; problem: string }): void {
  person.sent = [];
  for (const fact of facts) addFact(person, fact);
  for (const target of person.targets) target.problem ??= problem;
}
