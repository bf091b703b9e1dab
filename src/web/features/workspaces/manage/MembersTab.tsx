import { Button, Card, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Member } from '#contract/members.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { useMembers, useSetMemberRole, useTransferOwnership } from '#web/api/members.ts';
import { useSession } from '#web/api/session.ts';
import { act } from '#web/ui/act.ts';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import prose from '#web/ui/prose.module.css';
import record from '#web/ui/record.module.css';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { InvitationSection } from './InvitationSection.tsx';
import { LeaveDialog } from './LeaveDialog.tsx';
import { memberName } from './member-name.ts';
import { MemberTable } from './MemberTable.tsx';
import { RemoveMemberDialog } from './RemoveMemberDialog.tsx';

type Asked = { to: 'remove' | 'demote'; member: Member } | { to: 'leave' } | { to: 'transfer' };

/** Who belongs to the workspace. Owners and admins promote, demote and remove; everybody may leave. */
export function MembersTab({ workspace }: { workspace: Workspace }) {
  const members = useMembers(workspace.id);
  const userId = useSession()?.user.id;
  const setRole = useSetMemberRole(workspace.id);
  const { state, open, dialog: shown } = useDialogState<Asked>();
  const dialog = { workspace, ...shown };

  const changeRole = (member: Member, role: 'admin' | 'member') =>
    act(setRole.mutateAsync({ id: member.id, role }), {
      done: ['Member role updated', `${memberName(member)} is now ${role === 'admin' ? 'an admin' : 'a member'}.`],
      failed: 'Error updating member role',
    });

  const demoteYourself = async (asked: Asked | null) => {
    if (asked?.to !== 'demote') return;
    await changeRole(asked.member, 'member');
    dialog.onClose();
  };

  return (
    <div className={record.column}>
      <RecordSection title="Members">
        <Loaded of={members} failed="Error loading members">
          {(all) => (
            <MemberTable
              members={all}
              userId={userId}
              mayChange={workspace.role !== 'member'}
              busyId={setRole.isPending ? setRole.variables.id : null}
              onRole={(member, role) =>
                member.user_id === userId ? open({ to: 'demote', member }) : void changeRole(member, role)
              }
              onRemove={(member) => open({ to: 'remove', member })}
            />
          )}
        </Loaded>
      </RecordSection>
      {workspace.role !== 'member' && <InvitationSection workspace={workspace} />}
      <Card padding={20}>
        <Group justify="space-between" gap={12}>
          <p className={prose.dimParagraph}>{leavingText(workspace.role, members.data)}</p>
          {workspace.role !== 'owner' && (
            <Button variant="default" onClick={() => open({ to: 'leave' })}>
              Leave workspace
            </Button>
          )}
          {workspace.role === 'owner' && hasHeirs(members.data) && (
            <Button variant="default" onClick={() => open({ to: 'transfer' })}>
              Transfer ownership
            </Button>
          )}
        </Group>
      </Card>
      {state.asked?.to === 'remove' && (
        <RemoveMemberDialog key={state.openCount} member={state.asked.member} {...dialog} />
      )}
      {state.asked?.to === 'demote' && (
        <DemoteYourselfDialog
          key={state.openCount}
          {...dialog}
          isBusy={setRole.isPending}
          onConfirm={() => void demoteYourself(state.asked)}
        />
      )}
      {state.asked?.to === 'leave' && <LeaveDialog key={state.openCount} {...dialog} />}
      {state.asked?.to === 'transfer' && <TransferDialog key={state.openCount} {...dialog} />}
    </div>
  );
}

const hasHeirs = (members: readonly Member[] = []) => members.some(({ role }) => role !== 'owner');

/** How somebody of this role gets out of the workspace. */
function leavingText(role: Member['role'], members: readonly Member[] | undefined): string {
  if (role !== 'owner') return 'After leaving, only an invitation brings you back.';
  if (members === undefined) return 'The owner cannot leave.';
  return hasHeirs(members)
    ? 'The owner cannot leave: make another member the owner first.'
    : 'The owner cannot leave. Invite whom you want to hand it over to, or delete it on the Settings tab.';
}

type DemoteYourselfDialogProps = {
  workspace: Workspace;
  opened: boolean;
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before an admin gives up what only somebody else can give back. */
const DemoteYourselfDialog = ({ workspace, ...dialog }: DemoteYourselfDialogProps) => (
  <ConfirmDialog title="Demote yourself?" confirmLabel="Become a member" {...dialog}>
    You can then no longer change channels, members and settings of {workspace.name}, and your API keys end. Only its
    owner or another admin can make you an admin again.
  </ConfirmDialog>
);

type TransferDialogProps = { workspace: Workspace; opened: boolean; onClose: () => void };

/** Makes another member the owner after a confirmation of who asks. */
function TransferDialog({ workspace, opened, onClose }: TransferDialogProps) {
  const others = (useMembers(workspace.id).data ?? []).filter(({ role }) => role !== 'owner');
  const { mutateAsync, isPending } = useTransferOwnership(workspace.id);
  const [member, setMember] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const heir = others.find(({ id }) => id === member);

  const submit = useSubmit(async () => {
    if (!heir) return setProblem('Choose a member');
    const isTransferred = await act(mutateAsync(heir.id), {
      done: ['Ownership transferred', `${memberName(heir)} now owns ${workspace.name}. You are an admin.`],
      failed: 'Error transferring ownership',
    });
    if (isTransferred) onClose();
  });

  return (
    <Dialog title="Transfer ownership" opened={opened} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Stack gap={16}>
          <span>
            The new owner can do everything in {workspace.name}. You become an admin, and cannot take it back.
          </span>
          <Select
            label="New owner"
            placeholder={others.length === 0 ? 'There is no other member' : 'Choose a member'}
            disabled={others.length === 0}
            data={others.map((other) => ({ value: other.id, label: `${memberName(other)} (${other.email})` }))}
            searchable
            openOnFocus={false}
            nothingFoundMessage="No member found"
            value={member}
            error={problem}
            onChange={(value) => {
              setMember(value);
              setProblem(null);
            }}
            data-autofocus
          />
          <FormButtons onCancel={onClose} color="red" isBusy={isPending} disabled={others.length === 0}>
            Transfer ownership
          </FormButtons>
        </Stack>
      </form>
    </Dialog>
  );
}
