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
    <Group className={classes.footer} justify="flex-end" gap={8}>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" disabled={isSaving} leftSection={isSaving && <Loader size={14} color="currentColor" />}>
        {submitLabel}
      </Button>
    </Group>
  </form>
);
