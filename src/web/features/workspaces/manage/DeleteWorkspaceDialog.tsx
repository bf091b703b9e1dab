import { restorableDays } from '#contract/workspace-deletion.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { useDeleteWorkspace } from '#web/api/workspace-deletion.ts';
import { notifySuccess } from '#web/ui/notify.tsx';
import { TypeToDeleteDialog } from '#web/ui/TypeToDeleteDialog.tsx';

type DeleteWorkspaceDialogProps = { workspace: Workspace; opened: boolean; onClose: () => void };

/** Asks for the name of the workspace before it is deleted. */
export function DeleteWorkspaceDialog({ workspace, ...dialog }: DeleteWorkspaceDialogProps) {
  const { mutateAsync, isPending } = useDeleteWorkspace(workspace.id);
  const remove = async (typed: string) => {
    await mutateAsync(typed);
    notifySuccess('Workspace deleted', `For ${restorableDays} days you can restore ${workspace.name}.`);
  };
  return (
    <TypeToDeleteDialog
      title={`Delete ${workspace.name}?`}
      expected={workspace.name}
      label="Name of the workspace"
      description={`Type ${workspace.name}`}
      maxLength={100}
      deleteLabel="Delete workspace"
      failure="Error deleting workspace"
      isBusy={isPending}
      onDelete={remove}
      {...dialog}
    >
      At once nothing of it is sent any more, its hooks and API keys stop working, and its members see nothing but this
      notice. For {restorableDays} days an owner can restore it. After that its data is deleted for good.
    </TypeToDeleteDialog>
  );
}
