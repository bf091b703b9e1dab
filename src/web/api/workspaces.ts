import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { type WorkspaceInput, type WorkspaceSettings, workspaceRoutes } from '#contract/workspaces.ts';
import { call } from '#web/api/client.ts';

/** The workspaces of the signed-in user, with their role in each. */
export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: async ({ signal }) => (await call(workspaceRoutes.listWorkspaces, { signal })).data,
});

/** Creates a workspace; resolves after the list holds it. */
export function useCreateWorkspace() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof WorkspaceInput>) => call(workspaceRoutes.createWorkspace, { body }),
    onSuccess: async (created) => {
      await queryClient.cancelQueries({ queryKey: workspacesQuery.queryKey });
      queryClient.setQueryData(workspacesQuery.queryKey, (known = []) => [...known, created]);
      void queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey });
    },
  });
}

/** Changes the named settings of a workspace; resolves after the workspace shows them. */
export function useSaveSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, settings }: { id: string; settings: Partial<WorkspaceSettings> }) =>
      call(workspaceRoutes.updateWorkspace, { params: { id }, body: { settings } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
  });
}
