import { useMutation, useQueryClient } from '@tanstack/react-query';
import { workspaceDeletionRoutes } from '#contract/workspace-deletion.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';

/** For a week it can be restored; resolves after the list of workspaces says so. */
export const useDeleteWorkspace = (workspaceId: string) =>
  useChange([workspacesQuery.queryKey], (name: string) =>
    call(workspaceDeletionRoutes.deleteWorkspace, { params: { id: workspaceId }, body: { name }, workspaceId }),
  );

export function useRestoreWorkspace(workspaceId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(workspaceDeletionRoutes.restoreWorkspace, { params: { id: workspaceId }, workspaceId }),
    // Everything that was asked for while it was being deleted was refused.
    onSuccess: () => queryClient.invalidateQueries(),
  });
}
