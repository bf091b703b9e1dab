import { counted } from '#domain/in-words.ts';
import { useReach } from '#web/api/reach.ts';
import { BackLink } from '#web/ui/Record.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import type { ReactNode } from 'react';
import { useSettledReachDraft } from './DraftReach.tsx';
import { isWrittenOnce } from './draft.ts';
import { useReminderFormContext } from './form-context.ts';

/** The title of the form: of a reminder, or of a message that is written to people once. */
export function FormHeader({ isNew, actions }: { isNew: boolean; actions: ReactNode }) {
  const { values } = useReminderFormContext();
  const above = <BackLink to="/reminders">Back to Reminders</BackLink>;
  if (!isNew)
    return (
      <PageHeader title="Edit Reminder" subtitle="Update your automated reminder" above={above} actions={actions} />
    );
  if (isWrittenOnce(values)) return <WriteHeader above={above} actions={actions} />;
  return (
    <PageHeader
      title="Create New Reminder"
      subtitle="Set up automated reminders and notifications"
      above={above}
      actions={actions}
    />
  );
}

function WriteHeader(props: { above: ReactNode; actions: ReactNode }) {
  const draft = useSettledReachDraft();
  const { data } = useReach(draft === null ? null : { draft });
  const people = data?.total ?? 0;
  return (
    <PageHeader
      title={people === 0 ? 'Write to people' : `Write to ${counted(people, 'person', 'people')}`}
      subtitle="A message that is sent once"
      {...props}
    />
  );
}
