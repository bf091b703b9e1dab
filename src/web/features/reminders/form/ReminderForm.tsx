import './form-styles.ts';
import { Card } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { type Reminder, ReminderInput } from '#contract/reminders.ts';
import { ApiError } from '#web/api/client.ts';
import { useSaveReminder } from '#web/api/reminders.ts';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { viewerZone } from '#web/ui/InstantText.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { BackToReminders } from './BackToReminders.tsx';
import { draftOf, inputOf, newDraft } from './draft.ts';
import { withEntries } from './entries.ts';
import { FormFooter } from './FormFooter.tsx';
import { FormTabs, type TabJump } from './FormTabs.tsx';
import { ReminderFormProvider, useReminderForm } from './form-context.ts';
import { PhraseEntry } from './phrase/PhraseEntry.tsx';
import classes from './ReminderForm.module.css';
import { UnsavedChanges } from './UnsavedChanges.tsx';

/** Writes a new reminder, or edits the given one. */
export function ReminderForm({ reminder }: { reminder?: Reminder }) {
  const form = useReminderForm({ initialValues: useInitialDraft(reminder) });
  const navigate = useNavigate();
  const save = useSaveReminder(reminder?.id);
  const [refusals, setRefusals] = useState(0);
  const [jump, setJump] = useState<TabJump>({ tab: 'basic', times: 0 });
  const refuse = (errors: Record<string, string>) => {
    form.setErrors(errors);
    setRefusals((count) => count + 1);
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    const draft = withEntries(form.getValues());
    form.setValues(draft);
    const parsed = ReminderInput.safeParse(inputOf(draft));
    if (!parsed.success) return refuse(fieldErrors(parsed.error.issues));
    form.clearErrors();
    save.mutate(parsed.data, {
      onSuccess: () => {
        notifySuccess('Success!', `Reminder has been ${reminder ? 'updated' : 'created'} successfully.`);
        void navigate({ to: '/reminders', ignoreBlocker: true });
      },
      onError: (error) => {
        notifyFailure('Error', error, 'Failed to save reminder. Please try again.');
        if (error instanceof ApiError && error.fields.length > 0) refuse(fieldErrors(error.fields));
      },
    });
  };

  return (
    <ReminderFormProvider form={form}>
      <form className={classes.page} noValidate onSubmit={submit}>
        <PageHeader
          title={reminder ? 'Edit Reminder' : 'Create New Reminder'}
          subtitle={reminder ? 'Update your automated reminder' : 'Set up automated reminders and notifications'}
          above={<BackToReminders />}
        />
        <Card padding={0}>
          {!reminder && <PhraseEntry onEdit={(tab) => setJump(({ times }) => ({ tab, times: times + 1 }))} />}
          <FormTabs refusals={refusals} jump={jump} />
          <FormFooter isNew={!reminder} isSaving={save.isPending} />
        </Card>
      </form>
      <UnsavedChanges hasChanges={() => form.isDirty()} />
    </ReminderFormProvider>
  );
}

// Taken once: what arrives later from the server must not overwrite what is being typed.
function useInitialDraft(reminder: Reminder | undefined) {
  const [draft] = useState(() => {
    const now = new Date();
    return reminder ? draftOf(reminder, { now }) : newDraft({ now, zone: viewerZone() });
  });
  return draft;
}
