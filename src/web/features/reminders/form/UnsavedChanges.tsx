import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { sessionQuery } from '#web/api/session.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';

type UnsavedChangesProps = {
  hasChanges: () => boolean;
  /** Stores the changes for the next visit; returns false when that fails. */
  keep: () => boolean;
  /** Called when the user discards the changes. */
  onLeave: () => void;
};

/**
 * Asks for confirmation before a link or Back discards changes. Closing or reloading the tab stores them; when that
 * fails, the browser asks.
 */
export function UnsavedChanges({ hasChanges, keep, onLeave }: UnsavedChangesProps) {
  const queryClient = useQueryClient();
  const isSignedOut = () => queryClient.getQueryData(sessionQuery.queryKey) === null;
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
        onLeave();
        blocker.proceed?.();
      }}
    >
      Your changes to this reminder are not saved.
    </ConfirmDialog>
  );
}
