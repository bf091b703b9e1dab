import { Combobox, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactElement, useState } from 'react';
import type { Contact } from '#contract/contacts.ts';
import { useContactsLike } from '#web/api/contacts.ts';
import classes from './ContactSuggestions.module.css';

type ContactSuggestionsProps = {
  typed: string;
  onChoose: (contact: Contact) => void;
  /** The text input. */
  children: ReactElement;
};

/** Contacts that match the typed text, below the input; arrow keys highlight one, Enter selects it. */
export function ContactSuggestions({ typed, onChoose, children }: ContactSuggestionsProps) {
  const text = typed.trim();
  const [settled] = useDebouncedValue(text, 150);
  const isAsked = text.length >= 2 && settled.length >= 2;
  const { data = [] } = useContactsLike(isAsked ? settled : null);
  // Contacts without address and number cannot be recipients.
  const found = isAsked ? data.filter(({ email, phone }) => email !== null || phone !== null) : [];
  /** The text for which the list was closed or left. */
  const [dismissed, dismiss] = useState('');
  const opened = found.length > 0 && dismissed !== text;
  const combobox = useCombobox({
    opened,
    onOpenedChange: (open) => dismiss(open ? '' : text),
    onDropdownClose: () => combobox.resetSelectedOption(),
  });
  const choose = (id: string) => {
    const contact = found.find((one) => one.id === id);
    if (contact !== undefined) onChoose(contact);
    combobox.resetSelectedOption();
  };
  return (
    <div className={classes.anchor} onBlur={() => dismiss(text)}>
      <Combobox store={combobox} onOptionSubmit={choose}>
        <Combobox.Target withExpandedAttribute>{children}</Combobox.Target>
        <Combobox.Dropdown hidden={found.length === 0}>
          <Combobox.Options aria-label="Contacts">
            {found.map(({ id, name, email, phone }) => (
              <Combobox.Option key={id} value={id} className={classes.option}>
                <span className={classes.name}>{name ?? email ?? phone}</span>
                <span className={classes.address}>{[name && email, phone].filter(Boolean).join(' · ')}</span>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </div>
  );
}
