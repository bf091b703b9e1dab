import { useState } from 'react';
import type { TestEvent } from '#contract/events.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { LoadedReminder } from '#web/features/reminders/LoadedReminder.tsx';
import { TestEventForm } from './TestEventForm.tsx';
import { TestEventResult } from './TestEventResult.tsx';

type TestEventDialogProps = { /** The id of the reminder. */ id: string; opened: boolean; onClose: () => void };

/** Tries an event reminder with the data of an event, and shows what came of it. */
export default function TestEventDialog({ opened, onClose, id }: TestEventDialogProps) {
  // Here, because the dialog is another one on a phone that is turned.
  const [sent, setSent] = useState<TestEvent | null>(null);
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setSent(null);
  }
  return (
    <Dialog title="Send a test event" opened={opened} onClose={onClose} width={600}>
      <LoadedReminder id={id}>
        {(reminder) => (
          <>
            {/* It stays mounted behind the result, so that another test begins with what was typed. */}
            <div hidden={sent !== null}>
              <TestEventForm reminder={reminder} onDone={onClose} onSent={setSent} />
            </div>
            {sent !== null && (
              <TestEventResult key={sent.job_id} reminder={reminder} sent={sent} onAgain={() => setSent(null)} />
            )}
          </>
        )}
      </LoadedReminder>
    </Dialog>
  );
}
