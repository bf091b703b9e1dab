import type { Kysely } from 'kysely';
import type { Invitation, invitationRoutes, SentInvitation } from '#contract/invitations.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import * as invitations from '#features/invitations/invitations.service.ts';
import { inCurrent } from '#features/workspaces/in-current.service.ts';
import { workspaceNameOf } from '#features/workspaces/workspaces.service.ts';
import type { MemberContext } from '#platform/context.ts';
import { Forbidden, Unauthenticated } from '#platform/errors.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';
import type { Schema } from '#platform/schema.ts';

type Ports = {
  auth: Pick<Auth, 'sessionOf' | 'mailInvitation'>;
  db: Kysely<Schema>;
  now: () => Temporal.Instant;
  /** The address at which people open Cuebird. */
  url: () => string;
  canSendMail: boolean;
};

export function invitationHandlers(ports: Ports): HandlersOf<typeof invitationRoutes> {
  const { auth, url, canSendMail } = ports;

  /** Mails the link, once the invitation is committed. */
  async function sent(
    ctx: MemberContext,
    { invitation, token }: { invitation: Invitation; token: string },
  ): Promise<AfterCommit<SentInvitation>> {
    const link = `${url()}/invitation/${token}`;
    const workspace = await workspaceNameOf(ctx);
    return new AfterCommit(async () => {
      const { email: to, invited_by: invitedBy } = invitation;
      const isMailed = canSendMail && (await auth.mailInvitation({ to, workspace, invitedBy: invitedBy ?? '', link }));
      return { ...invitation, link, is_mailed: isMailed };
    });
  }

  return {
    listInvitations: async ({ ctx, params }) => ({
      data: await invitations.listInvitations(inCurrent(ctx, params.id)),
      next_cursor: null,
    }),
    createInvitation: async ({ ctx, params, body }) =>
      sent(ctx, await invitations.createInvitation(inCurrent(ctx, params.id), body)),
    resendInvitation: async ({ ctx, params }) =>
      sent(ctx, await invitations.resendInvitation(inCurrent(ctx, params.id), params.invitation)),
    revokeInvitation: async ({ ctx, params }) => {
      await invitations.revokeInvitation(inCurrent(ctx, params.id), params.invitation);
      return { revoked: true };
    },
    getInvitation: ({ params }) => invitations.lookUpInvitation(ports, params.token),
    acceptInvitation: async ({ ctx, params, request }) => {
      const person = await auth.sessionOf(request.headers);
      if (person === null) throw new Unauthenticated();
      // A demo takes part in no other workspace, and the account of the terminal's link is shared by all who use it.
      if (person.isDemo) throw new Forbidden('A demo account joins no other workspace. Sign up for your own.');
      return invitations.acceptInvitation(ctx, { token: params.token, email: person.email });
    },
    declineInvitation: async ({ params, clientAddress }) => {
      await invitations.declineInvitation({ ...ports, clientAddress }, params.token);
      return { declined: true };
    },
  };
}
