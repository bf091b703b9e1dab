import { ActionIcon, Button } from '@mantine/core';
import { IconFolder, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { TemplateCategory } from '#contract/template-categories.ts';
import { useCategories, useDeleteCategory } from '#web/api/template-categories.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import entries from '#web/ui/entries.module.css';
import prose from '#web/ui/prose.module.css';
import { Loaded } from '#web/ui/Record.tsx';
import { RowsSkeleton } from '#web/ui/RowsSkeleton.tsx';
import classes from './CategoriesDialog.module.css';
import { CategoryForm } from './CategoryForm.tsx';

type CategoriesDialogProps = { opened: boolean; onClose: () => void };

/** The current activity: only one form is open at a time. */
type Doing = { what: 'nothing' } | { what: 'adding' } | { what: 'editing'; id: string };

/** The categories of the workspace: create, edit and delete them. */
export default function CategoriesDialog({ opened, onClose }: CategoriesDialogProps) {
  const [asked, setAsked] = useState<TemplateCategory | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Dialog
        title="Manage Categories"
        opened={opened}
        // Both dialogs receive Escape; only the one in front handles it.
        onClose={() => !isAsking && onClose()}
        width={560}
      >
        <Categories
          onDelete={(category) => {
            setAsked(category);
            setIsAsking(true);
          }}
        />
      </Dialog>
      {asked && (
        <DeleteCategoryDialog category={asked} opened={isAsking && opened} onClose={() => setIsAsking(false)} />
      )}
    </>
  );
}

function Categories({ onDelete }: { onDelete: (category: TemplateCategory) => void }) {
  const categories = useCategories();
  const [doing, setDoing] = useState<Doing>({ what: 'nothing' });
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef('');
  const begin = (next: Exclude<Doing, { what: 'nothing' }>) => {
    opener.current = next.what === 'editing' ? next.id : 'new';
    setDoing(next);
  };
  const done = () => setDoing({ what: 'nothing' });
  // The closed form had the focus; it returns to the button that opened the form.
  useLayoutEffect(() => {
    if (doing.what !== 'nothing' || opener.current === '') return;
    root.current?.querySelector<HTMLElement>(`[data-opens="${opener.current}"]`)?.focus();
    opener.current = '';
  }, [doing]);
  return (
    <Loaded
      of={categories}
      failed="Error loading categories"
      skeleton={<RowsSkeleton label="Loading categories" count={3} />}
    >
      {(all) => (
        <div ref={root}>
          {doing.what === 'adding' ? (
            <CategoryForm category={null} onDone={done} />
          ) : (
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              data-opens="new"
              onClick={() => begin({ what: 'adding' })}
            >
              New Category
            </Button>
          )}
          {all.length === 0 && doing.what !== 'adding' && (
            <EmptyState
              icon={IconFolder}
              title="No categories yet"
              sentence="A category groups templates and gives them a colour."
            />
          )}
          <ul className={classes.list} aria-label="Categories">
            {all.map((category) => (
              <li key={category.id}>
                {doing.what === 'editing' && doing.id === category.id ? (
                  <CategoryForm category={category} onDone={done} />
                ) : (
                  <CategoryRow
                    category={category}
                    onEdit={() => begin({ what: 'editing', id: category.id })}
                    onDelete={() => onDelete(category)}
                  />
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Loaded>
  );
}

type CategoryRowProps = { category: TemplateCategory; onEdit: () => void; onDelete: () => void };

function CategoryRow({ category, onEdit, onDelete }: CategoryRowProps) {
  const { id, name, description, color, template_count: count } = category;
  return (
    <div className={classes.row}>
      <span className={classes.dot} style={{ background: color }} aria-hidden />
      <div className={entries.words}>
        <div className={prose.strong}>{name}</div>
        {description && <div className={prose.tiny}>{description}</div>}
      </div>
      <span className={prose.tiny}>{count === 1 ? '1 template' : `${count} templates`}</span>
      <ActionIcon
        data-hint="Edit"
        variant="default"
        size={32}
        data-opens={id}
        aria-label={`Edit ${name}`}
        onClick={onEdit}
      >
        <IconPencil size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon data-hint="Delete" variant="default" size={32} aria-label={`Delete ${name}`} onClick={onDelete}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}

type DeleteCategoryDialogProps = { category: TemplateCategory; opened: boolean; onClose: () => void };

/** Asks for confirmation before a category is deleted. */
function DeleteCategoryDialog({ category, ...dialog }: DeleteCategoryDialogProps) {
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
