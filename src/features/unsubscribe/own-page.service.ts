import type { ChannelType } from '#contract/channel-types.ts';
import { Id } from '#contract/common.ts';
import { type PreferableChannel, preferableChannels } from '#contract/contacts.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { JobType } from '#contract/job-types.ts';
import { maskedAddress } from '#domain/masked-address.ts';
import { recipientKey } from '#domain/recipients.ts';
import { preferChannel } from '#features/contacts/contacts.service.ts';
import { spellingsOfKeys } from '#features/contacts/spellings.service.ts';
import * as rows from '#features/unsubscribe/own-page.db.ts';
import type { Db } from '#platform/database.ts';
import { Invalid } from '#platform/errors.ts';

/** The address of a link. */
type Own = { workspaceId: string; channel: ChannelType; recipient: string };

export type SentMessage = {
  at: string;
  status: DeliveryStatus;
  type: JobType;
  /** Its topic, or else the subject with a gap for each variable; null where neither is known any more. */
  about: string | null;
};

/** What a link shows that the recipient has asked for, and no other. */
export type OwnPage = {
  /** `next` begins the following page. */
  sent: { messages: SentMessage[]; isFirst: boolean; next: string | null };
  /** The further addresses of the person, to which a link can be sent: shown in part, because this link proves its own address alone. */
  others: { channel: PreferableChannel; shown: string }[];
  /** Null where no reminder lets a person choose. */
  preferred: { now: PreferableChannel | null; among: PreferableChannel[] } | null;
};

export const sentDays = 90;
const sentOfPage = 20;

/** @param options.before the last message of the page before; what is no id begins the list */
export async function ownPageOf(
  db: Db,
  { of, before, now }: { of: Own; before: string | null; now: Temporal.Instant },
): Promise<OwnPage> {
  const { workspaceId, channel, recipient } = of;
  const after = Id.safeParse(before).data ?? null;
  const key = recipientKey(recipient);
  const { rows: sent, isMore } = await rows.findSent(db, {
    workspaceId,
    spellings: spellingsOfKeys([key]),
    channel,
    since: now.subtract({ hours: sentDays * 24 }).toString(),
    before: after,
    limit: sentOfPage,
  });
  const contact = await rows.findOwnContact(db, { workspaceId, key });
  const named = await findReachable(db, { workspaceId, contact });
  const inOrder = named.filter(({ is_in_order: isInOrder }) => isInOrder).map(({ channel: one }) => one);
  return {
    sent: {
      messages: sent.map(({ at, status, type, topic, subject }) => ({
        at,
        status,
        type,
        about: topic ?? withGaps(subject),
      })),
      isFirst: after === null,
      next: isMore ? (sent.at(-1)?.id ?? null) : null,
    },
    others: named.flatMap(({ channel: one, address }) =>
      one === channel ? [] : [{ channel: one, shown: maskedAddress(address) }],
    ),
    preferred: inOrder.length < 2 ? null : { now: contact?.preferred_channel ?? null, among: inOrder },
  };
}

/** The address of another channel that the page of a link offers; null where it does not. */
export async function otherAddress(db: Db, of: Own, channel: PreferableChannel): Promise<string | null> {
  const { workspaceId } = of;
  if (channel === of.channel) return null;
  const contact = await rows.findOwnContact(db, { workspaceId, key: recipientKey(of.recipient) });
  const named = await findReachable(db, { workspaceId, contact });
  return named.find((one) => one.channel === channel)?.address ?? null;
}

/** The channels that reminders name and the person has an address for; none where that is one alone. */
async function findReachable(
  db: Db,
  { workspaceId, contact }: { workspaceId: string; contact: Awaited<ReturnType<typeof rows.findOwnContact>> },
) {
  if (contact === undefined) return [];
  const addresses = addressesOf(contact);
  const among = preferableChannels.filter((one) => addresses[one] !== null);
  const named = among.length < 2 ? [] : await rows.findNamedChannels(db, { workspaceId, among });
  return named.flatMap((one) => {
    const address = addresses[one.channel];
    return address === null ? [] : [{ ...one, address }];
  });
}

/** Writes which channel the person prefers; null for none. Throws Invalid for one that their reminders do not try. */
export async function choosePreferred(
  db: Db,
  { of, channel, now }: { of: Own; channel: PreferableChannel | null; now: Temporal.Instant },
): Promise<void> {
  const { workspaceId } = of;
  const { preferred } = await ownPageOf(db, { of, before: null, now });
  const contact = await rows.findOwnContact(db, { workspaceId, key: recipientKey(of.recipient) });
  if (contact === undefined || preferred === null || (channel !== null && !preferred.among.includes(channel)))
    throw new Invalid([{ path: 'prefer', message: 'This channel cannot be chosen any more' }]);
  await preferChannel({ db, workspaceId }, { id: contact.id, channel, now: now.toString() });
}

const addressesOf = ({
  email,
  phone,
}: {
  email: string | null;
  phone: string | null;
}): Record<PreferableChannel, string | null> => ({ email, sms: phone, whatsapp: phone });

/** A subject as it was written, without the names of its variables. */
function withGaps(subject: string | null): string | null {
  const text = subject?.replaceAll(/\{\{[^{}]*\}\}|\{%[^{}]*%\}/g, '…').trim() ?? '';
  return text === '' ? null : text;
}
