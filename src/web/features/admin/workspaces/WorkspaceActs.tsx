import { IconBan, IconCheck, IconRotateClockwise, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { AdminWorkspace } from '#contract/admin-workspaces.ts';
import { useActOnWorkspace, type WorkspaceAct } from '#web/api/admin-workspaces.ts';
import { ActionsMenu } from '#web/ui/ActionsMenu.tsx';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { act } from '#web/ui/act.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import list from '#web/ui/list.module.css';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
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

const toasts = (chosen: WorkspaceAct): { done: [string, string]; failed: string } => {
  const { done, outcome, failed } = words[chosen];
  return { done: [done, outcome], failed };
};

const icons = { suspend: IconBan, liftSuspension: IconRotateClockwise, restore: IconRotateClockwise };

const offer = (act: WorkspaceAct, onChoose: () => unknown) => ({ label: words[act].label, icon: icons[act], onChoose });

/** Suspends a workspace, lifts the suspension, and restores one that was deleted less than a week ago. */
export function WorkspaceActs({ workspace }: { workspace: AdminWorkspace }) {
  const { mutateAsync } = useActOnWorkspace();
  const { state, open, dialog } = useDialogState();
  const [now] = useState(() => Date.now());
  const run = (chosen: WorkspaceAct) => mutateAsync({ act: chosen, id: workspace.id });
  const perform = (chosen: WorkspaceAct) => act(run(chosen), toasts(chosen));
  const canRestore = workspace.delete_after !== null && Date.parse(workspace.delete_after) > now;
  return (
    <>
      <ActionsMenu
        label={`Actions for ${workspace.name}`}
        width={200}
        variant="subtle"
        color="gray"
        size={40}
        my={-4}
        mr={-8}
        acts={[
          ...(canRestore ? [offer('restore', () => perform('restore'))] : []),
          workspace.suspended_at === null
            ? offer('suspend', () => open(true))
            : offer('liftSuspension', () => perform('liftSuspension')),
        ]}
      />
      {state.openCount > 0 && (
        <ActDialog
          key={state.openCount}
          title={`Suspend ${workspace.name}?`}
          confirmLabel="Suspend workspace"
          {...dialog}
          run={() => run('suspend')}
          {...toasts('suspend')}
        >
          <p>
            Nothing of it is sent, its members see that it is suspended, and its API keys and hooks are refused, until
            you lift the suspension. What waits stays as it is.
          </p>
        </ActDialog>
      )}
    </>
  );
}

export const WorkspaceStatus = ({ workspace }: { workspace: AdminWorkspace }) => (
  <span className={list.cell}>
    <span className={list.badges}>
      {workspace.suspended_at !== null && <ToneBadge word="Suspended" tone="bad" icon={IconBan} />}
      {workspace.delete_after !== null && <ToneBadge word="Deleted" tone="waiting" icon={IconTrash} />}
      {workspace.suspended_at === null && workspace.delete_after === null && (
        <ToneBadge word="Active" tone="good" icon={IconCheck} />
      )}
      {workspace.is_demo && <ToneBadge word="Demo" tone="quiet" />}
    </span>
    {workspace.delete_after !== null && (
      <span className={list.note}>
        can be restored until <InstantText at={workspace.delete_after} />
      </span>
    )}
  </span>
);
