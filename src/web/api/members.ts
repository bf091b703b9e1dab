import { useMutation, useQuery } from '@tanstack/react-query';
import { type Member, memberRoutes, type Removal } from '#contract/members.ts';
import { useChange } from '#web/api/change.ts';
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

/** What could outlive the membership of somebody who is removed. */
export const useMemberAccess = (workspaceId: string, member: string) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'members', 'access', member),
    queryFn: ({ signal }) =>
      call(memberRoutes.getMemberAccess, { params: { id: workspaceId, member }, workspaceId, signal }),
  });

/** The queries that show members: the change stream follows only the current workspace. */
const shownOf = (workspaceId: string) => [
  keyOf(workspaceId, 'members'),
  keyOf(workspaceId, 'workspaces'),
  workspacesQuery.queryKey,
];

export const useSetMemberRole = (workspaceId: string) =>
  useChange(shownOf(workspaceId), ({ id, role }: { id: string; role: Exclude<Member['role'], 'owner'> }) =>
    call(memberRoutes.setMemberRole, { params: { id: workspaceId, member: id }, body: { role }, workspaceId }),
  );

export const useRemoveMember = (workspaceId: string) =>
  useChange(
    [...shownOf(workspaceId), keyOf(workspaceId, 'api-keys'), keyOf(workspaceId, 'reminders')],
    ({ id, ...body }: Removal & { id: string }) =>
      call(memberRoutes.removeMember, { params: { id: workspaceId, member: id }, body, workspaceId }),
  );

export const useTransferOwnership = (workspaceId: string) =>
  useChange(shownOf(workspaceId), (member: string) =>
    call(memberRoutes.transferOwnership, { params: { id: workspaceId }, body: { member }, workspaceId }),
  );

/** Removes one's membership; resolves before the list of workspaces is refetched, so that the screen can be left first. */
export const useLeaveWorkspace = (workspaceId: string) =>
  useMutation({
    mutationFn: () => call(memberRoutes.leaveWorkspace, { params: { id: workspaceId }, workspaceId }),
  });
