import type { Contact } from '#contract/contacts.ts';
import type { ChannelType } from '#contract/channel-types.ts';

/**
 * The recipients to add for a contact: its addresses on the chosen channels, or else any address it has. The name is
 * left out, because messages take it from the contact when they are sent.
 */
export function addressesOf(
  { email, phone }: Pick<Contact, 'email' | 'phone'>,
  channels: readonly ChannelType[],
): string[] {
  const byMail = email !== null && channels.includes('email') ? [email] : [];
  const byPhone =
    phone !== null && channels.some((channel) => channel === 'sms' || channel === 'whatsapp') ? [phone] : [];
  const fitting = [...byMail, ...byPhone];
  const any = email ?? phone;
  return fitting.length > 0 || any === null ? fitting : [any];
}
