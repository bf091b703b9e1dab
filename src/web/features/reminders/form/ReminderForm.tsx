import './form-styles.ts';
import { Card } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isAudience } from '#contract/audience.ts';
import type { Reach } from '#contract/reach.ts';
import { type Reminder, ReminderInput } from '#contract/reminders.ts';
import { ApiError } from '#web/api/client.ts';
import { useSaveReminder } from '#web/api/reminders.ts';
import { useSession } from '#web/api/session.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { useNobodyQuestion } from '#web/features/reach/NobodyDialog.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { notifyError, notifySuccess } from '#web/ui/notify.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { UnsavedChanges } from '#web/ui/UnsavedChanges.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { BackToReminders } from './BackToReminders.tsx';
import { draftOf, inputOf, newDraft, type ReminderDraft } from './draft.ts';
import { withEntries } from './entries.ts';
import { FormFooter } from './FormFooter.tsx';
import { FormPeople } from './FormPeople.tsx';
import { FormTabs, type TabJump } from './FormTabs.tsx';
import { ReminderFormProvider, useReminderForm } from './form-context.ts';
import type { FormTab } from './form-tabs.ts';
import { KeptDraftNotice } from './kept/KeptDraftNotice.tsx';
import { useKeptDraft } from './kept/use-kept-draft.ts';
import { PhraseEntry } from './phrase/PhraseEntry.tsx';
import { usePastStartQuestion } from './PastStartDialog.tsx';
import classes from './ReminderForm.module.css';
import { reachDraftOf } from './reach-draft.ts';
import { saveFailure } from './save-failure.ts';
import { TemplateButton, TemplateDialogs } from './template/StartFromTemplate.tsx';
import { useTemplateStart } from './template/use-template-start.ts';
import { useHandedAudience } from './use-handed-audience.ts';
import { askedFor } from './variable-values.ts';

/** Creates a reminder, or edits the given one. */
export function ReminderForm({ reminder }: { reminder?: Reminder }) {
  const form = useReminderForm({ initialValues: useInitialDraft(reminder) });
  const navigate = useNavigate();
  const kept = useKeptDraft(form, {
    reminderId: reminder?.id ?? null,
    base: reminder?.updated_at ?? null,
  });
  useHandedAudience(form);
  const save = useSaveReminder(reminder?.id);
  const { ask, dialog } = useNobodyQuestion();
  const pastStart = usePastStartQuestion();
  const [isAsking, setAsking] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const [jump, setJump] = useState<TabJump>({ tab: 'basic', times: 0 });
  const jumpTo = (tab: FormTab) => setJump(({ times }) => ({ tab, times: times + 1 }));
  const start = useTemplateStart(form, { isRestored: kept.isRead, onBegun: () => jumpTo('content') });
  const refuse = (errors: Record<string, string>) => {
    form.setErrors(errors);
    setRefusals((count) => count + 1);
  };

  const activateOrAsk = async (draft: ReminderDraft, input: ReminderInput) => {
    const reach = draft.isActive ? reachDraftOf(draft) : null;
    setAsking(true);
    const isConfirmed =
      (reach === null || (await ask({ draft: reach }, (found) => isRefused(draft, found)))) &&
      (!isStarting(draft) || (await pastStart.ask(draft.schedule_config)));
    setAsking(false);
    if (isConfirmed) await send(input);
  };

  /** An active reminder that keeps its schedule has been sent already, or is on its way. */
  const isStarting = ({ isActive }: ReminderDraft) =>
    isActive && (reminder?.status !== 'active' || form.isDirty('schedule_config'));

  const send = (input: ReminderInput) => {
    const succeed = () => {
      kept.forget();
      notifySuccess('Success!', `Reminder has been ${reminder ? 'updated' : 'created'} successfully.`);
      void navigate({ to: '/reminders', ignoreBlocker: true });
    };
    // The error is handled here, because an ended session unmounts the form before mutation callbacks run.
    return save.mutateAsync(input, { onSuccess: succeed }).catch((error: unknown) => {
      notifyError('Error', saveFailure(error));
      if (!(error instanceof ApiError) || error.fields.length === 0) return;
      // A variable that only the text names becomes an active variable, which gives it a field.
      form.setFieldValue('content.variables', (known) => [...new Set([...known, ...askedFor(error.fields)])]);
      refuse(fieldErrors(error.fields));
    });
  };

  const submit = useSubmit(async () => {
    const draft = withEntries(form.getValues());
    form.setValues(draft);
    const parsed = ReminderInput.safeParse(inputOf(draft));
    const left = leftErrors(draft);
    if (!parsed.success) return refuse({ ...fieldErrors(parsed.error.issues), ...left });
    if (left !== null) return refuse(left);
    form.clearErrors();
    await activateOrAsk(draft, parsed.data);
  });

  return (
    <ReminderFormProvider form={form}>
      <form className={classes.page} noValidate onSubmit={submit}>
        <PageHeader
          title={reminder ? 'Edit Reminder' : 'Create New Reminder'}
          subtitle={reminder ? 'Update your automated reminder' : 'Set up automated reminders and notifications'}
          above={<BackToReminders />}
          actions={<TemplateButton start={start} label={reminder ? 'Use a template' : 'Start from a template'} />}
        />
        <Card padding={0}>
          <KeptDraftNotice kept={kept} />
          {!reminder && <PhraseEntry onEdit={jumpTo} />}
          <FormPeople onEdit={() => jumpTo('channels')} />
          <FormTabs refusals={refusals} jump={jump} />
          <FormFooter isNew={!reminder} isSaving={save.isPending || isAsking} />
        </Card>
      </form>
      <UnsavedChanges hasChanges={() => form.isDirty()} keep={kept.keep} onLeave={kept.forget}>
        Your changes to this reminder are not saved.
      </UnsavedChanges>
      <TemplateDialogs start={start} />
      {dialog}
      {pastStart.dialog}
    </ReminderFormProvider>
  );
}

/** A listed recipient's missing values are entered in the form, where the server's refusal points to their fields. */
const isRefused = ({ metadata }: ReminderDraft, { counts }: Reach): boolean =>
  !isAudience(metadata.audience) &&
  counts.some(({ kind }) => kind === 'lacks_value') &&
  counts.every(({ kind }) => kind === 'reached' || kind === 'lacks_value' || kind === 'unfit');

/** Saving is refused while an entry field holds text that cannot be added. */
const leftErrors = ({ entries }: ReminderDraft): Record<string, string> | null =>
  entries.recipients === ''
    ? null
    : { 'entries.recipients': 'These lines are not valid recipients: correct or remove them' };

// The initial values are read once: later server data must not overwrite the user's input.
function useInitialDraft(reminder: Reminder | undefined) {
  const zone = useSession()?.user.timeZone ?? viewerZone();
  const [draft] = useState(() => {
    const now = new Date();
    return reminder ? draftOf(reminder, { now }) : newDraft({ now, zone });
  });
  return draft;
}
