import type { ContactField } from '#contract/contacts.ts';

/** The fields of a contact by the titles of their columns, in a file and in the list; a contact's own values have their own names. */
export const contactFieldTitles = {
  name: 'Name',
  salutation: 'Salutation',
  first_name: 'First name',
  last_name: 'Last name',
  email: 'E-mail',
  phone: 'Phone',
  timezone: 'Timezone',
  language: 'Language',
  preferred_channel: 'Preferred channel',
  note: 'Note',
  tags: 'Tags',
} as const satisfies Record<Exclude<ContactField, 'variables'>, string>;
