import { ActionIcon, Menu } from '@mantine/core';
import { IconBan, IconDotsVertical, IconRotateClockwise } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { AdminWorkspace } from '#contract/admin-workspaces.ts';
import { useActOnWorkspace, type WorkspaceAct } from '#web/api/admin-workspaces.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';

const words: Record<WorkspaceAct, { label: string; done: string; failed: string; outcome: string }> = {
  suspend: {
    label: 'Suspend',
    done: 'Workspace suspended',
    failed: 'Error suspending the workspace',
    outcome: 'Nothing of it is sent any more.',
  },
  liftSuspension: {
    label: 'Lift suspension',
    done: 'Suspension lifted',
    failed: 'Error lifting the suspension',
    outcome: 'It goes on; what was missed follows the rule of each reminder.',
  },
  restore: {
    label: 'Restore',
    done: 'Workspace restored',
    failed: 'Error restoring the workspace',
    outcome: 'Everything in it is as it was.',
  },
};

/** Suspends a workspace, lifts the suspension, and restores one that was deleted less than a week ago. */
export function WorkspaceActs({ workspace }: { workspace: AdminWorkspace }) {
  const button = useRef<HTMLButtonElement>(null);
  const { mutateAsync, isPending } = useActOnWorkspace();
  const { state, open, close } = useDialogState();
  const [now] = useState(() => Date.now());
  const perform = async (act: WorkspaceAct) => {
    try {
      await mutateAsync({ act, id: workspace.id });
      notifySuccess(words[act].done, words[act].outcome);
    } catch (error) {
      notifyFailure(words[act].failed, error);
    }
  };
  const canRestore = workspace.delete_after !== null && Date.parse(workspace.delete_after) > now;
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon
            ref={button}
            variant="subtle"
            color="gray"
            size={40}
            my={-4}
            mr={-8}
            aria-label={`Actions for ${workspace.name}`}
          >
            <IconDotsVertical size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canRestore && (
            <Menu.Item
              leftSection={<IconRotateClockwise size={16} aria-hidden />}
              onClick={() => void perform('restore')}
            >
              {words.restore.label}
            </Menu.Item>
          )}
          {workspace.suspended_at === null ? (
            <Menu.Item
              leftSection={<IconBan size={16} aria-hidden />}
              onClick={() => {
                button.current?.focus();
                open(true);
              }}
            >
              {words.suspend.label}
            </Menu.Item>
          ) : (
            <Menu.Item
              leftSection={<IconRotateClockwise size={16} aria-hidden />}
              onClick={() => void perform('liftSuspension')}
            >
              {words.liftSuspension.label}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {state.openCount > 0 && (
        <ConfirmDialog
          key={state.openCount}
          title={`Suspend ${workspace.name}?`}
          confirmLabel="Suspend workspace"
          opened={state.isOpen}
          isBusy={isPending}
          onClose={() => close(state.openCount)}
          onConfirm={() => void perform('suspend').then(() => close(state.openCount))}
        >
          <p>
            Nothing of it is sent, its members see that it is suspended, and its API keys and hooks are refused, until
            you lift the suspension. What waits stays as it is.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
