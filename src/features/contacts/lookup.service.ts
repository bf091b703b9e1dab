import type { Contact } from '#contract/contacts.ts';
import { type Dialling, phoneKey } from '#delivery/phone.ts';
import { parseLine } from '#domain/recipients.ts';
import { contactEmailKey, findByAddresses, findContact } from '#features/contacts/contacts.db.ts';
import { diallingOf } from '#features/contacts/dialling.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { mapInSlices } from '#platform/in-slices.ts';

/**
 * The workspace's contacts among these recipients, by `recipientKey` of the recipient and of its number in E.164.
 * @param given.dialling how national numbers are called; by default as the workspace's phone channel calls them
 */
export async function contactsAmong(
  ctx: TenantContext,
  recipients: readonly string[],
  given: { dialling?: Dialling } = {},
): Promise<Map<string, Contact>> {
  const lines = await mapInSlices(recipients, parseLine);
  const hasNational = lines.some(({ recipient: { kind, address } }) => kind === 'phone' && !address.startsWith('+'));
  const dialling = given.dialling ?? (hasNational ? await diallingOf(ctx, { country: null }) : {});
  const keys = new Map<string, string>();
  for (const { recipient, key } of lines) {
    if (recipient.kind === 'email') keys.set(key, key);
    if (recipient.kind === 'phone') keys.set(key, phoneKey(recipient.address, dialling));
  }
  const wanted = [...new Set(keys.values())];
  const found = await findByAddresses(ctx.db, {
    workspaceId: ctx.workspaceId,
    emailKeys: wanted.filter((key) => key.includes('@')),
    phones: wanted.filter((key) => !key.includes('@')),
  });
  const byAddress = new Map(
    found.flatMap((contact) => [contactEmailKey(contact), contact.phone].map((key) => [key, contact] as const)),
  );
  return new Map(
    [...keys].flatMap(([key, address]) => {
      const contact = byAddress.get(address);
      return contact === undefined ? [] : [key, address].map((one) => [one, contact] as const);
    }),
  );
}

/** The contact with this id; null when the workspace has none. */
export async function findContactById({ db, workspaceId }: TenantContext, id: string): Promise<Contact | null> {
  return (await findContact(db, { workspaceId, id })) ?? null;
}
