import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type FormEvent, useState } from 'react';
import { type Contact, ContactInput, contactLimits } from '#contract/contacts.ts';
import { ApiError } from '#web/api/client.ts';
import { useSaveContact } from '#web/api/contacts.ts';
import { zoneChoices } from '#web/features/reminders/form/zones.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { viewerZone } from '#web/ui/InstantText.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { bodyOf, type ContactDraft, draftOf } from './contact-draft.ts';
import { calledOf } from './contact-words.ts';
import classes from './dialogs.module.css';
import { ValueRows } from './ValueRows.tsx';

type ContactDialogProps = {
  /** The one to edit, null to add one. */
  contact: Contact | null;
  opened: boolean;
  onClose: () => void;
};

/** Adds a contact, or edits one; asks before what was typed is thrown away. Loaded apart from the list. */
export default function ContactDialog({ contact, opened, onClose }: ContactDialogProps) {
  // Taken once: what arrives later from the server must not overwrite what is being typed.
  const form = useForm<ContactDraft>({ initialValues: draftOf(contact) });
  const [isAsking, setIsAsking] = useState(false);
  const leave = () => {
    // Escape is heard by both dialogs, and is for the one in front.
    if (isAsking) return;
    if (!form.isDirty()) return onClose();
    // Later than the key press, which the dialog that then opens would take for its own.
    setTimeout(() => setIsAsking(true));
  };
  return (
    <>
      <Dialog title={contact ? 'Edit Contact' : 'Add Contact'} opened={opened} onClose={leave} width={560}>
        <Form form={form} contact={contact} onCancel={leave} onDone={onClose} />
      </Dialog>
      <ConfirmDialog
        title="Close without saving?"
        confirmLabel="Close without saving"
        opened={isAsking && opened}
        onClose={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          onClose();
        }}
      >
        What you have filled in here is not saved yet.
      </ConfirmDialog>
    </>
  );
}

export type ContactForm = ReturnType<typeof useForm<ContactDraft>>;

type FormProps = { form: ContactForm; contact: Contact | null; onCancel: () => void; onDone: () => void };

function Form({ form, contact, onCancel, onDone }: FormProps) {
  const { mutateAsync, isPending } = useSaveContact(contact?.id);
  const [zones] = useState(() =>
    zoneChoices(new Date(), [viewerZone(), ...(contact?.timezone ? [contact.timezone] : [])]),
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const { body, errors } = bodyOf(form.getValues());
    const parsed = ContactInput.safeParse(body);
    const wrong = { ...withField(fieldErrors(parsed.error?.issues ?? [])), ...errors };
    if (Object.keys(wrong).length > 0) return refuse(wrong);
    form.clearErrors();
    try {
      const saved = await mutateAsync(body);
      notifySuccess(contact ? 'Contact updated' : 'Contact added', `${calledOf(saved)} has been saved.`);
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
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Stack gap={16}>
        <TextInput
          label="Name"
          data-autofocus
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
          description="Where they are; leave it open if you do not know."
          data={zones}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the timezone' }}
          nothingFoundMessage="No such timezone"
          maxDropdownHeight={240}
          {...form.getInputProps('timezone')}
        />
        <ValueRows form={form} />
      </Stack>
      <Group className={classes.footer} justify="flex-end" gap={8}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          {contact ? 'Save Contact' : 'Add Contact'}
        </Button>
      </Group>
    </form>
  );
}

/** What is wrong with the contact as a whole is shown at its first field. */
const withField = ({ '': whole, ...errors }: Record<string, string>): Record<string, string> =>
  whole === undefined ? errors : { name: whole, ...errors };
