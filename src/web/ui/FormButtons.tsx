import { Button, type ButtonProps, Group } from '@mantine/core';
import type { ReactNode } from 'react';

type FormButtonsProps = Pick<ButtonProps, 'color' | 'disabled' | 'leftSection'> & {
  onCancel: () => void;
  isBusy: boolean;
  'data-autofocus'?: boolean;
  /** The label of the button that submits. */
  children: ReactNode;
};

/** The buttons below the form of a dialog: Cancel, and the one that submits. */
export const FormButtons = ({ onCancel, isBusy, children, ...submit }: FormButtonsProps) => (
  <Group justify="flex-end" gap={8}>
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" loading={isBusy} {...submit}>
      {children}
    </Button>
  </Group>
);
