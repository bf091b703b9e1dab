import { Combobox, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactElement, useState } from 'react';
import type { Contact } from '#contract/contacts.ts';
import { useContactsLike } from '#web/api/contacts.ts';
import classes from './ContactSuggestions.module.css';

type ContactSuggestionsProps = {
  typed: string;
  onChoose: (contact: Contact) => void;
  /** The input in which is typed. */
  children: ReactElement;
};

/** Below an input the contacts that fit what is typed there; the arrows reach them, Enter takes one. */
export function ContactSuggestions({ typed, onChoose, children }: ContactSuggestionsProps) {
  const text = typed.trim();
  const [settled] = useDebouncedValue(text, 150);
  const isAsked = text.length >= 2 && settled.length >= 2;
  const { data = [] } = useContactsLike(isAsked ? settled : null);
  // Whoever has neither address nor number cannot be written to.
  const found = isAsked ? data.filter(({ email, phone }) => email !== null || phone !== null) : [];
  /** For this text the list was closed, or left behind. */
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
    <div className={classes.place} onBlur={() => dismiss(text)}>
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
