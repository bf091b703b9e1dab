import type { Contact, ContactField } from '#contract/contacts.ts';

/** The fields of a contact by the titles of their columns, in a file and in the list; a contact's own values have their own names. */
export const contactFieldTitles = {
  name: 'Name',
  salutation: 'Salutation',
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  phone: 'Phone',
  timezone: 'Timezone',
  language: 'Language',
  preferred_channel: 'Preferred channel',
  paused_until: 'No reminders before',
  note: 'Note',
  tags: 'Tags',
} as const satisfies Record<Exclude<ContactField, 'variables'>, string>;

/** What people and programs have written of a contact. */
export function writtenFieldsOf(contact: Contact) {
  const { name, first_name, last_name, salutation, language, preferred_channel, paused_until, note } = contact;
  const { email, phone, timezone, variables, tags } = contact;
  const person = { name, first_name, last_name, salutation, language, preferred_channel, paused_until, note };
  return { ...person, email, phone, timezone, variables, tags } satisfies Pick<Contact, ContactField>;
}
