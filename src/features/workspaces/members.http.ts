import type { memberRoutes } from '#contract/members.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { inCurrent } from '#features/workspaces/in-current.service.ts';
import * as members from '#features/workspaces/members.service.ts';
import { Forbidden } from '#platform/errors.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { SecretBox } from '#platform/secrets.ts';

export const memberHandlers = ({
  auth,
  secrets,
}: {
  auth: Pick<Auth, 'sessionOf'>;
  secrets: SecretBox;
}): HandlersOf<typeof memberRoutes> => ({
  listMembers: async ({ ctx, params }) => ({
    data: await members.listMembers(inCurrent(ctx, params.id)),
    next_cursor: null,
  }),
  setMemberRole: ({ ctx, params, body }) =>
    members.setMemberRole(inCurrent(ctx, params.id), { id: params.member, role: body.role }),
  getMemberAccess: ({ ctx, params }) => members.getMemberAccess(inCurrent(ctx, params.id), params.member),
  removeMember: async ({ ctx, params, body }) => {
    await members.removeMember(inCurrent(ctx, params.id), { removal: { id: params.member, ...body }, secrets });
    return { removed: true };
  },
  leaveWorkspace: async ({ ctx, params }) => {
    await members.leaveWorkspace(inCurrent(ctx, params.id));
    return { left: true };
  },
  transferOwnership: async ({ ctx, params, body, request }) => {
    // Everybody with the terminal's link shares the demo account: one could take the workspace from the others.
    if ((await auth.sessionOf(request.headers))?.isDemo === true)
      throw new Forbidden('A demo workspace cannot be transferred');
    await members.transferOwnership(inCurrent(ctx, params.id), body.member);
    return { transferred: true };
  },
});
