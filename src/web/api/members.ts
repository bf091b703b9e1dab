import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Member, memberRoutes } from '#contract/members.ts';
import { call } from '#web/api/client.ts';
import { keyOf } from '#web/api/query-key.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';

// Every call names the workspace whose members they are, which need not be the current one.

/** The members of a workspace, in the order in which they joined. */
export const useMembers = (workspaceId: string) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'members'),
    queryFn: async ({ signal }) =>
      (await call(memberRoutes.listMembers, { params: { id: workspaceId }, workspaceId, signal })).data,
    meta: { watches: ['members'] },
  });

export function useSetMemberRole(workspaceId: string) {
  const refresh = useRefresh(workspaceId);
  return useMutation({
    mutationFn: ({ id, role }: { id: string; role: Exclude<Member['role'], 'owner'> }) =>
      call(memberRoutes.setMemberRole, { params: { id: workspaceId, member: id }, body: { role }, workspaceId }),
    onSuccess: refresh,
  });
}

export function useRemoveMember(workspaceId: string) {
  const refresh = useRefresh(workspaceId);
  return useMutation({
    mutationFn: (id: string) =>
      call(memberRoutes.removeMember, { params: { id: workspaceId, member: id }, workspaceId }),
    onSuccess: refresh,
  });
}

export function useTransferOwnership(workspaceId: string) {
  const refresh = useRefresh(workspaceId);
  return useMutation({
    mutationFn: (member: string) =>
      call(memberRoutes.transferOwnership, { params: { id: workspaceId }, body: { member }, workspaceId }),
    onSuccess: refresh,
  });
}

/** Resolves before the list of workspaces loses this one, so that the screen can be left first. */
export const useLeaveWorkspace = (workspaceId: string) =>
  useMutation({
    mutationFn: () => call(memberRoutes.leaveWorkspace, { params: { id: workspaceId }, workspaceId }),
  });

/** Refetches now, without waiting for the change stream, which follows the current workspace only. */
function useRefresh(workspaceId: string): () => Promise<unknown> {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keyOf(workspaceId, 'members') }),
      queryClient.invalidateQueries({ queryKey: keyOf(workspaceId, 'workspaces') }),
      queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey }),
    ]);
}
