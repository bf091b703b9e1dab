import { Box, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useId, useState } from 'react';
import {
  type CategoryColor,
  categoryColors,
  categoryLimits,
  type TemplateCategory,
} from '#contract/template-categories.ts';
import { useSaveCategory } from '#web/api/template-categories.ts';
import { act } from '#web/ui/act.ts';
import prose from '#web/ui/prose.module.css';
import { useSubmit } from '#web/ui/use-submit.ts';
import classes from './CategoriesDialog.module.css';

type CategoryFormProps = { category: TemplateCategory | null; onDone: () => void };

/** Creates or edits a category; the input stays when saving fails. */
export function CategoryForm({ category, onDone }: CategoryFormProps) {
  const { mutateAsync, isPending } = useSaveCategory();
  const [name, setName] = useState(category?.name ?? '');
  const [description, setDescription] = useState(category?.description ?? '');
  const [color, setColor] = useState(category?.color ?? categoryColors[0].hex);

  const submit = useSubmit(async () => {
    if (name.trim() === '') return;
    const body = { name, description, color };
    const save = mutateAsync(category ? { kind: 'update', id: category.id, body } : { kind: 'create', body });
    const isSaved = await act(save, {
      done: (saved) => [category ? 'Category updated' : 'Category created', `“${saved.name}” has been saved`],
      failed: category ? 'Error updating category' : 'Error creating category',
    });
    if (isSaved) onDone();
  });

  return (
    <form
      className={classes.form}
      aria-label={category ? `Edit ${category.name}` : 'New category'}
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        onDone();
      }}
    >
      <Stack gap={12}>
        <TextInput
          label="Category name"
          placeholder="Rent"
          required
          autoFocus
          {...keepsEscape}
          autoComplete="off"
          maxLength={categoryLimits.name}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label="Description"
          placeholder="What belongs here"
          {...keepsEscape}
          maxLength={categoryLimits.description}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        <ColorChoice value={color} onChange={setColor} />
        <Group gap={8} justify="flex-end">
          <Button variant="default" onClick={onDone} {...keepsEscape}>
            Cancel
          </Button>
          <Button type="submit" {...keepsEscape} disabled={name.trim() === ''} loading={isPending}>
            {category ? 'Update Category' : 'Create Category'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type ColorChoiceProps = { value: CategoryColor; onChange: (color: CategoryColor) => void };

/** The preset colours as radio buttons. */
function ColorChoice({ value, onChange }: ColorChoiceProps) {
  const name = useId();
  return (
    <fieldset className={prose.fieldset} role="radiogroup">
      <Box component="legend" mb={6} fw={560}>
        Colour
      </Box>
      <Group gap={8}>
        {categoryColors.map((color) => (
          <label key={color.hex} className={classes.swatch} title={color.name} style={{ background: color.hex }}>
            <input
              type="radio"
              name={name}
              value={color.hex}
              aria-label={color.name}
              {...keepsEscape}
              checked={color.hex === value}
              onChange={() => onChange(color.hex)}
            />
            {color.hex === value && <IconCheck size={18} stroke={3} aria-hidden />}
          </label>
        ))}
      </Group>
    </fieldset>
  );
}

/** Marks an element that handles Escape itself: Mantine's dialogs check this attribute before they close. */
const keepsEscape = { 'data-mantine-stop-propagation': 'true' } as const;
