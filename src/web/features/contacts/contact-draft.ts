import type { useForm } from '@mantine/form';
import { type Contact, type PreferableChannel, variableForm } from '#contract/contacts.ts';
import { followsParts, joinedName } from '#domain/person-name.ts';
import { sameNames } from '#contract/variable-name.ts';
import type { ContactBody } from '#web/api/contacts.ts';

/** The state of the contact form. Its paths match the contract, so that errors find their fields. */
export type ContactDraft = {
  name: string;
  first_name: string;
  last_name: string;
  salutation: string;
  language: string | null;
  preferred_channel: PreferableChannel | null;
  note: string;
  email: string;
  phone: string;
  timezone: string | null;
  tags: string[];
  /** The contact's own values. A suggested row is left out while it is blank. */
  values: { name: string; value: string; key: string; isSuggested?: true }[];
};

export type ContactForm = ReturnType<typeof useForm<ContactDraft>>;

/** @param lacked names of values that the contact has none of */
export const draftOf = (contact: Contact | null, lacked: readonly string[] = []): ContactDraft => ({
  // A name that follows its parts is left to them.
  name: contact === null || (followsParts(contact) && joinedName(contact) !== null) ? '' : (contact.name ?? ''),
  first_name: contact?.first_name ?? '',
  last_name: contact?.last_name ?? '',
  salutation: contact?.salutation ?? '',
  language: contact?.language ?? null,
  preferred_channel: contact?.preferred_channel ?? null,
  note: contact?.note ?? '',
  email: contact?.email ?? '',
  phone: contact?.phone ?? '',
  timezone: contact?.timezone ?? null,
  tags: contact?.tags ?? [],
  values: [
    ...Object.entries(contact?.variables ?? {}).map(([name, value]) => ({ name, value, key: name })),
    ...lacked.map((name) => ({ name, value: '', key: `lacked ${name}`, isSuggested: true as const })),
  ],
});

/** The request body, and the errors in the names of the values. Blank rows are left out. */
export function bodyOf(draft: ContactDraft): { body: ContactBody; errors: Record<string, string> } {
  const { values, ...rest } = draft;
  const errors: Record<string, string> = {};
  const variables: Record<string, string> = {};
  for (const [index, row] of values.entries()) {
    const name = row.name.trim();
    if ((name === '' || row.isSuggested === true) && row.value.trim() === '') continue;
    const wrong = name === '' ? 'Enter a name' : nameProblem(name, variables);
    if (wrong !== null) errors[`values.${index}.name`] = wrong;
    else variables[name] = row.value;
  }
  return { body: { ...rest, variables }, errors };
}

function nameProblem(name: string, taken: Readonly<Record<string, string>>): string | null {
  if (!variableForm.test(name)) return 'Use only letters, digits, _ and -, starting with a letter';
  const same = sameNames([...Object.keys(taken), name]);
  if (same === null) return null;
  return same[0] === name ? 'Another value has this name' : `In messages this is the same name as ${same[0]}`;
}
