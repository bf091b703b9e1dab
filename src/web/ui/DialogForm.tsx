import { Button, Group, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './DialogForm.module.css';
import { focusLateForm } from './focus-late-form.ts';
import { useSubmit } from './use-submit.ts';

type DialogFormProps = {
  submitLabel: string;
  isSaving: boolean;
  onSubmit: () => Promise<void>;
  onCancel: () => void;
  children: ReactNode;
};

/** The fields, and below them the buttons, which stay visible. */
export const DialogForm = ({ submitLabel, isSaving, onSubmit, onCancel, children }: DialogFormProps) => (
  <form
    ref={focusLateForm}
    style={{ display: 'flex', flexDirection: 'column' }}
    noValidate
    onSubmit={useSubmit(onSubmit)}
  >
    {children}
    <DialogFooter>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" disabled={isSaving} leftSection={isSaving && <Loader size={14} color="currentColor" />}>
        {submitLabel}
      </Button>
    </DialogFooter>
  </form>
);

type DialogFooterProps = { /** Above it, in px. */ mt?: number; children: ReactNode };

/** The buttons of a dialog, which stay visible. */
export const DialogFooter = ({ mt = 0, children }: DialogFooterProps) => (
  <Group className={classes.footer} mt={mt} justify="flex-end" gap={8}>
    {children}
  </Group>
);
