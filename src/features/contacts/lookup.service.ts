import type { Contact } from '#contract/contacts.ts';
import { type Dialling, phoneKey } from '#delivery/phone.ts';
import { parseLine } from '#domain/recipients.ts';
import {
  contactEmailKey,
  findByAddressesWithin,
  findContact,
  type FoundContact,
} from '#features/contacts/contacts.db.ts';
import { diallingOf } from '#features/contacts/dialling.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { mapInSlices } from '#platform/in-slices.ts';

/**
 * The values of ten thousand contacts could be a gigabyte, though in real workspaces they are a few megabytes: beyond this size they are not read.
 */
const mostValueBytes = 32_000_000;

/**
 * The workspace's contacts among these recipients, by `recipientKey` of the recipient and of its number in E.164. Of
 * contacts with very much in them, some come without their values.
 * @param given.dialling how national numbers are called; by default as the workspace's phone channel calls them
 * @param given.withValues false when nobody asks for the values
 */
export async function contactsAmong(
  ctx: TenantContext,
  recipients: readonly string[],
  given: { dialling?: Dialling; withValues?: boolean } = {},
): Promise<Map<string, FoundContact>> {
  const lines = await mapInSlices(recipients, parseLine);
  const hasNational = lines.some(({ recipient: { kind, address } }) => kind === 'phone' && !address.startsWith('+'));
  const dialling = given.dialling ?? (hasNational ? await diallingOf(ctx, { country: null }) : {});
  const keys = new Map<string, string>();
  for (const { recipient, key } of lines) {
    if (recipient.kind === 'email') keys.set(key, key);
    if (recipient.kind === 'phone') keys.set(key, phoneKey(recipient.address, dialling));
  }
  const wanted = [...new Set(keys.values())];
  const found = await findByAddressesWithin(ctx.db, {
    workspaceId: ctx.workspaceId,
    valueBytes: given.withValues === false ? 0 : mostValueBytes,
    emailKeys: wanted.filter((key) => key.includes('@')),
    phones: wanted.filter((key) => !key.includes('@')),
  });
  const byAddress = new Map<string | null, FoundContact>();
  await mapInSlices(found, (contact) => {
    for (const key of [contactEmailKey(contact), contact.phone]) byAddress.set(key, contact);
  });
  const contacts = new Map<string, FoundContact>();
  await mapInSlices([...keys], ([key, address]) => {
    const contact = byAddress.get(address);
    if (contact !== undefined) contacts.set(key, contact).set(address, contact);
  });
  return contacts;
}

export type { FoundContact };

/** The contact with this id; null when the workspace has none. */
export async function findContactById({ db, workspaceId }: TenantContext, id: string): Promise<Contact | null> {
  return (await findContact(db, { workspaceId, id })) ?? null;
}
