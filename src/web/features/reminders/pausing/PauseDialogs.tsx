import { lazy, Suspense } from 'react';
import { useReminder } from '#web/api/reminders.ts';
import { useLast } from '#web/features/jobs/use-last.ts';
import { useRemindersSearch } from '#web/features/reminders/reminders-search.ts';
import { useActOnAll } from './act-on-all.ts';
import { usePauseUntil } from './pause-until.ts';

const PauseDialog = lazy(() => import('./PauseDialog.tsx'));

/** The dialogs that ask until when one or all reminders are paused; the URL names which. */
export function PauseDialogs() {
  const { pause, change } = useRemindersSearch();
  const asked = useLast(pause);
  if (!asked) return null;
  const given = { opened: pause !== undefined, onClose: () => change({ pause: undefined }) };
  return (
    <Suspense>{asked === 'all' ? <PauseAll {...given} /> : <PauseOne key={asked} id={asked} {...given} />}</Suspense>
  );
}

type Given = { opened: boolean; onClose: () => void };

function PauseAll(given: Given) {
  const { pause } = useActOnAll();
  return (
    <PauseDialog
      {...given}
      title="Pause all reminders"
      sentence="Nothing is sent until then, and what comes due before is skipped. Afterwards each reminder is what it was: paused ones and drafts stay so."
      onPause={pause}
    />
  );
}

export function PauseOne({ id, ...given }: Given & { id: string }) {
  const { data: reminder } = useReminder(id);
  const pauseUntil = usePauseUntil();
  return (
    <PauseDialog
      {...given}
      title={reminder === undefined ? 'Pause until' : `Pause “${reminder.name}”`}
      sentence="It resumes by itself. What comes due before is skipped."
      onPause={(until) => pauseUntil([reminder ?? { id, status: 'active', paused_until: null }], until)}
    />
  );
}
