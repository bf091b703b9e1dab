import { domainToUnicode } from 'node:url';
import type { Contact } from '#contract/contacts.ts';
import { emailKey } from '#contract/email-address.ts';

type Addresses = Pick<Contact, 'email' | 'phone'>;

/** The keys of a contact's address and number, as the suppression list has them. */
export const keysOf = ({ email, phone }: Addresses): string[] =>
  [email === null ? null : emailKey(email), phone].filter((key) => key !== null);

/** The spellings of these keys that the ledger may have: an address in either form of its domain, and a number in E.164. */
export const spellingsOfKeys = (keys: readonly string[]): string[] => [
  ...new Set([...keys, ...keys.map((key) => key.replace(/(?<=@)[^@]*$/, domainToUnicode))]),
];

/** The spellings of a contact's address and number that the ledger may have. */
export const spellingsOf = (contact: Addresses): string[] => [
  ...new Set([...spellingsOfKeys(keysOf(contact)), ...(contact.email === null ? [] : [contact.email])]),
];
