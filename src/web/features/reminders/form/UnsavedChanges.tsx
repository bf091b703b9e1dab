import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';

/** Asks before changes are left behind: by a link, by Back, or (in the browser's words) by closing the tab. */
export function UnsavedChanges({ hasChanges }: { hasChanges: () => boolean }) {
  const blocker = useBlocker({ shouldBlockFn: hasChanges, enableBeforeUnload: hasChanges, withResolver: true });
  return (
    <ConfirmDialog
      title="Leave without saving?"
      confirmLabel="Leave without saving"
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    >
      What you have changed in this reminder is not saved yet.
    </ConfirmDialog>
  );
}
