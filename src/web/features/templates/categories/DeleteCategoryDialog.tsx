import type { TemplateCategory } from '#contract/template-categories.ts';
import { useDeleteCategory } from '#web/api/template-categories.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';

type DeleteCategoryDialogProps = { category: TemplateCategory; opened: boolean; onClose: () => void };

/** Asks for confirmation before a category is deleted. */
export function DeleteCategoryDialog({ category, ...dialog }: DeleteCategoryDialogProps) {
  const { mutateAsync } = useDeleteCategory();
  return (
    <ActDialog
      title="Delete category?"
      confirmLabel="Delete Category"
      run={() => mutateAsync(category.id)}
      done={['Category deleted', `“${category.name}” has been deleted`]}
      failed="Error deleting category"
      {...dialog}
    >
      Are you sure you want to delete <strong>{category.name}</strong>? This will remove the category from all
      templates. The templates themselves stay.
    </ActDialog>
  );
}
