import { type Member, type MemberAccess, memberAccessLimit } from '#contract/members.ts';
import { transferApiKeys, ownApiKeys } from '#features/api-keys/api-keys.service.ts';
import { countFeeds } from '#features/calendar-feeds/calendar-feeds.service.ts';
import { listCallbackChannels, renewCallbackAddress } from '#features/channels/channels.service.ts';
import { listHookedReminders, renewHookAddress } from '#features/events/hooks.service.ts';
import { revokeInvitationsBy } from '#features/invitations/invitations.service.ts';
import { hasSigningSecret, rotateSigningSecret } from '#features/signing-secret/signing-secret.service.ts';
import { lockMembersAs } from '#features/workspaces/membership.service.ts';
import * as rows from '#features/workspaces/members.db.ts';
import { recordAct } from '#platform/audit.ts';
import { announce } from '#platform/changes.ts';
import type { MemberContext, TenantContext } from '#platform/context.ts';
import { Conflict, NotFound } from '#platform/errors.ts';
import type { SecretBox } from '#platform/secrets.ts';

export const listMembers = ({ db, workspaceId }: TenantContext): Promise<Member[]> =>
  rows.membersOf(db, { workspaceId });

/** Changes a member's role; a demotion revokes the invitations that they sent, and the database ends their API keys. Setting the same role changes nothing. */
export async function setMemberRole(
  ctx: MemberContext,
  { id, role }: { id: string; role: 'admin' | 'member' },
): Promise<Member> {
  await lockMembersAs(ctx, ['owner', 'admin']);
  const of = { workspaceId: ctx.workspaceId, id };
  const isChanged = await rows.setRole(ctx.db, { ...of, role });
  const member = await rows.findMember(ctx.db, of);
  if (member === undefined) throw new NotFound('member');
  if (member.role === 'owner') throw ownersStay();
  if (isChanged) {
    await recordAct(ctx, { action: 'member.role_changed', target: member.user_id, details: { role, ...who(member) } });
    if (role === 'member') await revokeInvitationsBy(ctx, { userId: member.user_id });
    await announce(ctx, ['members', 'workspaces']);
  }
  return member;
}

/** What could outlive the membership of somebody who is removed. */
export async function getMemberAccess(ctx: MemberContext, id: string): Promise<MemberAccess> {
  const { user_id: userId } = await mustFindMember(ctx, id);
  const limit = memberAccessLimit;
  return {
    api_keys: await ownApiKeys(ctx, { userId, limit }),
    hooks: await listHookedReminders(ctx, { limit }),
    callbacks: await listCallbackChannels(ctx, { limit }),
    has_signing_secret: await hasSigningSecret(ctx),
    calendar_feeds: await countFeeds(ctx, userId),
  };
}

type Removal = {
  id: string;
  transfer: { keys: readonly string[]; to: string } | null;
  renew_hooks: readonly string[];
  renew_callbacks: readonly string[];
  renew_signing_secret: boolean;
};

/**
 * Removes a member, and the invitations that they sent. The database ends their API keys, and announces the lost access: their
 * open screens close.
 */
export async function removeMember(
  ctx: MemberContext,
  { removal: { id, transfer, ...renewed }, secrets }: { removal: Removal; secrets: SecretBox },
): Promise<void> {
  await lockMembersAs(ctx, ['owner', 'admin']);
  const of = { workspaceId: ctx.workspaceId, id };
  const member = await mustFindMember(ctx, id);
  if (transfer !== null) await transferKeys(ctx, { from: member, ...transfer });
  for (const reminderId of new Set(renewed.renew_hooks)) await renewHookAddress(ctx, reminderId);
  for (const channelId of new Set(renewed.renew_callbacks)) await renewCallbackAddress(ctx, { id: channelId, secrets });
  if (renewed.renew_signing_secret) await rotateSigningSecret(ctx, secrets);
  if (!(await rows.deleteMember(ctx.db, of))) throw ownersStay();
  await recordAct(ctx, {
    action: 'member.removed',
    target: member.user_id,
    details: { role: member.role, ...who(member) },
  });
  await revokeInvitationsBy(ctx, { userId: member.user_id });
  await announce(ctx, ['members']);
}

async function transferKeys(
  ctx: MemberContext,
  { from, keys, to }: { from: { id: string; user_id: string }; keys: readonly string[]; to: string },
): Promise<void> {
  const heir = await mustFindMember(ctx, to);
  if (heir.id === from.id || heir.role === 'member')
    throw new Conflict('API keys are transferred to another owner or admin');
  if (await rows.isSuspended(ctx.db, { userId: heir.user_id }))
    throw new Conflict('This member is suspended and cannot have API keys. Choose another one.');
  await transferApiKeys(ctx, { keys, from: from.user_id, to: heir });
}

/** Removes the caller's own membership. The database ends their API keys. */
export async function leaveWorkspace(ctx: MemberContext): Promise<void> {
  await lockMembersAs(ctx, ['owner', 'admin', 'member']);
  const { userId } = ctx.actor;
  if (!(await rows.deleteOwnMembership(ctx.db, { workspaceId: ctx.workspaceId, userId })))
    throw new Conflict('You are the only owner of this workspace. Transfer it to another member first.');
  await recordAct(ctx, { action: 'member.left', target: userId });
  await announce(ctx, ['members']);
}

/** Transfers the ownership. The route requires that the caller has just proved who they are. */
export async function transferOwnership(ctx: MemberContext, member: string): Promise<void> {
  await lockMembersAs(ctx, ['owner']);
  const { workspaceId } = ctx;
  const heir = await rows.findMember(ctx.db, { workspaceId, id: member });
  if (heir === undefined) throw new NotFound('member');
  if (heir.role === 'owner') throw new Conflict('This member is an owner already');
  if (await rows.isSuspended(ctx.db, { userId: heir.user_id }))
    throw new Conflict('This member is suspended and cannot sign in. Choose another one.');
  const changed = await rows.swapOwner(ctx.db, { workspaceId, owner: ctx.actor.userId, member });
  if (changed !== 2) throw new Error(`a transfer of ownership changed ${changed} members instead of 2`);
  await recordAct(ctx, { action: 'workspace.transferred', target: heir.user_id, details: who(heir) });
  await announce(ctx, ['members', 'workspaces']);
}

async function mustFindMember({ db, workspaceId }: TenantContext, id: string) {
  const member = await rows.findMember(db, { workspaceId, id });
  if (member === undefined) throw new NotFound('member');
  return member;
}

/** The addresses of the owners. */
export async function ownersOf(ctx: TenantContext): Promise<string[]> {
  return (await listMembers(ctx)).filter(({ role }) => role === 'owner').map(({ email }) => email);
}

/** Name and address for the audit log, because the account may be deleted later. */
const who = ({ full_name: name, email }: { full_name: string; email: string }) => ({ name, email });

const ownersStay = () => new Conflict('The owner of a workspace cannot be changed or removed');
