import { ActionIcon, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { type Contact, ContactInput, contactLimits, preferableChannels } from '#contract/contacts.ts';
import { typoIn } from '#contract/email-address.ts';
import { joinedName } from '#domain/person-name.ts';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { ApiError } from '#web/api/client.ts';
import { useSaveContact } from '#web/api/contacts.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { zoneChoices } from '#web/features/reminders/form/zones.ts';
import { act } from '#web/ui/act.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { DialogForm } from '#web/ui/DialogForm.tsx';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import prose from '#web/ui/prose.module.css';
import { bodyOf, type ContactDraft, type ContactForm, draftOf } from './contact-draft.ts';
import { ownNameOf } from '#contract/languages.ts';
import { languageChoices, languagesNamed } from './language-choices.ts';
import { displayNameOf } from './contact-words.ts';
import classes from './dialogs.module.css';
import { TagsField } from './TagsField.tsx';

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
  const [languages] = useState(() => languageChoices(contact?.language ?? null));
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
    const isSaved = await act(mutateAsync(body), {
      done: (saved) => [contact ? 'Contact updated' : 'Contact added', `${displayNameOf(saved)} has been saved.`],
      failed: 'Error saving contact',
      refused: (error) => {
        if (error instanceof ApiError && error.fields.length > 0) refuse(withField(fieldErrors(error.fields)));
        return false;
      },
    });
    if (isSaved) onDone();
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
          placeholder={joinedName(partsOf(form.getValues())) ?? undefined}
          description="Leave it blank for first and last name."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('name')}
        />
        <SimpleGrid minColWidth="min(200px, 100%)" autoFlow="auto-fit" spacing={16}>
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
        </SimpleGrid>
        <Text mt={-8} fz="xs" c="dimmed">
          Messages reach a person at one of these; those over Slack and push go to a channel and to browsers.
        </Text>
        <div className={classes.parts}>
          <TextInput
            label="Salutation"
            maxLength={contactLimits.salutation}
            placeholder="Ms"
            autoComplete="off"
            {...form.getInputProps('salutation')}
          />
          <TextInput
            label="First name"
            maxLength={contactLimits.partOfName}
            autoComplete="off"
            {...form.getInputProps('first_name')}
          />
          <TextInput
            label="Last name"
            maxLength={contactLimits.partOfName}
            autoComplete="off"
            {...form.getInputProps('last_name')}
          />
        </div>
        <Select
          label="Language"
          description="Messages have it as {{language}}."
          data={languages}
          searchable
          filter={languagesNamed}
          renderOption={({ option: { value, label } }) => <LanguageName tag={value} name={label} />}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the language' }}
          nothingFoundMessage="No language found"
          maxDropdownHeight={240}
          {...form.getInputProps('language')}
        />
        <Select
          label="Preferred channel"
          description="Tried first where a reminder tries its channels in order."
          placeholder="As the reminder says"
          data={preferableChannels.map((value) => ({ value, label: channelLooks[value].name }))}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the preferred channel' }}
          {...form.getInputProps('preferred_channel')}
        />
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
        <TagsField
          label="Tags"
          description="A reminder can be sent to everyone with a tag."
          tags={form.getValues().tags}
          onChoose={(tags) => form.setFieldValue('tags', tags)}
          error={Object.entries(form.errors).find(([path]) => path === 'tags' || path.startsWith('tags.'))?.[1]}
        />
        <ValueRows form={form} />
        <Textarea
          label="Note"
          description="For your team: no message has it."
          rows={2}
          autosize
          maxRows={8}
          maxLength={contactLimits.note}
          {...form.getInputProps('note')}
        />
      </Stack>
    </DialogForm>
  );
}

const partsOf = ({ first_name: first, last_name: last }: ContactDraft) => ({
  first_name: first.trim() || null,
  last_name: last.trim() || null,
});

/** Errors of the whole contact are shown at its first field. */
const withField = ({ '': whole, ...errors }: Record<string, string>): Record<string, string> =>
  whole === undefined ? errors : { name: whole, ...errors };

let made = 0;

/** The contact's own values, each with the name that messages use for it. */
function ValueRows({ form }: { form: ContactForm }) {
  const { values } = form.getValues();
  const firstLacked = values.findIndex(({ isSuggested }) => isSuggested);
  const add = () => {
    made += 1;
    form.insertListItem('values', { name: '', value: '', key: `new ${made}` });
  };
  return (
    <fieldset className={prose.fieldset}>
      <legend>Own values</legend>
      <Text mt={-4} mb={4} fz="xs" c="dimmed">
        Messages use the value <code>amount</code> for <code>{'{{amount}}'}</code>, unless the reminder sets its own.
      </Text>
      {values.map(({ name, key }, index) => (
        <div key={key} className={classes.value}>
          <TextInput
            aria-label={`Name of value ${index + 1}`}
            placeholder="amount"
            classNames={{ input: 'mono' }}
            maxLength={100}
            autoFocus={name === '' && key.startsWith('new')}
            {...form.getInputProps(`values.${index}.name`)}
          />
          <Textarea
            aria-label={name === '' ? `Value ${index + 1}` : name}
            placeholder="950 €"
            rows={1}
            autosize
            maxRows={5}
            maxLength={contactLimits.value}
            data-autofocus={index === firstLacked || undefined}
            {...form.getInputProps(`values.${index}.value`)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove ${name === '' ? `value ${index + 1}` : name}`}
            onClick={() => form.removeListItem('values', index)}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <SmallButton icon={IconPlus} onClick={add} disabled={values.length >= contactLimits.variables}>
        Add value
      </SmallButton>
    </fieldset>
  );
}

/** A language with what it calls itself, where that is another word. */
function LanguageName({ tag, name }: { tag: string; name: string }) {
  const own = ownNameOf(tag);
  return (
    <span>
      {name}
      {own.toLowerCase() !== name.toLowerCase() && (
        <Text span c="dimmed" size="sm" lang={tag}>
          {' '}
          {own}
        </Text>
      )}
    </span>
  );
}
