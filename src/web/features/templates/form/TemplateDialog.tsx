import './form-styles.ts';
import type { Template } from '#contract/templates.ts';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { draftOf, newDraft } from './draft.ts';
import { TemplateFormProvider, useTemplateForm } from './form-context.ts';
import { TemplateForm } from './TemplateForm.tsx';

type TemplateDialogProps = {
  /** The one to edit, null to write a new one. */
  template: Template | null;
  /** Where a new one begins. */
  category: string | null;
  opened: boolean;
  onClose: () => void;
};

/** Writes a template, or edits one; asks before what was typed is thrown away. Loaded apart from the list. */
export default function TemplateDialog({ template, category, opened, onClose }: TemplateDialogProps) {
  // Taken once: what arrives later from the server must not overwrite what is being typed.
  const form = useTemplateForm({ initialValues: template ? draftOf(template) : newDraft(category) });
  return (
    <TemplateFormProvider form={form}>
      <FormDialog
        title={template ? 'Edit Template' : 'Create Template'}
        opened={opened}
        width={720}
        isDirty={form.isDirty}
        onClose={onClose}
      >
        {(leave) => <TemplateForm template={template} onCancel={leave} onDone={onClose} />}
      </FormDialog>
    </TemplateFormProvider>
  );
}
