import type { Member } from '#contract/members.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { useRemoveMember } from '#web/api/members.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { memberName } from './member-name.ts';

type RemoveMemberDialogProps = { workspace: Workspace; member: Member; opened: boolean; onClose: () => void };

export function RemoveMemberDialog({ workspace, member, ...dialog }: RemoveMemberDialogProps) {
  const { mutateAsync } = useRemoveMember(workspace.id);
  const name = memberName(member);
  return (
    <ActDialog
      title={`Remove ${name}?`}
      confirmLabel="Remove member"
      run={() => mutateAsync(member.id)}
      done={['Member removed', `${name} is no longer a member of ${workspace.name}.`]}
      failed="Error removing member"
      removesOpener
      {...dialog}
    >
      {name} ({member.email}) loses access to {workspace.name} at once. What they made stays, API keys too; invitations
      that they sent and nobody has accepted are revoked.
    </ActDialog>
  );
}
