import { Button, Group } from '@mantine/core';
import { IconBan, IconTrash } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { Workspace } from '#contract/workspaces.ts';
import { useRestoreWorkspace } from '#web/api/workspace-deletion.ts';
import { act } from '#web/ui/act.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';

/** In place of every screen of a workspace that is being deleted or is suspended. */
export default function ClosedWorkspace({ workspace }: { workspace: Workspace }) {
  if (workspace.delete_after !== null) return <DeletedWorkspace workspace={workspace} />;
  return (
    <>
      <PageHeader title={workspace.name} />
      <EmptyState
        icon={IconBan}
        title="This workspace is suspended"
        sentence="Nothing of it is sent, and nothing in it can be seen or changed. Ask an administrator of this installation to lift the suspension."
      />
    </>
  );
}

const LeaveDialog = lazy(async () => ({ default: (await import('./manage/LeaveDialog.tsx')).LeaveDialog }));

/** In place of every screen of a workspace that is being deleted: an owner can restore it, everybody else can leave it. */
function DeletedWorkspace({ workspace }: { workspace: Workspace }) {
  const { mutateAsync, isPending } = useRestoreWorkspace(workspace.id);
  const { state, open, dialog } = useDialogState<true>();
  const restore = () =>
    act(mutateAsync(), {
      done: ['Workspace restored', `Everything in ${workspace.name} is as it was.`],
      failed: 'Error restoring workspace',
    });
  const isOwner = workspace.role === 'owner';
  const [now] = useState(() => Date.now());
  const isOver = workspace.delete_after !== null && Date.parse(workspace.delete_after) <= now;
  return (
    <>
      <PageHeader title={workspace.name} />
      <EmptyState
        icon={IconTrash}
        title="This workspace is being deleted"
        sentence={
          <>
            Nothing of it is sent any more.{' '}
            {isOver ? (
              'The week in which an owner could restore it is over: its data is being deleted for good.'
            ) : (
              <>
                On {workspace.delete_after && <InstantText at={workspace.delete_after} />} its data is deleted for good.{' '}
                {isOwner ? 'Until then you can restore it.' : 'Until then an owner can restore it.'}
              </>
            )}
          </>
        }
        action={
          <Group gap={8} justify="center">
            {isOwner && !isOver && (
              <Button loading={isPending} onClick={() => void restore()}>
                Restore workspace
              </Button>
            )}
            {!isOwner && (
              <Button variant="default" onClick={() => open(true)}>
                Leave workspace
              </Button>
            )}
          </Group>
        }
      />
      <Suspense>
        {state.openCount > 0 && <LeaveDialog key={state.openCount} workspace={workspace} {...dialog} />}
      </Suspense>
    </>
  );
}
