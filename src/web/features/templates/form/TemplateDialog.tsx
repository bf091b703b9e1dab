// Styles of components that only this form uses; they load with the form, not with the shell.
import '@mantine/core/styles/Switch.layer.css';
import '#web/ui/switch.css';
import { Button, Group, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { type RefObject, useImperativeHandle, useRef, useState } from 'react';
import { type Template, templateLimits } from '#contract/templates.ts';
import { ApiError } from '#web/api/client.ts';
import { useCategories } from '#web/api/template-categories.ts';
import { type NamedTemplate, useSaveTemplate } from '#web/api/templates.ts';
import { WholeTemplate } from '#web/features/templates/WholeTemplate.tsx';
import { useChangeSettings } from '#web/features/workspaces/use-change-settings.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { DialogForm } from '#web/ui/DialogForm.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { focusContent } from '#web/ui/focus-content.ts';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { FormTabs } from '#web/ui/FormTabs.tsx';
import { notifyError, notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { ContentTab } from './ContentTab.tsx';
import { changesOf, draftOf, inputOf, newDraft, problemsOf, withVariable } from './draft.ts';
import { TemplateFormProvider, useTemplateForm, useTemplateFormContext } from './form-context.ts';
import { showRefusal } from './show-refusal.ts';
import { VariablesTab } from './VariablesTab.tsx';

type TemplateDialogProps = {
  /** The template to edit, or null for a new one. */
  template: NamedTemplate | null;
  /** The category of a new template. */
  category: string | null;
  opened: boolean;
  onClose: () => void;
};

/** Creates or edits a template; asks before discarding changes. Loaded separately from the list. */
export default function TemplateDialog({ template, category, opened, onClose }: TemplateDialogProps) {
  const form = useRef<ReturnType<typeof useTemplateForm>>(null);
  return (
    <FormDialog
      title={template ? 'Edit Template' : 'Create Template'}
      opened={opened}
      width={720}
      isDirty={() => form.current?.isDirty() ?? false}
      onClose={onClose}
    >
      {(leave) => {
        const props = { form, onCancel: leave, onDone: onClose };
        return template === null ? (
          <Draft template={null} category={category} {...props} />
        ) : (
          <WholeTemplate id={template.id}>
            {(whole) => <Draft template={whole} category={null} {...props} />}
          </WholeTemplate>
        );
      }}
    </FormDialog>
  );
}

type DraftProps = {
  template: Template | null;
  category: string | null;
  /** Set to the form once it is loaded. */
  form: RefObject<ReturnType<typeof useTemplateForm> | null>;
  onCancel: () => void;
  onDone: () => void;
};

function Draft({ template, category, form: known, ...props }: DraftProps) {
  // The initial values are read once: later server data must not overwrite the user's input.
  const form = useTemplateForm({ initialValues: template ? draftOf(template) : newDraft(category) });
  useImperativeHandle(known, () => form, [form]);
  return (
    <TemplateFormProvider form={form}>
      <TemplateForm template={template} {...props} />
    </TemplateFormProvider>
  );
}

type TemplateFormProps = { template: Template | null; onCancel: () => void; onDone: () => void };

/** The three tabs and the buttons; the input stays when saving fails. */
function TemplateForm({ template, onCancel, onDone }: TemplateFormProps) {
  const form = useTemplateFormContext();
  const { mutateAsync, isPending } = useSaveTemplate();
  const [refusals, setRefusals] = useState(0);
  const refuse = (errors: Record<string, string>) => {
    form.setErrors(errors);
    setRefusals((count) => count + 1);
  };

  const submit = async () => {
    let draft = form.getValues();
    // A variable that was typed but not added is saved too.
    if (draft.entry.name.trim() !== '') {
      const added = withVariable(draft, draft.entry);
      if (added.outcome !== 'added') return refuse({ 'entry.name': showRefusal(added) });
      draft = added.draft;
      form.setValues(draft);
    }
    const errors = problemsOf(draft);
    if (errors.name !== undefined && draft.name.trim() === '') notifyError('Name required', errors.name);
    if (Object.keys(errors).length > 0) return refuse(errors);
    form.clearErrors();
    // The result is handled here and not in a mutation callback: the dialog may be closed before the response, and the
    // toast is still shown.
    try {
      const { name } = await mutateAsync(
        template
          ? { kind: 'update', id: template.id, changes: changesOf(draft) }
          : { kind: 'create', body: inputOf(draft) },
      );
      notifySuccess(template ? 'Template updated' : 'Template created', `“${name}” has been saved`);
      onDone();
      // The first template removes the button of the empty list. Any other button gets the focus back after this.
      if (!template) focusContent();
    } catch (error) {
      showFailure(error, template);
      if (error instanceof ApiError && error.fields.length > 0) refuse(fieldErrors(error.fields));
    }
  };

  const submitLabel = submitWord({ isNew: !template, isSaving: isPending });
  return (
    <DialogForm submitLabel={submitLabel} isSaving={isPending} onSubmit={submit} onCancel={onCancel}>
      <TemplateTabs refusals={refusals} />
    </DialogForm>
  );
}

function showFailure(error: unknown, template: Template | null): void {
  const status = error instanceof ApiError ? error.status : 0;
  if (!template && status === 401) return void notifyFailure('Cannot create template', error);
  if (!template && status === 404)
    return void notifyError('Cannot create template', 'No workspace selected. Please select a workspace first.');
  notifyFailure('Error saving template', error, 'An unexpected error occurred');
}

function submitWord({ isNew, isSaving }: { isNew: boolean; isSaving: boolean }): string {
  if (isNew) return isSaving ? 'Creating...' : 'Create Template';
  return isSaving ? 'Updating...' : 'Update Template';
}

function TemplateTabs({ refusals }: { refusals: number }) {
  const { errors } = useTemplateFormContext();
  return (
    <FormTabs
      label="Parts of the template"
      tabs={[
        { id: 'basic', label: 'Basic Info', panel: <BasicInfoTab /> },
        { id: 'content', label: 'Content', panel: <ContentTab /> },
        { id: 'variables', label: 'Variables', panel: <VariablesTab /> },
      ]}
      errors={errors}
      tabOf={tabOf}
      refusals={refusals}
    />
  );
}

function tabOf(path: string) {
  if (path.startsWith('content')) return 'content';
  return path.startsWith('variables') || path.startsWith('entry') ? 'variables' : 'basic';
}

/** Name, description, category and visibility. */
function BasicInfoTab() {
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

/**
 * Makes the template public. It has no effect until the workspace allows public templates, which an admin can do here.
 */
function PublicSwitch() {
  const form = useTemplateFormContext();
  const { settings, demo_until: demoUntil } = useWorkspace().workspace;
  const isAllowed = settings.allowPublicTemplates === true;
  const isDemo = demoUntil !== null;
  const { mayChange, change, isPending } = useChangeSettings();
  return (
    <div>
      <Switch
        label="Public"
        // Without it, the accessible name would include the description.
        aria-label="Public"
        description={isDemo ? onlyHere : isAllowed ? shown : mayChange ? offForAdmins : offForMembers}
        {...form.getInputProps('is_public', { type: 'checkbox' })}
      />
      {!isDemo && !isAllowed && mayChange && (
        <Group mt={8}>
          <Button
            size="xs"
            variant="default"
            loading={isPending}
            onClick={() => void change({ allowPublicTemplates: true })}
          >
            Allow public templates
          </Button>
        </Group>
      )}
    </div>
  );
}

const shown = 'Everybody on this installation can see and copy it.';
const onlyHere = 'The templates of a demo are shown to nobody else.';
const off = 'Public templates are off in this workspace: nobody outside it sees this one.';
const offForAdmins = `${off} Once allowed, everybody on this installation sees all that are marked public.`;
const offForMembers = `${off} Ask an admin to allow them.`;
