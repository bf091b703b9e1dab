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

type Closing = { delete_after: unknown; suspended_at: unknown };

/** Whether it is being deleted or is suspended: nearly every request to it is refused. */
export const isClosed = ({ delete_after: end, suspended_at: suspended }: Closing): boolean =>
  end !== null || suspended !== null;

/** The current one of these workspaces: the one that this browser remembers, else the first that is not closed. */
export const currentAmong = <W extends { id: string } & Closing>(
  workspaces: readonly W[],
  rememberedId: string | null,
): W | undefined =>
  workspaces.find(({ id }) => id === rememberedId) ??
  workspaces.find((workspace) => !isClosed(workspace)) ??
  workspaces[0];

/** Fetches what a screen needs while its files load, once the current workspace is known. */
export async function readAhead(
  queryClient: QueryClient,
  read: (workspaceId: string) => Promise<unknown>,
): Promise<void> {
  try {
    const workspaces = await queryClient.ensureQueryData(workspacesQuery);
    const workspace = currentAmong(workspaces, rememberedWorkspaceId());
    if (workspace !== undefined && !isClosed(workspace)) await read(workspace.id);
  } catch {
    // The screen fetches it again, and shows the error.
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

/** Changes the given fields of a workspace; resolves after they are shown. */
export function useSaveSettings() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & Changes) =>
      call(workspaceRoutes.updateWorkspace, { params: { id }, body, workspaceId: id }),
    onSuccess: (_, { id }) =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: keyOf(id, 'workspaces') }),
      ]),
  });
}

/** One workspace of the signed-in user, which need not be the current one, with the number of its members. */
export const useWorkspaceDetails = (id: string) =>
  useQuery({
    queryKey: keyOf(id, 'workspaces'),
    queryFn: ({ signal }) => call(workspaceRoutes.getWorkspace, { params: { id }, workspaceId: id, signal }),
    meta: { watches: ['workspaces', 'members'] },
  });
