import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Workspace } from '#contract/workspaces.ts';
import { rememberWorkspace } from '#web/api/current-workspace.ts';
import { useCreateWorkspace } from '#web/api/workspaces.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';

type CreateWorkspaceFormProps = {
  submitLabel: string;
  onCreated?: (workspace: Workspace) => void;
  onCancel?: () => void;
};

/** Name and optional description; the new workspace becomes the current one. */
export function CreateWorkspaceForm({ submitLabel, onCreated, onCancel }: CreateWorkspaceFormProps) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const { mutateAsync, isPending } = useCreateWorkspace();

  const submit = useSubmit(async () => {
    try {
      const workspace = await mutateAsync({ name: name.trim(), description: description.trim() });
      notifySuccess('Workspace created', `${workspace.name} workspace has been created successfully`, {
        about: 'workspace',
      });
      rememberWorkspace(workspace.id);
      onCreated?.(workspace);
    } catch (error) {
      console.error('The workspace could not be created', error);
      notifyFailure('Error creating workspace', error);
    }
  });

  return (
    <form onSubmit={submit}>
      <Stack gap={16}>
        <TextInput
          label="Workspace name"
          placeholder="Riverside Properties"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={100}
          required
          data-autofocus
        />
        <Textarea
          label="Description"
          description="Optional"
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          maxLength={500}
          rows={3}
        />
        <Group justify="flex-end" gap={8}>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" disabled={name.trim() === ''} loading={isPending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
