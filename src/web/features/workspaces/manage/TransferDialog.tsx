import '@mantine/core/styles/PasswordInput.layer.css';
import { Button, Group, PasswordInput, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Workspace } from '#contract/workspaces.ts';
import { ApiError } from '#web/api/client.ts';
import { configQuery } from '#web/api/config.ts';
import { useMembers, useTransferOwnership } from '#web/api/members.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { memberName } from './member-name.ts';

type TransferDialogProps = { workspace: Workspace; opened: boolean; onClose: () => void };

/** Makes another member the owner; asks for the password once more. */
export function TransferDialog({ workspace, opened, onClose }: TransferDialogProps) {
  const others = (useMembers(workspace.id).data ?? []).filter(({ role }) => role !== 'owner');
  const hasGoogle = useQuery(configQuery).data?.google === true;
  const { mutateAsync, isPending } = useTransferOwnership(workspace.id);
  const [member, setMember] = useState<string | null>(null);
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<{ member?: string; password?: string }>({});
  const heir = others.find(({ id }) => id === member);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    if (!heir) return setProblems({ member: 'Choose a member' });
    try {
      await mutateAsync({ member: heir.id, password: password || undefined });
      notifySuccess('Ownership transferred', `${memberName(heir)} now owns ${workspace.name}. You are an admin.`);
      onClose();
    } catch (error) {
      const wrong = error instanceof ApiError ? error.fields.find(({ path }) => path === 'password') : undefined;
      if (wrong) return setProblems({ password: wrong.message });
      notifyFailure('Error transferring ownership', error);
    }
  };

  return (
    <Dialog title="Transfer ownership" opened={opened} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)}>
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
            error={problems.member}
            onChange={(value) => {
              setMember(value);
              setProblems({});
            }}
            data-autofocus
          />
          <PasswordInput
            label="Your password"
            description={hasGoogle ? 'Leave it empty if you sign in with Google only.' : undefined}
            autoComplete="current-password"
            maxLength={200}
            value={password}
            error={problems.password}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              setProblems({});
            }}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={isPending} disabled={others.length === 0}>
              Transfer ownership
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
