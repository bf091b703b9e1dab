import { Button, type ButtonProps, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './DialogForm.module.css';

type FormButtonsProps = Pick<ButtonProps, 'color' | 'disabled' | 'leftSection'> & {
  onCancel: () => void;
  cancelLabel?: string | undefined;
  isBusy: boolean;
  'data-autofocus'?: boolean;
  /** The label of the button that submits. */
  children: ReactNode;
};

/** The buttons below the form of a dialog, where they stay visible: Cancel, or what leaves it, and the one that submits. */
export const FormButtons = ({ onCancel, cancelLabel = 'Cancel', isBusy, children, ...submit }: FormButtonsProps) => (
  <Group className={classes.buttons} justify="flex-end" gap={8}>
    <Button variant="default" onClick={onCancel}>
      {cancelLabel}
    </Button>
    <Button type="submit" loading={isBusy} {...submit}>
      {children}
    </Button>
  </Group>
);
