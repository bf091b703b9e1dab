import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { restorableDays } from '#contract/workspace-deletion.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { useDeleteWorkspace } from '#web/api/workspace-deletion.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

type DeleteWorkspaceDialogProps = { workspace: Workspace; opened: boolean; onClose: () => void };

/** Asks for the name of the workspace, and then for who you are. */
export function DeleteWorkspaceDialog({ workspace, opened, onClose }: DeleteWorkspaceDialogProps) {
  const { mutateAsync, isPending } = useDeleteWorkspace(workspace.id);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    if (name.trim() !== workspace.name) return setProblem(`Type ${workspace.name}`);
    try {
      await mutateAsync(name);
      notifySuccess('Workspace deleted', `For ${restorableDays} days you can restore ${workspace.name}.`);
    } catch (error) {
      notifyFailure('Error deleting workspace', error);
    }
  };

  return (
    <Dialog title={`Delete ${workspace.name}?`} opened={opened} onClose={onClose} width={480}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <Stack gap={16}>
          <span>
            At once nothing of it is sent any more, its hooks and API keys stop working, and its members see nothing but
            this notice. For {restorableDays} days an owner can restore it. After that its data is deleted for good.
          </span>
          <TextInput
            label="Name of the workspace"
            description={`Type ${workspace.name}`}
            autoComplete="off"
            maxLength={100}
            value={name}
            error={problem}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setProblem(null);
            }}
            data-autofocus
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={isPending}>
              Delete workspace
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
