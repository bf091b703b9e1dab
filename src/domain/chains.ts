import type { ChannelType } from '#contract/reminders.ts';
import { parseRecipient, recipientKey, type Target } from '#domain/recipients.ts';

/** The ways to one recipient, in the order in which they are tried. */
export type Chain = [Target, ...Target[]];

/** How else somebody can be reached: both as the ledger compares recipients, null where it is not known. */
type Reachable = { email: string | null; phone: string | null };

/**
 * Puts the targets of an occurrence into chains, one for each recipient, in the order of its channels. An address goes on to
 * the number of its contact, and the other way round; two lines of the list that are the same contact make one chain. Slack
 * and web push have recipients of their own: they stand alone.
 */
export function chainsOf(
  targets: readonly Target[],
  { channels, contactOf }: { channels: readonly ChannelType[]; contactOf: (recipient: string) => Reachable | null },
): Chain[] {
  const groups = new Map<string, { members: Target[]; contact: Reachable | null }>();
  for (const target of targets) {
    const isOwn = target.channel === 'slack' || target.channel === 'push';
    const contact = isOwn ? null : contactOf(target.recipient);
    const key = contact === null ? recipientKey(target.recipient) : `${contact.email} ${contact.phone}`;
    const group = groups.get(isOwn ? target.channel : key);
    if (group === undefined) groups.set(isOwn ? target.channel : key, { members: [target], contact });
    else group.members.push(target);
  }
  return [...groups.values()].flatMap(({ members, contact }) => {
    const [first, ...others] = channels.flatMap((channel) => stepOver(channel, { members, contact }) ?? []);
    return first === undefined ? [] : [[first, ...others] satisfies Chain];
  });
}

/** The way to these over one channel: as the list has it, else as the contact has it. */
function stepOver(
  channel: ChannelType,
  { members, contact }: { members: readonly Target[]; contact: Reachable | null },
): Target | undefined {
  const listed = members.filter((target) => target.channel === channel);
  const sound = listed.find((target) => target.problem === null);
  if (sound !== undefined) return sound;
  const recipient = contact === null ? null : known(channel, contact);
  const [named] = members;
  if (recipient === null || named === undefined) return listed[0];
  return { channel, recipient, recipient_name: named.recipient_name, problem: null };
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

/** As contacts are found: an address in lower case, a number as it is dialled; null for what no contact has. */
export function contactKey(recipient: string): string | null {
  const { kind, address } = parseRecipient(recipient);
  return kind === 'email' ? address.toLowerCase() : kind === 'phone' ? address : null;
}
