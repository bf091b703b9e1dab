import { emailKey } from '#contract/email-address.ts';
import { type ChannelType, isAddressed } from '#contract/channel-types.ts';
import { invisibleInRecipient, parseRecipient, recipientKey, type Target } from '#domain/recipients.ts';
import { finish, type Steps } from '#domain/steps.ts';

/** The deliveries to one recipient, in the order in which they are tried. */
export type FallbackChain = [Target, ...Target[]];

/** A contact: its addresses, null when unknown, and the channel that the person prefers. */
type Reachable = { id: string; email: string | null; phone: string | null; preferred_channel: ChannelType | null };

/** What an earlier claim sent to an address that came from the contact of a line of the list: `through` is that line. */
export type SentBefore = { channel: ChannelType; recipient: string; through: string };

/**
 * Groups the targets of an occurrence into chains, one for each recipient, in the order of its channels. An address
 * continues with the number of its contact, and the reverse. Two lines of the list that belong to one contact make one
 * chain, and so do the addresses of a person of an audience, or of one whom an event names. An address to which something was sent stays in the chain, also when the contact has another one
 * since. Slack and web push have recipients of their own and form their own chains.
 */
export const fallbackChainsOf = (targets: readonly Target[], known: Known): FallbackChain[] =>
  finish(stepThroughTargets(targets, known));

type Known = {
  channels: readonly ChannelType[];
  contactOf: (recipient: string) => Reachable | null;
  sentBefore?: readonly SentBefore[];
};

type Group = { members: Target[]; contact: Reachable | null };

/** `fallbackChainsOf` as a computation that yields after each target or chain. */
export function* stepThroughTargets(
  targets: readonly Target[],
  { channels, contactOf, sentBefore = [] }: Known,
): Steps<FallbackChain[]> {
  const groups = new Map<string, Group>();
  const linked = contactsOfLinked(targets, contactOf);
  for (const target of targets) {
    yield;
    const contact = linked.get(recipientKey(listedAs(target))) ?? ownContact(target, contactOf);
    const key = keyOf(target, contact);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { members: [target], contact });
    else {
      group.members.push(target);
      group.contact ??= contact;
    }
  }
  const before = Map.groupBy(sentBefore, ({ through }) => recipientKey(through));
  const chains: FallbackChain[] = [];
  for (const group of groups.values()) {
    yield;
    const sent =
      before.size === 0 ? [] : group.members.flatMap((target) => before.get(recipientKey(target.recipient)) ?? []);
    const [first, ...others] = channels.flatMap((channel) => targetOver(channel, { ...group, sent }) ?? []);
    if (first !== undefined) chains.push([first, ...others]);
  }
  return chains;
}

/**
 * The channels that can take over from each other for one recipient. Slack and push have recipients of their own, and so has a webhook where the list
 * has URLs: it then calls only these.
 */
export const takingOver = (channels: readonly ChannelType[], { hasUrls }: { hasUrls: boolean }): ChannelType[] =>
  channels.filter((channel) => isAddressed(channel) && !(channel === 'webhook' && hasUrls));

/** The contact of a target. An address that a person of an audience had before may be somebody else's by now. */
function ownContact({ channel, recipient, contact_id: id }: Target, contactOf: Known['contactOf']): Reachable | null {
  const contact = isAddressed(channel) ? contactOf(recipient) : null;
  return id === undefined || contact?.id === id ? contact : null;
}

/** The contacts of people whom an event names by several addresses, by the key of the first: that of any of the addresses. */
function contactsOfLinked(targets: readonly Target[], contactOf: Known['contactOf']): Map<string, Reachable> {
  const found = new Map<string, Reachable>();
  for (const target of targets) {
    const first = listedAs(target);
    if (first === target.recipient) continue;
    const contact = contactOf(first) ?? contactOf(target.recipient);
    if (contact !== null) found.set(recipientKey(first), contact);
  }
  return found;
}

const keyOf = (target: Target, contact: Reachable | null): string =>
  isAddressed(target.channel) ? (target.contact_id ?? contact?.id ?? recipientKey(listedAs(target))) : target.channel;

/** The address by which a list has the person of a target. */
export const listedAs = ({ recipient, contact_id: id, through }: Target): string =>
  id === undefined ? (through ?? recipient) : recipient;

/** The target, marked if it is over the channel that the person prefers. */
export const withPreference = (target: Target, person: Pick<Reachable, 'preferred_channel'> | null): Target =>
  person?.preferred_channel === target.channel ? { ...target, is_preferred: true } : target;

/** The chain with the person's preferred channel first, if it can be sent to; otherwise unchanged. */
export function preferredFirst(chain: readonly Target[], canSend: (target: Target) => boolean): readonly Target[] {
  const preferred = chain.find((target) => target.is_preferred === true && canSend(target));
  return preferred === undefined ? chain : [preferred, ...chain.filter((target) => target !== preferred)];
}

/** The target of these recipients over one channel, from the list or else from the contact. */
function targetOver(
  channel: ChannelType,
  { members, contact, sent }: Group & { sent: readonly SentBefore[] },
): Target | undefined {
  const listed = members.filter((target) => target.channel === channel);
  const sound = listed.find((target) => target.problem === null);
  if (sound !== undefined) return withPreference(sound, contact);
  const kept = sent.find((one) => one.channel === channel)?.recipient;
  const recipient = kept ?? (contact === null ? null : known(channel, contact));
  const [named] = members;
  if (recipient === null || named === undefined) return listed[0];
  const through = named.through ?? named.recipient;
  return withPreference({ ...named, through, channel, recipient, problem: invisibleInRecipient(recipient) }, contact);
}

function known(channel: ChannelType, { email, phone }: Reachable): string | null {
  switch (channel) {
    case 'email':
      return email;
    case 'sms':
    case 'whatsapp':
      return phone;
    case 'webhook':
    case 'slack':
    case 'push':
      return null;
    default:
      return channel satisfies never;
  }
}

/**
 * The key under which contacts are stored: that of an address, or a number as it is dialled. Null when no contact can
 * match.
 */
export function contactKey(recipient: string): string | null {
  const { kind, address } = parseRecipient(recipient);
  return kind === 'email' ? emailKey(address) : kind === 'phone' ? address : null;
}
