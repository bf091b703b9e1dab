import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Workspace } from '#contract/workspaces.ts';
import { useLeaveWorkspace } from '#web/api/members.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';

type LeaveDialogProps = { workspace: Workspace; opened: boolean; onClose: () => void };

/** Another workspace follows, or the screen of somebody without one. */
export function LeaveDialog({ workspace, opened, onClose }: LeaveDialogProps) {
  const { mutateAsync, isPending } = useLeaveWorkspace(workspace.id);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const confirm = async () => {
    try {
      await mutateAsync();
      await navigate({ to: '/dashboard', ignoreBlocker: true });
      await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey });
    } catch (error) {
      onClose();
      notifyFailure('Error leaving workspace', error);
    }
  };
  return (
    <ConfirmDialog
      title={`Leave ${workspace.name}?`}
      confirmLabel="Leave workspace"
      opened={opened}
      onClose={onClose}
      onConfirm={() => void confirm()}
      isBusy={isPending}
    >
      You lose access to everything in it at once. What you made stays; your API keys and calendar feeds end.
    </ConfirmDialog>
  );
}
