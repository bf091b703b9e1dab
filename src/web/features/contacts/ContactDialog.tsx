import { Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type Contact, ContactInput, contactLimits } from '#contract/contacts.ts';
import { typoIn } from '#contract/email-address.ts';
import { ApiError } from '#web/api/client.ts';
import { useSaveContact } from '#web/api/contacts.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { zoneChoices } from '#web/features/reminders/form/zones.ts';
import { DialogForm } from '#web/ui/DialogForm.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { bodyOf, type ContactDraft, type ContactForm, draftOf } from './contact-draft.ts';
import { displayNameOf } from './contact-words.ts';
import classes from './dialogs.module.css';
import { TagsField } from './TagsField.tsx';
import { ValueRows } from './ValueRows.tsx';

type ContactDialogProps = {
  /** The contact to edit, or null for a new one. */
  contact: Contact | null;
  /** Names of values that a message needs: each has a row to fill in. */
  lacked?: readonly string[];
  opened: boolean;
  onClose: () => void;
};

/** Adds or edits a contact; asks before discarding changes. Loaded separately from the list. */
export default function ContactDialog({ contact, lacked = [], opened, onClose }: ContactDialogProps) {
  // The initial values are read once: later server data must not overwrite the user's input.
  const form = useForm<ContactDraft>({ initialValues: draftOf(contact, lacked) });
  return (
    <FormDialog
      title={contact ? 'Edit Contact' : 'Add Contact'}
      opened={opened}
      width={560}
      isDirty={form.isDirty}
      onClose={onClose}
    >
      {(leave) => <Form form={form} contact={contact} onCancel={leave} onDone={onClose} />}
    </FormDialog>
  );
}

const typingPauseMs = 700;

type FormProps = { form: ContactForm; contact: Contact | null; onCancel: () => void; onDone: () => void };

function Form({ form, contact, onCancel, onDone }: FormProps) {
  const { mutateAsync, isPending } = useSaveContact(contact?.id);
  const [zones] = useState(() =>
    zoneChoices(new Date(), [viewerZone(), ...(contact?.timezone ? [contact.timezone] : [])]),
  );
  // The check for typos is debounced: a partly typed address always looks wrong.
  const [settled] = useDebouncedValue(form.getValues().email, typingPauseMs);
  const typo = typoIn(settled.trim());
  // Then the first value that lacks has the focus.
  const [isLacking] = useState(() => form.getValues().values.some(({ isSuggested }) => isSuggested));
  const submit = async () => {
    const { body, errors } = bodyOf(form.getValues());
    const parsed = ContactInput.safeParse(body);
    const wrong = { ...withField(fieldErrors(parsed.error?.issues ?? [])), ...errors };
    if (Object.keys(wrong).length > 0) return refuse(wrong);
    form.clearErrors();
    try {
      const saved = await mutateAsync(body);
      notifySuccess(contact ? 'Contact updated' : 'Contact added', `${displayNameOf(saved)} has been saved.`);
      onDone();
    } catch (error) {
      notifyFailure('Error saving contact', error);
      if (error instanceof ApiError && error.fields.length > 0) refuse(withField(fieldErrors(error.fields)));
    }
  };
  const refuse = (errors: Record<string, string>) => {
    form.setErrors(errors);
    setTimeout(() => document.querySelector<HTMLElement>('[role=dialog] [aria-invalid=true]')?.focus());
  };
  return (
    <DialogForm
      submitLabel={contact ? 'Save Contact' : 'Add Contact'}
      isSaving={isPending}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Stack gap={16} mb={24}>
        <TextInput
          label="Name"
          data-autofocus={!isLacking || undefined}
          maxLength={contactLimits.name}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <div className={classes.pair}>
          <TextInput
            label="Email"
            type="email"
            maxLength={contactLimits.email}
            placeholder="anna@example.com"
            description={typo === null ? undefined : `It ${typo}: is it mistyped?`}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="off"
            {...form.getInputProps('email')}
          />
          <TextInput
            label="Phone"
            type="tel"
            maxLength={contactLimits.phone}
            placeholder="+49 151 23456789"
            autoComplete="off"
            {...form.getInputProps('phone')}
          />
        </div>
        <Select
          label="Timezone"
          description="The contact’s timezone; leave it blank if unknown."
          data={zones}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the timezone' }}
          nothingFoundMessage="No timezone found"
          maxDropdownHeight={240}
          {...form.getInputProps('timezone')}
        />
        <TagsField form={form} />
        <ValueRows form={form} />
      </Stack>
    </DialogForm>
  );
}

/** Errors of the whole contact are shown at its first field. */
const withField = ({ '': whole, ...errors }: Record<string, string>): Record<string, string> =>
  whole === undefined ? errors : { name: whole, ...errors };
