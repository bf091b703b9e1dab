import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { sessionQuery } from '#web/api/session.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';

type UnsavedChangesProps = {
  hasChanges: () => boolean;
  /** Stores the changes for the next visit; returns false when that fails. Without it, closing the tab asks. */
  keep?: () => boolean;
  /** Called when the user discards the changes. */
  onLeave?: () => void;
  /** A sentence that says what is not saved. */
  children: ReactNode;
};

/** The forms on the screen, each with whether it has unsaved changes. */
const forms = new Set<() => boolean>();

/** Whether a form on the screen has changes that nothing stores. */
export const hasUnsavedChanges = (): boolean => [...forms].some((hasChanges) => hasChanges());

/** Asks for confirmation before a link, Back, or closing the tab discards changes. */
export function UnsavedChanges({ hasChanges, keep = () => false, onLeave, children }: UnsavedChangesProps) {
  const queryClient = useQueryClient();
  const isSignedOut = () => queryClient.getQueryData(sessionQuery.queryKey) === null;
  const latest = useRef(hasChanges);
  useEffect(() => {
    latest.current = hasChanges;
  });
  useEffect(() => {
    const ask = () => latest.current();
    forms.add(ask);
    return () => void forms.delete(ask);
  }, []);
  const blocker = useBlocker({
    // Changing the tab or picking a template keeps the path. A signed-out user is not blocked.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && !isSignedOut() && hasChanges(),
    enableBeforeUnload: () => hasChanges() && !keep(),
    withResolver: true,
  });
  return (
    <ConfirmDialog
      title="Leave without saving?"
      confirmLabel="Leave without saving"
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      onConfirm={() => {
        onLeave?.();
        blocker.proceed?.();
      }}
    >
      {children}
    </ConfirmDialog>
  );
}
