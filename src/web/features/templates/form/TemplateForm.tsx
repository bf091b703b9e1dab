import { useState } from 'react';
import type { Template } from '#contract/templates.ts';
import { ApiError } from '#web/api/client.ts';
import { useSaveTemplate } from '#web/api/templates.ts';
import { DialogForm } from '#web/ui/DialogForm.tsx';
import { fieldErrors } from '#web/ui/field-errors.ts';
import { focusContent } from '#web/ui/focus-content.ts';
import { notifyError, notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { inputOf, problemsOf, withVariable } from './draft.ts';
import { useTemplateFormContext } from './form-context.ts';
import { TemplateTabs } from './TemplateTabs.tsx';
import { showRefusal } from './show-refusal.ts';

type TemplateFormProps = { template: Template | null; onCancel: () => void; onDone: () => void };

/** The three tabs and the buttons; the input stays when saving fails. */
export function TemplateForm({ template, onCancel, onDone }: TemplateFormProps) {
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
      const body = inputOf(draft);
      const { name } = await mutateAsync(
        template ? { kind: 'update', id: template.id, changes: body } : { kind: 'create', body },
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
  if (!template && status === 401) return notifyFailure('Cannot create template', error);
  if (!template && status === 404)
    return notifyError('Cannot create template', 'No workspace selected. Please select a workspace first.');
  notifyFailure('Error saving template', error, 'An unexpected error occurred');
}

function submitWord({ isNew, isSaving }: { isNew: boolean; isSaving: boolean }): string {
  if (isNew) return isSaving ? 'Creating...' : 'Create Template';
  return isSaving ? 'Updating...' : 'Update Template';
}
