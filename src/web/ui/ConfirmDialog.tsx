import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';

type ConfirmDialogProps = {
  title: string;
  /** The effect, and whether it can be undone. */
  children: ReactNode;
  /** The verb on the button: `Delete template`. */
  confirmLabel: string;
  cancelLabel?: string;
  /** In px. */
  width?: number;
  /** Red where it destroys something. */
  color?: 'red' | 'cue';
  opened: boolean;
  isBusy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks for confirmation before an action, mostly a destructive one; Cancel has the initial focus. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  width = 440,
  color = 'red',
  opened,
  isBusy,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Dialog title={title} opened={opened} onClose={onClose} width={width}>
      {children}
      <Group justify="flex-end" gap={8} mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancelLabel}
        </Button>
        <Button color={color} onClick={onConfirm} loading={isBusy}>
          {confirmLabel}
        </Button>
      </Group>
    </Dialog>
  );
}
