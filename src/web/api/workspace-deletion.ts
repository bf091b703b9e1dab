import { useMutation, useQueryClient } from '@tanstack/react-query';
import { workspaceDeletionRoutes } from '#contract/workspace-deletion.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';

/** Deletes a workspace, which can be restored for a week; resolves after the list of workspaces shows it. */
export const useDeleteWorkspace = (workspaceId: string) =>
  useChange([workspacesQuery.queryKey], (name: string) =>
    call(workspaceDeletionRoutes.deleteWorkspace, { params: { id: workspaceId }, body: { name }, workspaceId }),
  );

export function useRestoreWorkspace(workspaceId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(workspaceDeletionRoutes.restoreWorkspace, { params: { id: workspaceId }, workspaceId }),
    // Refetches everything, since requests were refused while it was deleted.
    onSuccess: () => queryClient.invalidateQueries(),
  });
}
