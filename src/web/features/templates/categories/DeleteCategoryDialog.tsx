import type { TemplateCategory } from '#contract/template-categories.ts';
import { useDeleteCategory } from '#web/api/template-categories.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

type DeleteCategoryDialogProps = { category: TemplateCategory; opened: boolean; onClose: () => void };

/** Asks for confirmation before a category is deleted. */
export function DeleteCategoryDialog({ category, opened, onClose }: DeleteCategoryDialogProps) {
  const { mutateAsync, isPending } = useDeleteCategory();
  const confirm = async () => {
    try {
      await mutateAsync(category.id);
      notifySuccess('Category deleted', `“${category.name}” has been deleted`);
      onClose();
    } catch (error) {
      notifyFailure('Error deleting category', error);
    }
  };
  return (
    <ConfirmDialog
      title="Delete category?"
      confirmLabel="Delete Category"
      opened={opened}
      onClose={onClose}
      onConfirm={() => void confirm()}
      isBusy={isPending}
    >
      Are you sure you want to delete <strong>{category.name}</strong>? This will remove the category from all
      templates. The templates themselves stay.
    </ConfirmDialog>
  );
}
