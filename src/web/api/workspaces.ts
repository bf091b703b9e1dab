import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { type WorkspaceInput, workspaceRoutes } from '#contract/workspaces.ts';
import { call } from '#web/api/client.ts';

/** The workspaces of whoever is signed in, with their role in each. */
export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: async ({ signal }) => (await call(workspaceRoutes.listWorkspaces, { signal })).data,
});

/** Creates a workspace; once done, the list holds it. */
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
