import type { Invitation } from '#contract/invitations.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { useRevokeInvitation } from '#web/api/invitations.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { focusContent } from '#web/ui/focus-content.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

type RevokeDialogProps = { workspace: Workspace; invitation: Invitation; opened: boolean; onClose: () => void };

export function RevokeDialog({ workspace, invitation, opened, onClose }: RevokeDialogProps) {
  const { mutateAsync, isPending } = useRevokeInvitation(workspace.id);
  const confirm = async () => {
    try {
      await mutateAsync(invitation.id);
      notifySuccess('Invitation revoked', `The link of ${invitation.email} no longer works.`);
      onClose();
      // The button that opened the dialog is removed with its row.
      focusContent();
    } catch (error) {
      notifyFailure('Error revoking invitation', error);
    }
  };
  return (
    <ConfirmDialog
      title="Revoke the invitation?"
      confirmLabel="Revoke invitation"
      opened={opened}
      onClose={onClose}
      onConfirm={() => void confirm()}
      isBusy={isPending}
    >
      The link that {invitation.email} got stops working at once.
    </ConfirmDialog>
  );
}
