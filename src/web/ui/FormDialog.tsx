import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Dialog } from './Dialog.tsx';

type FormDialogProps = {
  title: string;
  opened: boolean;
  width: number;
  /** Whether closing would lose input. */
  isDirty: () => boolean;
  onClose: () => void;
  /** Renders the form; `leave` closes the dialog and asks first when there is input. */
  children: (leave: () => void) => ReactNode;
};

/** A form in a dialog that asks before input is discarded: by closing the dialog, by a link, or by closing the tab. */
export function FormDialog({ title, opened, width, isDirty, onClose, children }: FormDialogProps) {
  const [isAsking, setIsAsking] = useState(false);
  const hasChanges = () => opened && isDirty();
  const blocker = useBlocker({
    // The search part of the URL only says which dialog is open.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasChanges(),
    enableBeforeUnload: hasChanges,
    withResolver: true,
  });
  const isLeaving = blocker.status === 'blocked';
  const leave = () => (isDirty() ? setIsAsking(true) : onClose());
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
    <>
      <Dialog title={title} opened={opened} onClose={leave} width={width}>
        {children(leave)}
      </Dialog>
      <ConfirmDialog
        title="Close without saving?"
        confirmLabel="Close without saving"
        opened={(isAsking || isLeaving) && opened}
        onClose={stay}
        onConfirm={goOn}
      >
        Your changes are not saved.
      </ConfirmDialog>
    </>
  );
}
