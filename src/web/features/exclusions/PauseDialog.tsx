import { Button, Group, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Contact } from '#contract/contacts.ts';
import { PauseInput } from '#contract/exclusions.ts';
import { dayInWords } from '#domain/day-in-words.ts';
import { ApiError } from '#web/api/client.ts';
import { usePauseContact } from '#web/api/exclusions.ts';
import { displayNameOf } from '#web/features/contacts/contact-words.ts';
import { endAhead, todayOf } from '#web/features/exclusions/pause-end.ts';
import { act } from '#web/ui/act.ts';
import { DialogForm } from '#web/ui/DialogForm.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { notifyUndoable } from '#web/ui/notify.tsx';
import { DayInput } from '#web/ui/pickers/DayInput.tsx';

type PauseDialogProps = { contact: Contact; opened: boolean; onClose: () => void };
type Draft = { until: string };

/** Asks until which day reminders to a contact are paused. */
export default function PauseDialog({ contact, opened, onClose }: PauseDialogProps) {
  const form = useForm<Draft>({ initialValues: { until: endAhead(contact) ?? '' } });
  return (
    <FormDialog
      title={`No reminders to ${displayNameOf(contact)}`}
      opened={opened}
      width={440}
      isDirty={form.isDirty}
      onClose={onClose}
    >
      {(leave) => <Form form={form} contact={contact} onCancel={leave} onDone={onClose} />}
    </FormDialog>
  );
}

const spans = [
  { label: '1 week', by: { days: 7 } },
  { label: '2 weeks', by: { days: 14 } },
  { label: '1 month', by: { months: 1 } },
  { label: '3 months', by: { months: 3 } },
];

type FormProps = {
  form: ReturnType<typeof useForm<Draft>>;
  contact: Contact;
  onCancel: () => void;
  onDone: () => void;
};

function Form({ form, contact, onCancel, onDone }: FormProps) {
  const pause = usePauseContact(contact.id);
  const [isSaving, setSaving] = useState(false);
  const today = todayOf(contact);
  const name = displayNameOf(contact);
  const before = endAhead(contact);
  const about = `pause ${contact.id}`;
  const undo = () =>
    act(pause(before), { failed: 'Error', about, done: ['Undone', `Reminders to ${name} are as before.`] });
  const submit = async () => {
    const parsed = PauseInput.safeParse(form.getValues());
    if (!parsed.success) return form.setErrors({ until: 'Pick a day' });
    setSaving(true);
    const { until } = parsed.data;
    const refused = (error: unknown) => {
      if (!(error instanceof ApiError) || error.fields.length === 0) return false;
      form.setErrors(fieldErrors(error.fields));
      return true;
    };
    const isDone = await act(pause(until), { failed: 'Error pausing reminders', refused });
    setSaving(false);
    if (!isDone) return;
    onDone();
    notifyUndoable('Reminders paused', `${name} gets none before ${dayInWords(until)}.`, { undo, about });
  };
  return (
    <DialogForm submitLabel="Pause reminders" isSaving={isSaving} onSubmit={submit} onCancel={onCancel}>
      <Group gap={8} mb={12} role="group" aria-label="For how long">
        {spans.map(({ label, by }, at) => (
          <Button
            key={label}
            size="xs"
            variant="default"
            // The calendar of the day would open and cover these.
            data-autofocus={at === 0 ? true : undefined}
            onClick={() => form.setFieldValue('until', today.add(by).toString())}
          >
            {label}
          </Button>
        ))}
      </Group>
      <DayInput
        label="Not until"
        description="Nothing is sent to them before this day. What comes due until then is not sent later."
        min={today.add({ days: 1 }).toString()}
        value={form.values.until}
        onChange={(day) => form.setFieldValue('until', day ?? '')}
        error={form.errors['until']}
      />
      <Text size="sm" c="dimmed" mt={16} mb={24}>
        Other people get these reminders as before. A message that you write to {name} yourself is still sent.
      </Text>
    </DialogForm>
  );
}
