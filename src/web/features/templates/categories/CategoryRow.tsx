import { ActionIcon } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { TemplateCategory } from '#contract/template-categories.ts';
import classes from './CategoriesDialog.module.css';

type CategoryRowProps = { category: TemplateCategory; onEdit: () => void; onDelete: () => void };

export function CategoryRow({ category, onEdit, onDelete }: CategoryRowProps) {
  const { id, name, description, color, template_count: count } = category;
  return (
    <div className={classes.row}>
      <span className={classes.dot} style={{ background: color }} aria-hidden />
      <div className={classes.words}>
        <div className={classes.name}>{name}</div>
        {description && <div className={classes.description}>{description}</div>}
      </div>
      <span className={classes.count}>{count === 1 ? '1 template' : `${count} templates`}</span>
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
