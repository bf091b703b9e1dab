import { z } from 'zod';
import { EmailInput, Id, InstantText, Page } from '#contract/common.ts';
import { del, get, post } from '#contract/route.ts';

/** Somebody who was invited into a workspace and has not accepted yet. */
export const Invitation = z.object({
  id: Id,
  email: z.string(),
  role: z.enum(['admin', 'member']),
  /** The name of who invited; null when they are no longer a member. */
  invited_by: z.string().nullable(),
  /** Whether who invited is suspended: the link does not work meanwhile. */
  is_inviter_suspended: z.boolean(),
  created_at: InstantText,
  expires_at: InstantText,
  declined_at: InstantText.nullable(),
});
export type Invitation = z.output<typeof Invitation>;

/** Only the answer that makes the link contains it: the database stores the hash of its token. */
const SentInvitation = Invitation.extend({
  link: z.string(),
  /** Whether the link was sent to the address by mail. */
  is_mailed: z.boolean(),
});
export type SentInvitation = z.output<typeof SentInvitation>;

export const InvitationInput = z.strictObject({
  email: EmailInput,
  role: z.enum(['admin', 'member']).default('member'),
});

const InvitationParams = z.object({ id: Id, invitation: Id });
// Any text is accepted: an unknown token answers 404.
const TokenParams = z.object({ token: z.string() });

export const invitationRoutes = {
  listInvitations: get('/api/workspaces/:id/invitations', {
    access: 'admin',
    callers: 'people',
    summary: 'List the invitations into the current workspace that are not accepted yet',
    answer: Page(Invitation),
  }),
  createInvitation: post('/api/workspaces/:id/invitations', {
    access: 'admin',
    callers: 'people',
    summary: 'Invite an address into the current workspace, by mail and by the link in the answer',
    body: InvitationInput,
    limit: { usage: 'invitations' },
    answer: SentInvitation,
    status: 201,
    holdsSecret: true,
  }),
  resendInvitation: post('/api/workspaces/:id/invitations/:invitation/resend', {
    access: 'admin',
    callers: 'people',
    summary: 'Send an invitation again with a new link; the earlier link no longer works',
    params: InvitationParams,
    limit: { usage: 'invitations' },
    answer: SentInvitation,
    holdsSecret: true,
  }),
  revokeInvitation: del('/api/workspaces/:id/invitations/:invitation', {
    access: 'admin',
    callers: 'people',
    summary: 'Revoke an invitation; its link no longer works',
    params: InvitationParams,
    answer: z.object({ revoked: z.literal(true) }),
  }),
  getInvitation: get('/api/invitations/:token', {
    access: 'public',
    summary: 'Show which workspace an invitation link leads into, who invited, and for which address it is',
    params: TokenParams,
    answer: z.object({ workspace: z.string(), invited_by: z.string().nullable(), email: z.string() }),
  }),
  acceptInvitation: post('/api/invitations/:token/accept', {
    access: 'user',
    summary: 'Accept an invitation that is for the address of the caller',
    params: TokenParams,
    answer: z.object({ workspace_id: Id, workspace: z.string() }),
  }),
  declineInvitation: post('/api/invitations/:token/decline', {
    access: 'public',
    summary: 'Decline an invitation; its link no longer works',
    params: TokenParams,
    answer: z.object({ declined: z.literal(true) }),
  }),
};
