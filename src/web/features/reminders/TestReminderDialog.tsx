import { Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { isAddressed } from '#contract/channel-types.ts';
import type { Contact } from '#contract/contacts.ts';
import { recipientsOfTest, TestBody } from '#contract/reminder-tests.ts';
import type { Reminder } from '#contract/reminders.ts';
import { unfilledNames } from '#domain/missing-values.ts';
import { hasValue } from '#domain/variable-values.ts';
import { useContactsLike } from '#web/api/contacts.ts';
import { labelOf } from '#web/features/contacts/contact-words.ts';
import { useTestReminder } from '#web/api/reminders.ts';
import { useSession } from '#web/api/session.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { focusLateForm } from '#web/ui/focus-late-form.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { notifyError, notifySuccess } from '#web/ui/notify.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { LoadedReminder } from './LoadedReminder.tsx';
import { TestAudience } from './TestAudience.tsx';
import { TestRecipients } from './TestRecipients.tsx';
import { EventDataFields } from './test-event/EventDataFields.tsx';
import { useEventData } from './test-event/use-event-data.ts';

type TestReminderDialogProps = {
  /** The id of the reminder. */
  id: string;
  opened: boolean;
  onClose: () => void;
  /** Called with the id of the test's job. */
  onSent: (job: string) => void;
};

/** Sends a reminder now to chosen recipients, without changing the reminder. */
export default function TestReminderDialog({ id, opened, onClose, onSent }: TestReminderDialogProps) {
  return (
    <Dialog title="Test Reminder" opened={opened} onClose={onClose} width={520}>
      <LoadedReminder id={id}>
        {(reminder) => <TestReminderForm reminder={reminder} onSent={onSent} onDone={onClose} />}
      </LoadedReminder>
    </Dialog>
  );
}

type TestReminderFormProps = { reminder: Reminder; onDone: () => void; onSent: (job: string) => void };

function TestReminderForm({ reminder, onDone, onSent }: TestReminderFormProps) {
  const { subject, message } = reminder.content;
  const { channels } = reminder.metadata;
  const me = useSession()?.user.email;
  const initialValues = {
    recipients: me !== undefined && channels.includes('email') ? [me] : [],
    slack: false,
    push: false,
    subject,
    message,
  };
  const [names] = useState(() => unfilledNames(reminder));
  const { data: contacts = [] } = useContactsLike(names.length === 0 ? null : '');
  const [chosen, choose] = useState<Contact | null>();
  // A message that needs the values of a contact cannot be sent without one.
  const valuesOf = chosen === undefined ? firstWith(names, contacts) : chosen;
  const form = useForm({ initialValues });
  const event = useEventData(reminder, { text: form.values, isNaming: false });
  const isForEvents = reminder.schedule_config.type === 'event-based';
  const test = useTestReminder(reminder.id);
  const submit = useSubmit(async () => {
    const parsed = TestBody.safeParse({
      ...form.getValues(),
      values_of: valuesOf?.id,
      ...(isForEvents && { data: event.data }),
    });
    if (!parsed.success) return form.setErrors(fieldErrors(parsed.error.issues));
    try {
      const { job_id: job } = await test.mutateAsync(parsed.data);
      notifySuccess('Test Started', `Test reminder will be sent to ${recipientsOfTest(parsed.data)} recipient(s)`);
      onSent(job);
    } catch {
      notifyError('Error', 'Failed to start test. Please try again.');
    }
  });
  return (
    <form ref={focusLateForm} noValidate onSubmit={submit}>
      <Stack gap={16}>
        {channels.some(isAddressed) && (
          <TestRecipients
            recipients={form.values.recipients}
            channels={channels}
            error={form.errors.recipients}
            onChange={(recipients) => form.setFieldValue('recipients', recipients)}
          />
        )}
        <TestAudience {...form.values} channels={channels} onChange={(change) => form.setValues(change)} />
        <TestValuesOf chosen={valuesOf} onChoose={choose} />
        <TextInput label="Subject" {...form.getInputProps('subject')} />
        <Textarea label="Message" rows={4} {...form.getInputProps('message')} />
        <EventDataFields of={event} event={reminder.schedule_config.eventTrigger} errors={form.errors} />
        <FormButtons
          onCancel={onDone}
          leftSection={<IconSend size={16} aria-hidden />}
          disabled={recipientsOfTest(form.values) === 0 || event.isLoading}
          isBusy={test.isPending}
        >
          Send Test
        </FormButtons>
      </Stack>
    </form>
  );
}

/** Of these contacts the first with a value for each name, or else the first. */
function firstWith(names: readonly string[], contacts: readonly Contact[]): Contact | null {
  if (names.length === 0) return null;
  const isComplete = ({ variables }: Contact) => names.every((name) => hasValue(variables, name));
  return contacts.find(isComplete) ?? contacts[0] ?? null;
}

type TestValuesOfProps = { chosen: Contact | null; onChoose: (contact: Contact | null) => void };

/** The contact whose values the test uses; shows nothing in a workspace without contacts. */
function TestValuesOf({ chosen, onChoose }: TestValuesOfProps) {
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
