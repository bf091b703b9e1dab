import type { Contact } from '#contract/contacts.ts';
import type { ChannelType } from '#contract/reminders.ts';

/**
 * What is written into the recipient list for a contact: where the chosen channels reach it, or what there is. Without its
 * name, which a message takes from the contact as it is when it is sent.
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
