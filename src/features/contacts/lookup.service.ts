import { type Dialling, e164 } from '#delivery/phone.ts';
import { parseRecipient, recipientKey } from '#domain/recipients.ts';
import type { Contact } from '#domain/variables.ts';
import { findByAddresses } from '#features/contacts/contacts.db.ts';
import { diallingOf } from '#features/contacts/dialling.service.ts';
import type { TenantContext } from '#platform/context.ts';

/** Whom the workspace knows of these recipients, by `recipientKey`. */
export async function contactsAmong(ctx: TenantContext, recipients: readonly string[]): Promise<Map<string, Contact>> {
  const parsed = recipients.map(parseRecipient);
  const hasNational = parsed.some(({ kind, address }) => kind === 'phone' && !address.startsWith('+'));
  const dialling: Dialling = hasNational ? await diallingOf(ctx, { country: null }) : {};
  const keys = new Map<string, string>();
  for (const { kind, address } of parsed) {
    if (kind === 'email') keys.set(recipientKey(address), address.toLowerCase());
    if (kind === 'phone') keys.set(recipientKey(address), e164(address, dialling) ?? address);
  }
  const wanted = [...new Set(keys.values())];
  const found = await findByAddresses(ctx.db, {
    workspaceId: ctx.workspaceId,
    emails: wanted.filter((key) => key.includes('@')),
    phones: wanted.filter((key) => !key.includes('@')),
  });
  const byAddress = new Map(
    found.flatMap((contact) => [contact.email, contact.phone].map((address) => [address, contact] as const)),
  );
  return new Map(
    [...keys].flatMap(([key, address]) => {
      const contact = byAddress.get(address);
      return contact === undefined ? [] : [[key, contact]];
    }),
  );
}
