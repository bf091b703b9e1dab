import type { NamedTemplate } from '#web/api/templates.ts';
// Styles of components that only this form uses; they load with the form, not with the shell.
import '@mantine/core/styles/Switch.layer.css';
import '#web/ui/switch.css';
import { type RefObject, useImperativeHandle, useRef } from 'react';
import type { Template } from '#contract/templates.ts';
import { WholeTemplate } from '#web/features/templates/WholeTemplate.tsx';
import { FormDialog } from '#web/ui/FormDialog.tsx';
import { draftOf, newDraft } from './draft.ts';
import { TemplateFormProvider, useTemplateForm } from './form-context.ts';
import { TemplateForm } from './TemplateForm.tsx';

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
