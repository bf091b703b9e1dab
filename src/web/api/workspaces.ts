import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { type WorkspaceInput, workspaceRoutes } from '#contract/workspaces.ts';
import { call } from '#web/api/client.ts';
import { rememberedWorkspaceId } from '#web/api/current-workspace.ts';
import { keyOf } from '#web/api/query-key.ts';

/** The workspaces of the signed-in user, with their role in each. */
export const workspacesQuery = queryOptions({
  queryKey: ['workspaces'],
  queryFn: async ({ signal }) => (await call(workspaceRoutes.listWorkspaces, { signal })).data,
});

/** Which of these is current: the one that this browser remembers, else the first that nobody has deleted. */
export const currentAmong = <W extends { id: string; delete_after: unknown }>(
  workspaces: readonly W[],
  rememberedId: string | null,
): W | undefined =>
  workspaces.find(({ id }) => id === rememberedId) ??
  workspaces.find(({ delete_after: end }) => end === null) ??
  workspaces[0];

/** Starts what a screen reads while its files load, once it is known which workspace is current. */
export async function readAhead(
  queryClient: QueryClient,
  read: (workspaceId: string) => Promise<unknown>,
): Promise<void> {
  try {
    const workspaces = await queryClient.ensureQueryData(workspacesQuery);
    const workspace = currentAmong(workspaces, rememberedWorkspaceId());
    if (workspace !== undefined && workspace.delete_after === null) await read(workspace.id);
  } catch {
    // The screen reads it again, and says what fails.
  }
}

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

type Changes = z.input<typeof workspaceRoutes.updateWorkspace.body>;

/** Changes what is named of a workspace; resolves after the workspace shows it. */
export function useSaveSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & Changes) =>
      call(workspaceRoutes.updateWorkspace, { params: { id }, body, workspaceId: id }),
    onSuccess: (_, { id }) =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: keyOf(id, 'workspace') }),
      ]),
  });
}

/** One workspace of the signed-in user, which need not be the current one, with the number of its members. */
export const useWorkspaceDetails = (id: string) =>
  useQuery({
    queryKey: keyOf(id, 'workspace'),
    queryFn: ({ signal }) => call(workspaceRoutes.getWorkspace, { params: { id }, workspaceId: id, signal }),
    meta: { watches: ['workspaces', 'members'] },
  });
