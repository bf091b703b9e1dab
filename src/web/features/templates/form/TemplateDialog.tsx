import './form-styles.ts';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import type { Template } from '#contract/templates.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
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
  const [isAsking, setIsAsking] = useState(false);
  const hasChanges = () => opened && form.isDirty();
  const blocker = useBlocker({
    // The address also says which template is open.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasChanges(),
    enableBeforeUnload: hasChanges,
    withResolver: true,
  });
  const isLeaving = blocker.status === 'blocked';
  const leave = () => {
    // Escape is heard by both dialogs, and is for the one in front.
    if (isAsking || isLeaving) return;
    if (!form.isDirty()) return onClose();
    // Later than the key press, which the dialog that then opens would take for its own.
    setTimeout(() => setIsAsking(true));
  };
  const stay = () => {
    setIsAsking(false);
    blocker.reset?.();
  };
  const goOn = () => {
    setIsAsking(false);
    if (isLeaving) blocker.proceed?.();
    else onClose();
  };
  return (
    <TemplateFormProvider form={form}>
      <Dialog title={template ? 'Edit Template' : 'Create Template'} opened={opened} onClose={leave} width={720}>
        <TemplateForm template={template} onCancel={leave} onDone={onClose} />
      </Dialog>
      <ConfirmDialog
        title="Close without saving?"
        confirmLabel="Close without saving"
        opened={(isAsking || isLeaving) && opened}
        onClose={stay}
        onConfirm={goOn}
      >
        What you have written here is not saved yet.
      </ConfirmDialog>
    </TemplateFormProvider>
  );
}
