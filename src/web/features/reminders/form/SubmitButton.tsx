import { Button, Loader } from '@mantine/core';
import { memo } from 'react';
import type { ReachBody } from '#contract/reach.ts';
import { counted } from '#domain/in-words.ts';
import { useReach } from '#web/api/reach.ts';
import { isSentAtOnce, isWrittenOnce } from './draft.ts';
import { useSettledReachDraft } from './DraftReach.tsx';
import { useReminderFormContext } from './form-context.ts';

type SubmitButtonProps = { isNew: boolean; isSaving: boolean };

/** Saves the form. Where that sends the message at once, it says to how many people. */
export function SubmitButton({ isNew, isSaving }: SubmitButtonProps) {
  const { values } = useReminderFormContext();
  return (
    <Button type="submit" disabled={isSaving} leftSection={isSaving && <Loader size={14} color="currentColor" />}>
      {isNew && !isSaving && isSentAtOnce(values) ? (
        <SendWords />
      ) : (
        submitWord({ isNew, isSaving, isMessage: values.isActive && isWrittenOnce(values) })
      )}
    </Button>
  );
}

function submitWord({ isNew, isSaving, isMessage }: SubmitButtonProps & { isMessage: boolean }): string {
  if (isNew && isMessage) return isSaving ? 'Sending...' : 'Schedule message';
  if (isNew) return isSaving ? 'Creating...' : 'Create Reminder';
  return isSaving ? 'Updating...' : 'Update Reminder';
}

function SendWords() {
  const draft = useSettledReachDraft();
  return draft === null ? 'Send now' : <SendToWords draft={draft} />;
}

/** Memoized, because the form renders on every keystroke and its key may hold ten thousand recipients. */
const SendToWords = memo(({ draft }: { draft: ReachBody }) => {
  const { data } = useReach({ draft });
  const people = data?.counts.find(({ kind }) => kind === 'reached')?.people ?? 0;
  return people === 0 ? 'Send now' : `Send to ${counted(people, 'person', 'people')}`;
});
