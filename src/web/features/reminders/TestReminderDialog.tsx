import type { Reminder } from '#contract/reminders.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { TestReminderForm } from './TestReminderForm.tsx';

type TestReminderDialogProps = { reminder: Reminder; opened: boolean; onClose: () => void };

/** Sends a reminder now to recipients of one's choice, without touching the reminder. */
export function TestReminderDialog({ reminder, opened, onClose }: TestReminderDialogProps) {
  return (
    <Dialog title="Test Reminder" opened={opened} onClose={onClose} width={520}>
      <TestReminderForm reminder={reminder} onDone={onClose} />
    </Dialog>
  );
}
