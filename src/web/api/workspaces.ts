import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { SendingHours } from '#contract/sending-hours.ts';
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

/** Sets when messages of the workspace may go out; done once the workspace shows it. */
export function useSaveSendingHours() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, sendingHours }: { id: string; sendingHours: SendingHours }) =>
      call(workspaceRoutes.updateWorkspace, { params: { id }, body: { settings: { sendingHours } } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
  });
}
