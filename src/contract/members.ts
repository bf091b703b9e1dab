import { z } from 'zod';
import { ApiKey } from '#contract/api-keys.ts';
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

/** How many keys and hooks of a member are listed, and may be named, at most. */
export const memberAccessLimit = 100;

/** What could outlive a membership: secrets that the member has, or could have seen. */
export const MemberAccess = z.object({
  /** Those of the member that work, used last first. They end with the membership unless they are transferred. */
  api_keys: z.array(ApiKey.pick({ id: true, name: true, prefix: true, last_used_at: true })),
  /** Every member can read the address of every hook, which goes on working. Called last first. */
  hooks: z.array(z.object({ reminder_id: Id, name: z.string(), last_received_at: InstantText.nullable() })),
  /** Owners and admins can read the callback addresses of these, and whoever knows one of mail can report bounces. */
  callbacks: z.array(z.object({ channel_id: Id, name: z.string() })),
  /** Whether the workspace has a secret that signs its webhooks, which owners and admins can read. */
  has_signing_secret: z.boolean(),
  /** Their own calendar feeds, which end with the membership. */
  calendar_feeds: z.number().int(),
});
export type MemberAccess = z.output<typeof MemberAccess>;

const Removal = z.strictObject({
  /** Which of the member's keys another one, named by the id of their membership, owns from now on. The others end. */
  transfer: z
    .strictObject({ keys: z.array(Id).min(1, 'Choose a key').max(memberAccessLimit), to: Id })
    .nullable()
    .default(null),
  /** Reminders whose hooks get a new address: the one in use stops working at once. */
  renew_hooks: z.array(Id).max(memberAccessLimit).default([]),
  /** Channels whose callbacks get a new address, likewise. */
  renew_callbacks: z.array(Id).max(memberAccessLimit).default([]),
  /** Whether webhooks are signed with a new secret. For a day the present one signs too. */
  renew_signing_secret: z.boolean().default(false),
});
export type Removal = z.input<typeof Removal>;

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
  getMemberAccess: get('/api/workspaces/:id/members/:member/access', {
    access: 'admin',
    callers: 'people',
    summary: 'The API keys of a member, and the hooks and channels whose addresses they could see; 100 of each at most',
    params: MemberParams,
    answer: MemberAccess,
  }),
  removeMember: del('/api/workspaces/:id/members/:member', {
    access: 'admin',
    callers: 'people',
    summary:
      'Remove a member, who is not an owner, from the current workspace. Their API keys end, but for those that are transferred',
    params: MemberParams,
    body: Removal,
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
