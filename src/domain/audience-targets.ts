import { type ChannelType, isAddressed } from '#contract/channel-types.ts';
import { isForUrlsOnly, lacksAddress, type Reason } from '#domain/ledger-reasons.ts';
import type { AddressLacking } from '#domain/reason-values.ts';
import { invisibleInRecipient, recipientKey, type Target } from '#domain/recipients.ts';
import { finish, type Steps } from '#domain/steps.ts';

/** A contact of an audience; `through` names what makes it part of it, such as `group 12 Elm`. `phone` is in E.164. */
export type PersonInAudience = {
  id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  through: string;
};

/** A ledger row that an earlier claim wrote for a person. Once it `isSettled`, its address is kept. */
export type EarlierRow = { id: string; channel: ChannelType; recipient: string; isSettled: boolean };

type Context = {
  channels: readonly ChannelType[];
  /** The targets of the reminder's own list: people with one of their addresses are served by these. */
  listed: readonly Target[];
  earlier?: readonly EarlierRow[];
};

/**
 * The targets of an audience beside those of the list: each person over each channel that fits, at an address that
 * nobody else has. A person without any address that is needed becomes a target with that problem, so that it is
 * recorded.
 */
export const targetsOfPeople = (people: readonly PersonInAudience[], context: Context): Target[] =>
  finish(stepThroughPeople(people, context));

/** `targetsOfPeople` as a computation that yields after each person. */
export function* stepThroughPeople(
  people: readonly PersonInAudience[],
  { channels, listed, earlier = [] }: Context,
): Steps<Target[]> {
  const addressed = channels.filter(isAddressed);
  const [first] = addressed;
  if (first === undefined) return [];
  const takesWebhook = !hasUrls(listed);
  const used = new Set(listed.map(positionOf));
  const byUse = earlier.toSorted((a, b) => Number(a.isSettled) - Number(b.isSettled));
  const rowOf = new Map(byUse.map((row) => [`${row.channel} ${row.id}`, row]));
  const targets: Target[] = [];
  for (const person of people) {
    yield;
    const add = (channel: ChannelType, { recipient, problem }: Pick<Target, 'recipient' | 'problem'>) => {
      const position = positionOf({ channel, recipient });
      if (used.has(position)) return false;
      used.add(position);
      const { id, name, through } = person;
      targets.push({ channel, recipient, recipient_name: name, problem, contact_id: id, through });
      return true;
    };
    let isReached = false;
    for (const channel of addressed) {
      const row = rowOf.get(`${channel} ${person.id}`);
      const own = channel === 'webhook' && !takesWebhook ? [] : addressesFor(channel, person);
      if (own.length === 0 && row?.isSettled !== true) continue;
      isReached = true;
      const recipient = row?.isSettled === true ? row.recipient : own[0];
      if (recipient === undefined || own.some((address) => used.has(positionOf({ channel, recipient: address }))))
        continue;
      add(channel, { recipient, problem: invisibleInRecipient(recipient) });
    }
    if (isReached) continue;
    const problem = lackOf(displayNameOf(person), { channels: addressed, takesWebhook });
    const before = rowOf.get(`${first} ${person.id}`)?.recipient;
    // Names are not unique, so people without an address of this kind are told apart in the ledger by another address, else by their id.
    const keys = [before, person.email, person.phone, person.name, `${displayNameOf(person)} (${person.id})`];
    for (const recipient of keys)
      if (recipient !== null && recipient !== undefined && add(first, { recipient, problem })) break;
  }
  return targets;
}

/** Whether the list has URLs: the webhook channel then calls only these, and nobody of the audience. */
const hasUrls = (listed: readonly Target[]) =>
  listed.some(({ channel, recipient }) => channel === 'webhook' && /^https?:/i.test(recipient));

/** Returns which addresses a person lacks for these channels; null for none. Where channels are tried in order, one address is enough. */
export function createAddressCheck({
  channels,
  listed,
  isInOrder,
}: Pick<Context, 'channels' | 'listed'> & { isInOrder: boolean }): (person: PersonInAudience) => AddressLacking | null {
  const takesWebhook = !hasUrls(listed);
  const hasWebhook = takesWebhook && channels.includes('webhook');
  const addressed = channels.filter(isAddressed);
  return ({ email, phone }) => {
    const needs = needsOf(addressed, { takesWebhook: takesWebhook && email === null && phone === null });
    const [lacksEmail, lacksPhone] = [needs.email && email === null, needs.phone && phone === null];
    if (lacksEmail && lacksPhone) return 'either';
    if (!lacksEmail && !lacksPhone) return null;
    if (isInOrder && (hasWebhook || (lacksEmail ? needs.phone : needs.email))) return null;
    return lacksEmail ? 'email' : 'phone';
  };
}

const positionOf = ({ channel, recipient }: Pick<Target, 'channel' | 'recipient'>) =>
  `${channel} ${recipientKey(recipient)}`;

/** The person's addresses that a channel could use, the one that it uses first. */
function addressesFor(channel: ChannelType, { email, phone }: PersonInAudience): string[] {
  switch (channel) {
    case 'email':
      return email === null ? [] : [email];
    case 'sms':
    case 'whatsapp':
      return phone === null ? [] : [phone];
    case 'webhook':
      return [email, phone].filter((address) => address !== null);
    case 'slack':
    case 'push':
      return [];
    default:
      return channel satisfies never;
  }
}

function lackOf(
  name: string,
  { channels, takesWebhook }: { channels: readonly ChannelType[]; takesWebhook: boolean },
): Reason {
  if (channels.every((channel) => channel === 'webhook') && !takesWebhook) return isForUrlsOnly(name);
  const needs = needsOf(channels, { takesWebhook });
  return lacksAddress(name, needs.email && needs.phone ? 'either' : needs.phone ? 'phone' : 'email');
}

function needsOf(channels: readonly ChannelType[], { takesWebhook }: { takesWebhook: boolean }) {
  const hasWebhook = takesWebhook && channels.includes('webhook');
  return {
    email: hasWebhook || channels.includes('email'),
    phone: hasWebhook || channels.includes('sms') || channels.includes('whatsapp'),
  };
}

const displayNameOf = ({ name, email, phone }: PersonInAudience): string => name ?? email ?? phone ?? '';
