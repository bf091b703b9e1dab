import { Dialog } from '#web/ui/Dialog.tsx';
import { LoadedReminder } from './LoadedReminder.tsx';
import { TestReminderForm } from './TestReminderForm.tsx';

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
