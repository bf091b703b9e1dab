import type { Member } from '#contract/members.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { useRemoveMember } from '#web/api/members.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { focusContent } from '#web/ui/focus-content.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { memberName } from './member-name.ts';

type RemoveMemberDialogProps = { workspace: Workspace; member: Member; opened: boolean; onClose: () => void };

export function RemoveMemberDialog({ workspace, member, opened, onClose }: RemoveMemberDialogProps) {
  const { mutateAsync, isPending } = useRemoveMember(workspace.id);
  const name = memberName(member);
  const confirm = async () => {
    try {
      await mutateAsync(member.id);
      notifySuccess('Member removed', `${name} is no longer a member of ${workspace.name}.`);
      onClose();
      // The button that opened the dialog is removed with its row.
      focusContent();
    } catch (error) {
      notifyFailure('Error removing member', error);
    }
  };
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      confirmLabel="Remove member"
      opened={opened}
      onClose={onClose}
      onConfirm={() => void confirm()}
      isBusy={isPending}
    >
      {name} ({member.email}) loses access to {workspace.name} at once. What they made stays, API keys too; invitations
      that they sent and nobody has accepted are revoked.
    </ConfirmDialog>
  );
}
