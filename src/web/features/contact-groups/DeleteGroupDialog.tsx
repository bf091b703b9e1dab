import type { ContactGroup } from '#contract/contact-groups.ts';
import { useDeleteGroup, useGroupUses } from '#web/api/contact-groups.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { focusContent } from '#web/ui/focus-content.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import classes from './groups.module.css';

const namedUses = 5;

type DeleteGroupDialogProps = { group: ContactGroup; opened: boolean; onClose: () => void };

/** Asks for confirmation before a group is deleted, and names the reminders that are sent to it. */
export function DeleteGroupDialog({ group: { id, name }, opened, onClose }: DeleteGroupDialogProps) {
  const { data: uses, isPending, isError } = useGroupUses(id);
  const { mutateAsync, isPending: isDeleting } = useDeleteGroup();
  const confirm = async () => {
    try {
      await mutateAsync(id);
      notifySuccess('Group deleted', `${name} is deleted. Its contacts stay.`);
      onClose();
      // The button that opened the dialog is removed with its row.
      focusContent();
    } catch (error) {
      notifyFailure('Error deleting group', error);
    }
  };
  const named = uses?.data.slice(0, namedUses) ?? [];
  const more = (uses?.total ?? 0) - named.length;
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      confirmLabel="Delete group"
      opened={opened}
      onClose={onClose}
      onConfirm={() => void confirm()}
      isBusy={isDeleting || isPending}
    >
      <p className={classes.sentence} role="status">
        {isPending
          ? 'Looking for the reminders that are sent to it…'
          : isError
            ? 'The reminders that are sent to it could not be loaded. They reach nobody through it any more. Its contacts stay.'
            : uses.total === 0
              ? 'No reminder is sent to it. Its contacts stay.'
              : `${uses.total === 1 ? 'This reminder reaches' : 'These reminders reach'} nobody through it any more. Its contacts stay.`}
      </p>
      {named.length > 0 && (
        <ul className={classes.uses}>
          {named.map((reminder) => (
            <li key={reminder.id}>{reminder.name}</li>
          ))}
          {more > 0 && <li>{more.toLocaleString('en')} more</li>}
        </ul>
      )}
    </ConfirmDialog>
  );
}
