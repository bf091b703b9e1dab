import { z } from 'zod';
import { Id, InstantText, Page } from '#contract/common.ts';
import { del, get, patch, post } from '#contract/route.ts';
import { roles } from '#contract/workspaces.ts';

export const Member = z.object({
  id: Id,
  workspace_id: Id,
  user_id: Id,
  role: z.enum(roles),
  joined_at: InstantText,
  full_name: z.string().nullable(),
  email: z.string(),
  avatar_url: z.string().nullable(),
});
export type Member = z.output<typeof Member>;

const MemberParams = z.object({ id: Id, member: Id });

export const memberRoutes = {
  listMembers: get('/api/workspaces/:id/members', {
    access: 'member',
    summary: 'List the members of the current workspace',
    answer: Page(Member),
  }),
  setMemberRole: patch('/api/workspaces/:id/members/:member', {
    access: 'admin',
    callers: 'people',
    summary: 'Promote a member to admin, or demote an admin to member',
    params: MemberParams,
    body: z.strictObject({ role: z.enum(['admin', 'member']) }),
    answer: Member,
  }),
  removeMember: del('/api/workspaces/:id/members/:member', {
    access: 'admin',
    callers: 'people',
    summary: 'Remove a member, who is not an owner, from the current workspace',
    params: MemberParams,
    answer: z.object({ removed: z.literal(true) }),
  }),
  leaveWorkspace: post('/api/workspaces/:id/leave', {
    access: 'member',
    callers: 'people',
    whileDeleted: true,
    summary: 'Leave the current workspace; its only owner cannot',
    answer: z.object({ left: z.literal(true) }),
  }),
  transferOwnership: post('/api/workspaces/:id/transfer', {
    access: 'owner',
    callers: 'people',
    summary: 'Make another member the owner; the caller becomes an admin',
    body: z.strictObject({ member: Id }),
    needsReauthentication: true,
    answer: z.object({ transferred: z.literal(true) }),
  }),
};
