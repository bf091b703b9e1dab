// Styles of components that only the form uses; they load with the form, not with the shell.
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import '#web/ui/switch.css';
import { Box, Button, Card, Checkbox } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { needsRecipients } from '#contract/channel-types.ts';
import { isAudience } from '#contract/audience.ts';
import type { Reach } from '#contract/reach.ts';
import { eventTriggerRequired } from '#contract/schedules.ts';
import { isForEvent, type Reminder, ReminderInput } from '#contract/reminders.ts';
import { ApiError } from '#web/api/client.ts';
import { useSaveReminder } from '#web/api/reminders.ts';
import { useSession } from '#web/api/session.ts';
import { useLoadTopics } from '#web/api/topics.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { useNobodyQuestion } from '#web/features/reach/NobodyDialog.tsx';
import { useRecipientsText } from '#web/features/reminders/use-recipients-text.ts';
import { topicOf } from '#web/features/topics/default-topic.ts';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { ButtonLink } from '#web/ui/links.tsx';
import { notifyError, notifySuccess } from '#web/ui/notify.tsx';
import { UnsavedChanges } from '#web/ui/UnsavedChanges.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { useChangedQuestion } from './ChangedDialog.tsx';
import { asSent, draftOf, inputOf, isWrittenOnce, newDraft, type ReminderDraft, withTopic } from './draft.ts';
import { DraftReach } from './DraftReach.tsx';
import { withEntries } from './entries.ts';
import { ReminderFormProvider, useReminderForm, useReminderFormContext } from './form-context.ts';
import type { FormTab } from './form-tabs.ts';
import { FormHeader } from './FormHeader.tsx';
import { FormTabs, type TabJump } from './FormTabs.tsx';
import { HandedPeople } from './handed-people.ts';
import { KeptDraftNotice } from './kept/KeptDraftNotice.tsx';
import { useKeptDraft } from './kept/use-kept-draft.ts';
import { usePastStartQuestion } from './PastStartDialog.tsx';
import { PhraseEntry } from './phrase/PhraseEntry.tsx';
import { reachDraftOf } from './reach-draft.ts';
import classes from './ReminderForm.module.css';
import { saveFailure } from './save-failure.ts';
import { SubmitButton } from './SubmitButton.tsx';
import { TemplateButton, TemplateDialogs } from './template/StartFromTemplate.tsx';
import { useTemplateStart } from './template/use-template-start.ts';
import { askedFor } from './variable-values.ts';
import { wallTimeIn } from './wall-time.ts';
import entryClasses from '#web/ui/entries.module.css';
import prose from '#web/ui/prose.module.css';

type ReminderFormProps = { reminder?: Reminder | undefined; messageId?: string | undefined };

/** Creates a reminder, edits the given one, or writes a message to people who were chosen elsewhere. */
export function ReminderForm({ reminder, messageId }: ReminderFormProps) {
  const form = useReminderForm({ initialValues: useInitialDraft(reminder) });
  const navigate = useNavigate();
  const hasChanges = useHandedAudience(form);
  const kept = useKeptDraft(form, {
    of: messageId === undefined ? { reminderId: reminder?.id ?? null } : { messageId },
    base: reminder?.updated_at ?? null,
    hasChanges,
  });
  const save = useSaveReminder(reminder?.id);
  const { ask, dialog } = useNobodyQuestion();
  const pastStart = usePastStartQuestion();
  const changed = useChangedQuestion(reminder?.id);
  // As it was when it was opened: what is read again later has the changes of others.
  const [opened] = useState(reminder?.updated_at);
  const loadTopics = useLoadTopics();
  const withDefaultTopic = async (draft: ReminderDraft) =>
    withTopic(draft, topicOf(draft.content.topic_id, await loadTopics()));
  const [isAsking, setAsking] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const [jump, setJump] = useState<TabJump>({ tab: 'basic', times: 0 });
  const jumpTo = (tab: FormTab) => setJump(({ times }) => ({ tab, times: times + 1 }));
  const start = useTemplateStart(form, {
    isRestored: kept.isRead,
    isEdited: reminder !== undefined,
    onBegun: () => jumpTo('content'),
  });
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

  const send = (input: ReminderInput, { isOverOthers = false } = {}): Promise<unknown> => {
    const succeed = () => {
      kept.forget();
      if (input.metadata.one_off === true) {
        notifySuccess('Success!', 'Your message is listed here, and on the page of each person.');
        return void navigate({ to: '/jobs', ignoreBlocker: true });
      }
      notifySuccess('Success!', `Reminder has been ${reminder ? 'updated' : 'created'} successfully.`);
      void navigate({ to: '/reminders', ignoreBlocker: true });
    };
    // The error is handled here, because an ended session unmounts the form before mutation callbacks run.
    const unchangedSince = isOverOthers ? undefined : opened;
    return save.mutateAsync({ body: input, unchangedSince }, { onSuccess: succeed }).catch(async (error: unknown) => {
      if (error instanceof ApiError && error.code === 'conflict') {
        if (await changed.ask()) await send(input, { isOverOthers: true });
        return;
      }
      notifyError('Error', saveFailure(error));
      if (!(error instanceof ApiError) || error.fields.length === 0) return;
      // A variable that only the text names becomes an active variable, which gives it a field.
      form.setFieldValue('content.variables', (known) => [...new Set([...known, ...askedFor(error.fields)])]);
      refuse(fieldErrors(error.fields));
    });
  };

  const submit = useSubmit(async () => {
    const draft = await withDefaultTopic(withEntries(form.getValues()));
    form.setValues(draft);
    const sent = asSent(draft);
    const parsed = ReminderInput.safeParse(inputOf(sent));
    const left = leftErrors(draft);
    if (!parsed.success) return refuse({ ...fieldErrors(parsed.error.issues), ...left });
    if (left !== null) return refuse(left);
    form.clearErrors();
    await activateOrAsk(sent, parsed.data);
  });

  return (
    <ReminderFormProvider form={form}>
      <Box component="form" w="100%" maw={920} m="0 auto" noValidate onSubmit={submit}>
        <FormHeader
          isNew={!reminder}
          actions={<TemplateButton start={start} label={reminder ? 'Use a template' : 'Start from a template'} />}
        />
        <Card padding={0}>
          <KeptDraftNotice kept={kept} />
          {!reminder && <PhraseEntry onEdit={jumpTo} />}
          <FormPeople onEdit={() => jumpTo('channels')} />
          <FormTabs refusals={refusals} jump={jump} />
          <FormFooter isNew={!reminder} isSaving={save.isPending || isAsking} />
        </Card>
      </Box>
      <UnsavedChanges hasChanges={hasChanges} keep={kept.keep} onLeave={kept.forget}>
        Your changes to this reminder are not saved.
      </UnsavedChanges>
      <TemplateDialogs start={start} />
      {dialog}
      {pastStart.dialog}
      {changed.dialog}
    </ReminderFormProvider>
  );
}

/** A listed recipient's missing values are entered in the form, where the server's refusal points to their fields. */
const isRefused = ({ metadata }: ReminderDraft, { counts }: Reach): boolean =>
  !isAudience(metadata.audience) &&
  counts.some(({ kind }) => kind === 'lacks_value') &&
  counts.every(({ kind }) => kind === 'reached' || kind === 'lacks_value' || kind === 'unfit');

/** What refuses saving beside the contract: text in an entry field that cannot be added, and a schedule without an event that is to run. */
function leftErrors({ entries, isActive, schedule_config: schedule }: ReminderDraft): Record<string, string> | null {
  const errors = {
    ...(entries.recipients !== '' && {
      'entries.recipients': 'These lines are not valid recipients: correct or remove them',
    }),
    ...(isActive &&
      schedule.type === 'event-based' &&
      schedule.eventTrigger === null && { 'schedule_config.eventTrigger': eventTriggerRequired }),
  };
  return Object.keys(errors).length === 0 ? null : errors;
}

// The initial values are read once: later server data must not overwrite the user's input.
function useInitialDraft(reminder: Reminder | undefined) {
  const zone = useSession()?.user.timeZone ?? viewerZone();
  const [draft] = useState(() => {
    const now = new Date();
    return reminder ? draftOf(reminder, { now }) : newDraft({ now, zone });
  });
  return draft;
}

/** Above the tabs: the people to whom the reminder is sent, and the way to change them. Nothing while none are chosen. */
function FormPeople({ onEdit }: { onEdit: () => void }) {
  const { content, metadata, schedule_config: schedule } = useReminderFormContext().values;
  const isEvent = isForEvent({ schedule_config: schedule, metadata });
  const text = useRecipientsText(content.recipients.length, {
    audience: metadata.audience,
    isForEvent: isEvent,
    channels: metadata.channels,
  });
  if (!needsRecipients(metadata.channels) || (!isAudience(metadata.audience) && !isEvent)) return null;
  return (
    <div className={classes.to}>
      <IconUsers size={16} stroke={1.6} className={prose.dimIcon} aria-hidden />
      <span className={entryClasses.words}>
        To{' '}
        <strong className={prose.strong}>
          {isEvent ? text.replace(/^./, (letter) => letter.toLowerCase()) : text}
        </strong>
      </span>
      <Button size="compact-sm" variant="subtle" aria-label="Change the people" onClick={onEdit}>
        Change
      </Button>
    </div>
  );
}

function FormFooter({ isNew, isSaving }: { isNew: boolean; isSaving: boolean }) {
  const form = useReminderFormContext();
  return (
    <footer className={classes.footer}>
      <div className={classes.reach}>
        <DraftReach label="Who gets it" />
      </div>
      <Checkbox
        label={isWrittenOnce(form.values) ? 'Send it' : 'Start reminder immediately after creation'}
        description={form.values.isActive ? undefined : 'Saved as a draft: nothing is sent until you resume it.'}
        {...form.getInputProps('isActive', { type: 'checkbox' })}
      />
      <div className={classes.buttons}>
        <ButtonLink to="/reminders" variant="default">
          Cancel
        </ButtonLink>
        <SubmitButton isNew={isNew} isSaving={isSaving} />
      </div>
    </footer>
  );
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    people?: HandedPeople;
  }
}

/**
 * Fills in the people that another screen has chosen, once: after a reload, the form's own draft has them. They are written to once and now,
 * until somebody chooses otherwise. As a change and not as initial values, so that an older draft is offered and does not replace them.
 * @returns whether somebody has changed anything beyond that
 */
function useHandedAudience(form: ReturnType<typeof useReminderForm>): () => boolean {
  const handed = useLocation({ select: ({ state }) => state.people });
  const navigate = useNavigate();
  const followed = useRef<unknown>(undefined);
  const filledIn = useRef<string>(undefined);
  useEffect(() => {
    if (handed === undefined || handed === followed.current) return;
    followed.current = handed;
    const people = HandedPeople.safeParse(handed);
    if (people.success) {
      const isUntouched = !form.isDirty();
      const draft = writtenOnce(form.getValues(), people.data);
      if (isUntouched) filledIn.current = JSON.stringify(draft);
      form.setValues(draft);
    }
    void navigate({ to: '.', search: true, state: {}, replace: true, resetScroll: false, ignoreBlocker: true });
  });
  return () => form.isDirty() && JSON.stringify(form.getValues()) !== filledIn.current;
}

const writtenOnce = (draft: ReminderDraft, { audience, recipients = [] }: HandedPeople): ReminderDraft => ({
  ...draft,
  content: { ...draft.content, recipients: [...new Set([...draft.content.recipients, ...recipients])] },
  metadata: { ...draft.metadata, ...(audience !== undefined && { audience }), one_off: true },
  schedule_config: {
    ...draft.schedule_config,
    scheduleType: 'once',
    startDate: wallTimeIn(new Date().toISOString(), draft.schedule_config.timezone),
  },
});
