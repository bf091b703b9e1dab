import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { sessionQuery } from '#web/api/session.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';

type UnsavedChangesProps = {
  hasChanges: () => boolean;
  /** Puts the changes away for the next visit; false where that is not possible. */
  keep: () => boolean;
  /** They are to be lost. */
  onLeave: () => void;
};

/**
 * Asks before changes are left behind by a link or by Back. A tab that is closed or reloaded keeps them; where it cannot, the
 * browser asks in its own words.
 */
export function UnsavedChanges({ hasChanges, keep, onLeave }: UnsavedChangesProps) {
  const queryClient = useQueryClient();
  const isSignedOut = () => queryClient.getQueryData(sessionQuery.queryKey) === null;
  const blocker = useBlocker({
    // The tab that is open, and a template that is picked, are no other page. Who is signed out cannot stay.
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
        onLeave();
        blocker.proceed?.();
      }}
    >
      What you have changed in this reminder is not saved yet.
    </ConfirmDialog>
  );
}
