import type { WorkspaceSettings } from '#contract/workspaces.ts';
import { useSaveSettings } from '#web/api/workspaces.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { useWorkspace } from './WorkspaceProvider.tsx';

/**
 * Changes settings of the current workspace, with a toast; `mayChange` is false for members, whom the server refuses.
 */
export function useChangeSettings() {
  const { workspace } = useWorkspace();
  const { mutateAsync, isPending } = useSaveSettings();
  const change = async (settings: Partial<WorkspaceSettings>) => {
    try {
      await mutateAsync({ id: workspace.id, settings });
      notifySuccess('Settings updated', 'Workspace settings have been saved successfully.');
    } catch (error) {
      notifyFailure('Error updating settings', error);
    }
  };
  return { mayChange: workspace.role !== 'member', change, isPending };
}
