import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { Contact } from '#contract/contacts.ts';
import { useContactsLike } from '#web/api/contacts.ts';

type TestValuesOfProps = { chosen: Contact | null; onChoose: (contact: Contact | null) => void };

/** The contact whose values the test uses; shows nothing in a workspace without contacts. */
export function TestValuesOf({ chosen, onChoose }: TestValuesOfProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 200);
  // The text of the field is the chosen contact's: a new search begins with what is typed.
  const isChosen = chosen !== null && typed === labelOf(chosen);
  const { data: found = [] } = useContactsLike(isChosen ? '' : search);
  const [hasContacts, setHasContacts] = useState(false);
  if (!hasContacts && found.length > 0) setHasContacts(true);
  if (!hasContacts) return null;
  const offered = chosen === null || found.some(({ id }) => id === chosen.id) ? found : [chosen, ...found];
  return (
    <Select
      label="With the values of"
      placeholder="Nobody in particular"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the contact' }}
      nothingFoundMessage="No contact found"
      data={offered.map((contact) => ({ value: contact.id, label: labelOf(contact) }))}
      // The server searches.
      filter={({ options }) => options}
      value={chosen?.id ?? null}
      onSearchChange={setTyped}
      onChange={(id) => onChoose(offered.find((contact) => contact.id === id) ?? null)}
    />
  );
}

function labelOf({ name, email, phone }: Contact): string {
  const address = email ?? phone;
  return name === null ? (address ?? '') : address === null ? name : `${name} (${address})`;
}
