import { useDeleteTemplate } from '#web/api/templates.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { focusContent } from '#web/ui/focus-content.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import type { NamedTemplate } from './TemplateDialogs.tsx';

type DeleteTemplateDialogProps = { template: NamedTemplate; opened: boolean; onClose: () => void };

/** Asks for confirmation before a template is deleted. */
export function DeleteTemplateDialog({ template, opened, onClose }: DeleteTemplateDialogProps) {
  const { mutateAsync, isPending } = useDeleteTemplate();
  const confirm = async () => {
    try {
      await mutateAsync(template.id);
      notifySuccess('Template deleted', `“${template.name}” has been deleted`);
      onClose();
      // The button that opened the dialog is removed with its card.
      focusContent();
    } catch (error) {
      notifyFailure('Error deleting template', error);
    }
  };
  return (
    <ConfirmDialog
      title="Delete template?"
      confirmLabel="Delete Template"
      opened={opened}
      onClose={onClose}
      onConfirm={() => void confirm()}
      isBusy={isPending}
    >
      <strong>{template.name}</strong> and its versions will be deleted. Reminders created from it keep their text and
      continue. This cannot be undone.
    </ConfirmDialog>
  );
}
