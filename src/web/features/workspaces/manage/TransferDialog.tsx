import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Workspace } from '#contract/workspaces.ts';
import { useMembers, useTransferOwnership } from '#web/api/members.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { act } from '#web/ui/act.ts';
import { useSubmit } from '#web/ui/use-submit.ts';
import { memberName } from './member-name.ts';

type TransferDialogProps = { workspace: Workspace; opened: boolean; onClose: () => void };

/** Makes another member the owner after a confirmation of who asks. */
export function TransferDialog({ workspace, opened, onClose }: TransferDialogProps) {
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
