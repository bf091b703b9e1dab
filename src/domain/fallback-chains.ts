import { emailKey } from '#contract/email-address.ts';
import { type ChannelType, isAddressed } from '#contract/channel-types.ts';
import { invisibleInRecipient, parseRecipient, recipientKey, type Target } from '#domain/recipients.ts';
import { finish, type Steps } from '#domain/steps.ts';

/** The deliveries to one recipient, in the order in which they are tried. */
export type FallbackChain = [Target, ...Target[]];

/** The recipient's other addresses, null when unknown, and the channel that they prefer. */
type Reachable = { email: string | null; phone: string | null; preferred_channel: ChannelType | null };

/**
 * Groups the targets of an occurrence into chains, one for each recipient, in the order of its channels. An address
 * continues with the number of its contact, and the reverse. Two lines of the list that belong to one contact make one
 * chain. Slack and web push have recipients of their own and form their own chains.
 */
export const fallbackChainsOf = (targets: readonly Target[], known: Known): FallbackChain[] =>
  finish(stepThroughTargets(targets, known));

type Known = { channels: readonly ChannelType[]; contactOf: (recipient: string) => Reachable | null };

/** `fallbackChainsOf` as a computation that yields after each target or chain. */
export function* stepThroughTargets(
  targets: readonly Target[],
  { channels, contactOf }: Known,
): Steps<FallbackChain[]> {
  const groups = new Map<string, { members: Target[]; contact: Reachable | null }>();
  for (const target of targets) {
    yield;
    const isOwn = !isAddressed(target.channel);
    const contact = isOwn ? null : contactOf(target.recipient);
    const key = contact === null ? recipientKey(target.recipient) : `${contact.email} ${contact.phone}`;
    const group = groups.get(isOwn ? target.channel : key);
    if (group === undefined) groups.set(isOwn ? target.channel : key, { members: [target], contact });
    else group.members.push(target);
  }
  const chains: FallbackChain[] = [];
  for (const group of groups.values()) {
    yield;
    const [first, ...others] = channels.flatMap((channel) => targetOver(channel, group) ?? []);
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
  { members, contact }: { members: readonly Target[]; contact: Reachable | null },
): Target | undefined {
  const listed = members.filter((target) => target.channel === channel);
  const sound = listed.find((target) => target.problem === null);
  if (sound !== undefined) return withPreference(sound, contact);
  const recipient = contact === null ? null : known(channel, contact);
  const [named] = members;
  if (recipient === null || named === undefined) return listed[0];
  return withPreference({ ...named, channel, recipient, problem: invisibleInRecipient(recipient) }, contact);
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
