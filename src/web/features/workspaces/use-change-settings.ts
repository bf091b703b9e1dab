import type { WorkspaceSettings } from '#contract/workspaces.ts';
import { useSaveSettings } from '#web/api/workspaces.ts';
import { act } from '#web/ui/act.ts';
import { useWorkspace } from './WorkspaceProvider.tsx';

/**
 * Changes settings of the current workspace, with a toast; `mayChange` is false for members, whom the server refuses.
 */
export function useChangeSettings() {
  const { workspace } = useWorkspace();
  const { mutateAsync, isPending } = useSaveSettings();
  const change = (settings: Partial<WorkspaceSettings>) =>
    act(mutateAsync({ id: workspace.id, settings }), {
      done: ['Settings updated', 'Workspace settings have been saved successfully.'],
      failed: 'Error updating settings',
    });
  return { mayChange: workspace.role !== 'member', change, isPending };
}
