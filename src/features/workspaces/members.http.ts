import type { memberRoutes } from '#contract/members.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { inCurrent } from '#features/workspaces/in-current.service.ts';
import * as members from '#features/workspaces/members.service.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

export const memberHandlers = ({ auth }: { auth: Pick<Auth, 'confirmPerson'> }): HandlersOf<typeof memberRoutes> => ({
  listMembers: async ({ ctx, params }) => ({
    data: await members.listMembers(inCurrent(ctx, params.id)),
    next_cursor: null,
  }),
  setMemberRole: ({ ctx, params, body }) =>
    members.setMemberRole(inCurrent(ctx, params.id), { id: params.member, role: body.role }),
  removeMember: async ({ ctx, params }) => {
    await members.removeMember(inCurrent(ctx, params.id), params.member);
    return { removed: true };
  },
  leaveWorkspace: async ({ ctx, params }) => {
    await members.leaveWorkspace(inCurrent(ctx, params.id));
    return { left: true };
  },
  transferOwnership: ({ ctx, params, body, request }) => {
    const current = inCurrent(ctx, params.id);
    // Checking a password takes a while, and no connection is held meanwhile.
    return new AfterCommit(async (inTransaction) => {
      await auth.confirmPerson(request.headers, body.password);
      await inTransaction((db) => members.transferOwnership({ ...current, db }, body.member));
      return { transferred: true } as const;
    });
  },
});
