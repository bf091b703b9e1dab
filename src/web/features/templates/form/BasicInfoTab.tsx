import { Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { templateLimits } from '#contract/templates.ts';
import { useCategories } from '#web/api/template-categories.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { useTemplateFormContext } from './form-context.ts';

/** What it is called, where it is filed, and who may see it. */
export function BasicInfoTab() {
  const form = useTemplateFormContext();
  const categories = useCategories().data ?? [];
  const { settings } = useWorkspace().workspace;
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
      <Switch
        label="Public"
        // The label holds the description too.
        aria-label="Public"
        description={
          settings.allowPublicTemplates === true
            ? 'Everybody on this installation can see and copy it.'
            : 'Everybody on this installation could see and copy it, once an admin allows public templates in the settings of this workspace.'
        }
        {...form.getInputProps('is_public', { type: 'checkbox' })}
      />
    </Stack>
  );
}
