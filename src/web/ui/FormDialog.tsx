import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Dialog } from './Dialog.tsx';

type FormDialogProps = {
  title: string;
  opened: boolean;
  width: number;
  /** Something was typed that would be lost. */
  isDirty: () => boolean;
  onClose: () => void;
  /** The form, which is given the way out that asks. */
  children: (leave: () => void) => ReactNode;
};

/** A form in a dialog that asks before what was typed is thrown away: by closing it, by a link, or by closing the tab. */
export function FormDialog({ title, opened, width, isDirty, onClose, children }: FormDialogProps) {
  const [isAsking, setIsAsking] = useState(false);
  const hasChanges = () => opened && isDirty();
  const blocker = useBlocker({
    // The address also says which dialog is open.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasChanges(),
    enableBeforeUnload: hasChanges,
    withResolver: true,
  });
  const isLeaving = blocker.status === 'blocked';
  const leave = () => {
    // Escape is heard by both dialogs, and is for the one in front.
    if (isAsking || isLeaving) return;
    if (!isDirty()) return onClose();
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
        What you have written here is not saved yet.
      </ConfirmDialog>
    </>
  );
}
