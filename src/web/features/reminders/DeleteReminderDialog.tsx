import type { Reminder } from '#contract/reminders.ts';
import { useDeleteReminder } from '#web/api/reminders.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

type DeleteReminderDialogProps = { reminder: Reminder; opened: boolean; onClose: () => void };

/** Asks by name before a reminder is deleted. */
export function DeleteReminderDialog({ reminder, opened, onClose }: DeleteReminderDialogProps) {
  const remove = useDeleteReminder();
  const confirm = () =>
    remove.mutate(reminder.id, {
      onSuccess: () => {
        notifySuccess('Success', `“${reminder.name}” has been deleted`);
        onClose();
      },
      onError: (error) => notifyFailure('Error', error, 'Failed to delete reminder. Please try again.'),
    });
  return (
    <ConfirmDialog
      title="Delete reminder?"
      confirmLabel="Delete Reminder"
      opened={opened}
      onClose={onClose}
      onConfirm={confirm}
      isBusy={remove.isPending}
    >
      <strong>{reminder.name}</strong> will not be sent any more. What it has sent so far stays on record. This cannot
      be undone.
    </ConfirmDialog>
  );
}
