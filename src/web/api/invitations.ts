import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { type InvitationInput, invitationRoutes } from '#contract/invitations.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { keyOf } from '#web/api/query-key.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';

/** The invitations into a workspace that are not accepted, newest first. */
export const useInvitations = (workspaceId: string) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'invitations'),
    queryFn: async ({ signal }) =>
      (await call(invitationRoutes.listInvitations, { params: { id: workspaceId }, workspaceId, signal })).data,
    meta: { watches: ['members'] },
  });

/** Invites an address, or sends the invitation with this id again. The answer contains the link. */
export const useSendInvitation = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'invitations')], (asked: z.input<typeof InvitationInput> | { id: string }) =>
    'id' in asked
      ? call(invitationRoutes.resendInvitation, {
          params: { id: workspaceId, invitation: asked.id },
          workspaceId,
        })
      : call(invitationRoutes.createInvitation, { params: { id: workspaceId }, body: asked, workspaceId }),
  );

export const useRevokeInvitation = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'invitations')], (id: string) =>
    call(invitationRoutes.revokeInvitation, { params: { id: workspaceId, invitation: id }, workspaceId }),
  );

/** What an invitation link leads to. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call(invitationRoutes.getInvitation, { params: { token }, signal }),
  });

/** Resolves after the list of workspaces holds the new one. */
export function useAcceptInvitation(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(invitationRoutes.acceptInvitation, { params: { token } }),
    onSuccess: () => queryClient.fetchQuery({ ...workspacesQuery, staleTime: 0 }),
  });
}

export const useDeclineInvitation = (token: string) =>
  useMutation({ mutationFn: () => call(invitationRoutes.declineInvitation, { params: { token } }) });
