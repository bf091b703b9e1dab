import { groupLimits, GroupInput } from '#contract/contact-groups.ts';
import { ContactInput } from '#contract/contacts.ts';
import { wholeName } from '#domain/person-name.ts';
import { emailKey } from '#contract/email-address.ts';
import { e164, notANumber } from '#delivery/phone.ts';
import { parseLine } from '#domain/recipients.ts';
import { SuppressionItem } from '#features/workspace-file/file-items.ts';
import * as rows from '#features/workspace-file/import.db.ts';
import { type Decided, decideSection, readBy, type Reader, type Verdict } from '#features/workspace-file/read-items.ts';
import type { TenantContext } from '#platform/context.ts';
import { mapInSlices, serveOthers } from '#platform/in-slices.ts';

const searchesIn = ({ rule }: GroupInput) => rule.conditions.filter(({ test }) => test === 'contains').length;

export async function decideGroups(ctx: TenantContext, items: readonly unknown[]): Promise<Decided<rows.GroupMade>[]> {
  const counted = await rows.countItems(ctx.db, ctx);
  let free = groupLimits.perWorkspace - counted.groups;
  let freeSearches = groupLimits.containsPerWorkspace - counted.searches;
  return decideSection<GroupInput, GroupInput>(ctx, items, {
    section: 'contact_groups',
    table: 'contact_groups',
    read: readBy(GroupInput),
    judge: async (read) => {
      const names = read.map(({ value }) => value.name.trim());
      const there = await rows.findGroupsNamed(ctx.db, { workspaceId: ctx.workspaceId, names });
      const begun = new Set<string>();
      return read.map(({ value }, at): Verdict<GroupInput> => {
        const { key = '', id = null } = there[at] ?? {};
        if (id !== null) return { existing: id };
        if (begun.has(key)) return { refused: [{ path: 'name', message: 'is the name of another group of the file' }] };
        if (free < 1)
          return { refused: [{ path: '', message: `A workspace has at most ${groupLimits.perWorkspace} groups` }] };
        if (searchesIn(value) > freeSearches) {
          const message = `The groups of a workspace have at most ${groupLimits.containsPerWorkspace} conditions with “contains”`;
          return { refused: [{ path: 'rule.conditions', message }] };
        }
        begun.add(key);
        free -= 1;
        freeSearches -= searchesIn(value);
        return { row: { ...value, name: value.name.trim() } };
      });
    },
  });
}

type ContactFields = Omit<rows.ContactMade, 'id' | 'ref'>;

/** Phone numbers in a file have their country code. */
const readContact: Reader<ContactFields> = (item) => {
  const read = readBy(ContactInput)(item);
  if ('refused' in read) return read;
  const { default_country: _, tags = [], email, phone, ...value } = read.value;
  const number = phone === null ? null : e164(phone);
  if (phone !== null && number === null) return { refused: [{ path: 'phone', message: notANumber(phone) }] };
  const { paused_until: pausedUntil = null } = value;
  return {
    value: {
      ...value,
      name: wholeName(value),
      tags,
      paused_until: pausedUntil,
      email: email?.toLowerCase() ?? null,
      phone: number,
    },
  };
};

export const decideContacts = (ctx: TenantContext, items: readonly unknown[]): Promise<Decided<rows.ContactMade>[]> =>
  decideSection<ContactFields, ContactFields>(ctx, items, {
    section: 'contacts',
    table: 'contacts',
    read: readContact,
    judge: async (read) => {
      const keyOf = ({ email }: ContactFields) => (email === null ? null : emailKey(email));
      const keys = await mapInSlices(read, ({ value }) => keyOf(value));
      await serveOthers();
      const there = await rows.findContactsAt(ctx.db, {
        workspaceId: ctx.workspaceId,
        emailKeys: keys.filter((key) => key !== null),
        phones: read.flatMap(({ value }) => value.phone ?? []),
      });
      const byAddress = new Map(
        there.flatMap(({ id, email_key: key, phone }) =>
          [key, phone].flatMap((at): [string, string][] => (at === null ? [] : [[at, id]])),
        ),
      );
      await serveOthers();
      const begun = new Map<string, number>();
      return mapInSlices(read, ({ at, value }): Verdict<ContactFields> => {
        const addresses = [keyOf(value), value.phone].filter((address) => address !== null);
        const known = addresses.map((address) => byAddress.get(address)).find((id) => id !== undefined);
        if (known !== undefined) return { existing: known };
        const other = addresses.map((address) => begun.get(address)).find((first) => first !== undefined);
        if (other !== undefined)
          return { refused: [{ path: '', message: `has an address or a number of contacts.${other}` }] };
        for (const address of addresses) begun.set(address, at);
        return { row: value };
      });
    },
  });

/** The recipient in the form by which recipients are compared. */
const readSuppression: Reader<SuppressionItem> = (item) => {
  const read = readBy(SuppressionItem)(item);
  if ('refused' in read) return read;
  const { channel, recipient } = read.value;
  const { recipient: parsed, key } = parseLine(recipient);
  const isDialled = channel === 'sms' || channel === 'whatsapp';
  const wrong = isDialled
    ? parsed.kind !== 'phone' && 'is not a phone number'
    : channel === 'email'
      ? parsed.kind !== 'email' && 'is not an email address'
      : parsed.kind === 'other' && 'is neither a URL, an email address nor a phone number';
  return wrong === false
    ? { value: { ...read.value, recipient: key } }
    : { refused: [{ path: 'recipient', message: wrong }] };
};

type SuppressionFields = Omit<rows.SuppressionMade, 'id' | 'ref'>;

export const decideSuppressions = (
  ctx: TenantContext,
  items: readonly unknown[],
  { topics }: { topics: ReadonlyMap<string, string> },
): Promise<Decided<rows.SuppressionMade>[]> =>
  decideSection<SuppressionItem, SuppressionFields>(ctx, items, {
    section: 'suppressions',
    table: null,
    read: readSuppression,
    judge: async (read) => {
      const keyOf = ({
        channel,
        recipient,
        covers,
        topic_id: topicId,
        ends_at: endsAt,
      }: Omit<SuppressionFields, 'reason' | 'created_at'>) =>
        `${channel} ${covers} ${topicId ?? ''} ${endsAt === null ? '' : 'paused'} ${recipient}`;
      const fields = read.map(({ value: { topic, ...value } }): SuppressionFields | null => {
        const topicId = topic === null ? null : topics.get(topic);
        return topicId === undefined ? null : { ...value, topic_id: topicId };
      });
      const found = await rows.findSuppressed(ctx.db, {
        workspaceId: ctx.workspaceId,
        items: fields.flatMap((one) => {
          if (one === null) return [];
          const { channel, recipient, covers, topic_id, ends_at } = one;
          return [{ channel, recipient, covers, topic_id, ends_at }];
        }),
      });
      const there = new Set(found.map(keyOf));
      return fields.map((one): Verdict<SuppressionFields> => {
        if (one === null)
          return { refused: [{ path: 'topic', message: 'is not a topic of this file, or cannot be made' }] };
        const key = keyOf(one);
        if (there.has(key)) return { existing: '' };
        there.add(key);
        return { row: one };
      });
    },
  });
