import { type NamedTemplate, useDeleteTemplate } from '#web/api/templates.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';

type DeleteTemplateDialogProps = { template: NamedTemplate; opened: boolean; onClose: () => void };

/** Asks for confirmation before a template is deleted. */
export function DeleteTemplateDialog({ template, opened, onClose }: DeleteTemplateDialogProps) {
  const { mutateAsync } = useDeleteTemplate();
  return (
    <ActDialog
      title="Delete template?"
      confirmLabel="Delete Template"
      opened={opened}
      onClose={onClose}
      run={() => mutateAsync(template.id)}
      done={['Template deleted', `“${template.name}” has been deleted`]}
      failed="Error deleting template"
      removesOpener
    >
      <strong>{template.name}</strong> and its versions will be deleted. Reminders created from it keep their text and
      continue. This cannot be undone.
    </ActDialog>
  );
}
