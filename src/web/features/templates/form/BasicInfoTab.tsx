import { Select, Stack, Textarea, TextInput } from '@mantine/core';
import { templateLimits } from '#contract/templates.ts';
import { useCategories } from '#web/api/template-categories.ts';
import { useTemplateFormContext } from './form-context.ts';
import { PublicSwitch } from './PublicSwitch.tsx';

/** Name, description, category and visibility. */
export function BasicInfoTab() {
  const form = useTemplateFormContext();
  const categories = useCategories().data ?? [];
  return (
    <Stack gap={16}>
      <TextInput
        label="Name"
        placeholder="Rent reminder"
        required
        maxLength={templateLimits.name}
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Description"
        placeholder="When it is used, and for whom"
        rows={2}
        maxLength={templateLimits.description}
        {...form.getInputProps('description')}
      />
      <Select
        label="Category"
        placeholder="No category"
        clearable
        clearButtonProps={{ 'aria-label': 'No category' }}
        searchable={categories.length > 8}
        data={categories.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps('category_id')}
      />
      <PublicSwitch />
    </Stack>
  );
}
