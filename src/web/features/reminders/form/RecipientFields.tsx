import { Box, Combobox, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactElement, useState } from 'react';
import { counted } from '#domain/in-words.ts';
import { isAudience } from '#contract/audience.ts';
import type { Contact } from '#contract/contacts.ts';
import { isForEvent } from '#contract/reminders.ts';
import { useContactsLike } from '#web/api/contacts.ts';
import { ChipList } from '#web/features/reminders/ChipList.tsx';
import { EntryField } from '#web/features/reminders/EntryField.tsx';
import { RecipientNotices } from '#web/features/reminders/RecipientNotices.tsx';
import { addressesOf } from './addresses-of.ts';
import { ChipListHead } from './ChipListHead.tsx';
import { withRecipient, withRecipients } from './entries.ts';
import { useReminderFormContext } from './form-context.ts';
import { SeveralRecipients } from './recipients/SeveralRecipients.tsx';
import classes from './ReminderForm.module.css';
import prose from '#web/ui/prose.module.css';

/** The recipients: added one by one, pasted, and listed. */
export function RecipientFields() {
  const form = useReminderFormContext();
  const { recipients } = form.values.content;
  const { schedule_config: schedule, metadata } = form.values;
  const hasPeople = isAudience(metadata.audience) || isForEvent({ schedule_config: schedule, metadata });
  const set = (list: string[]) => form.setFieldValue('content.recipients', list);
  const addOne = () => {
    set(withRecipient(recipients, form.values.entries.recipient));
    form.setFieldValue('entries.recipient', '');
  };
  const addContact = (contact: Contact) => {
    set(withRecipients(recipients, addressesOf(contact, form.values.metadata.channels).join('\n')));
    form.setFieldValue('entries.recipient', '');
  };
  return (
    <>
      <EntryField
        label="Recipients"
        isRequired={!hasPeople}
        placeholder="Email, phone, URL or the name of a contact"
        addLabel="Add recipient"
        error={form.errors['content.recipients']}
        value={form.values.entries.recipient}
        onType={(text) => form.setFieldValue('entries.recipient', text)}
        onAdd={addOne}
        around={(input) => (
          <ContactSuggestions typed={form.values.entries.recipient} onChoose={addContact}>
            {input}
          </ContactSuggestions>
        )}
      />
      <SeveralRecipients />
      {(recipients.length > 0 || !hasPeople) && (
        <Box p="8px 12px 12px" bd="1px solid var(--line)" bdrs="md">
          <ChipListHead
            title={counted(recipients.length, 'recipient')}
            clearLabel="Clear All"
            onClear={recipients.length > 0 ? () => set([]) : undefined}
          />
          <ChipList
            label="Recipients"
            chips={recipients}
            onRemove={(index) => set(recipients.filter((_, at) => at !== index))}
          />
          <RecipientNotices recipients={recipients} channels={form.values.metadata.channels} />
        </Box>
      )}
    </>
  );
}

type ContactSuggestionsProps = {
  typed: string;
  onChoose: (contact: Contact) => void;
  /** The text input. */
  children: ReactElement;
};

/** Contacts that match the typed text, below the input; arrow keys highlight one, Enter selects it. */
function ContactSuggestions({ typed, onChoose, children }: ContactSuggestionsProps) {
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
    <Box miw={0} onBlur={() => dismiss(text)}>
      <Combobox store={combobox} onOptionSubmit={choose}>
        <Combobox.Target withExpandedAttribute>{children}</Combobox.Target>
        <Combobox.Dropdown hidden={found.length === 0}>
          <Combobox.Options aria-label="Contacts">
            {found.map(({ id, name, email, phone }) => (
              <Combobox.Option key={id} value={id} className={classes.option}>
                <span className={`${prose.oneLine} ${prose.strong}`}>{name ?? email ?? phone}</span>
                <span className={`${prose.oneLine} ${classes.address}`}>
                  {[name && email, phone].filter(Boolean).join(' · ')}
                </span>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </Box>
  );
}
