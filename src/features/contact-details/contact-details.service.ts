import { domainToUnicode } from 'node:url';
import type { ContactDetails } from '#contract/contact-details.ts';
import type { Contact } from '#contract/contacts.ts';
import { emailKey } from '#contract/email-address.ts';
import type { ChannelType } from '#contract/reminders.ts';
import { groupsOf } from '#features/contact-groups/audience.service.ts';
import { getContact } from '#features/contacts/contacts.service.ts';
import { listDeliveriesToPerson } from '#features/jobs/jobs.service.ts';
import { suppressionsOf } from '#features/suppressions/suppressions.service.ts';
import type { TenantContext } from '#platform/context.ts';

/** A contact with its groups and suppressions. Throws NotFound. */
export async function showContact(ctx: TenantContext, id: string): Promise<ContactDetails> {
  const contact = await getContact(ctx, id);
  const groups = await groupsOf(ctx, contact);
  return { ...contact, groups, suppressions: await suppressionsOf(ctx, keysOf(contact)) };
}

type DeliveriesQuery = { id: string; limit: number; cursor?: string; channel?: ChannelType };

/** What the contact was sent, newest first. Throws NotFound. */
export async function listDeliveries(ctx: TenantContext, { id, ...query }: DeliveriesQuery) {
  const contact = await getContact(ctx, id);
  return listDeliveriesToPerson(ctx, { ...query, contactId: id, addresses: spellingsOf(contact) });
}

/** The keys of the contact's address and number, as the suppression list has them. */
export const keysOf = ({ email, phone }: Pick<Contact, 'email' | 'phone'>): string[] =>
  [email === null ? null : emailKey(email), phone].filter((key) => key !== null);

/** The address in either form of its domain, and the number in E.164, as the ledger may have them. */
function spellingsOf(contact: Pick<Contact, 'email' | 'phone'>): string[] {
  const keys = keysOf(contact);
  const unicode = keys.map((key) => key.replace(/(?<=@)[^@]*$/, domainToUnicode));
  return [...new Set([...keys, ...unicode, ...(contact.email === null ? [] : [contact.email])])];
}
