import type { Member } from '#contract/members.ts';
import type { Role } from '#contract/workspaces.ts';
import { revokeInvitationsBy } from '#features/invitations/invitations.service.ts';
import * as rows from '#features/workspaces/members.db.ts';
import { recordAct } from '#platform/audit.ts';
import { announce } from '#platform/changes.ts';
import type { MemberContext, TenantContext } from '#platform/context.ts';
import { Conflict, Forbidden, NotFound } from '#platform/errors.ts';

export const listMembers = ({ db, workspaceId }: TenantContext): Promise<Member[]> =>
  rows.membersOf(db, { workspaceId });

/** Changes a member's role; a demotion revokes the invitations that they sent. Setting the same role changes nothing. */
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

/** Removes a member, and the invitations that they sent. The database announces the lost access, and their open screens close. */
export async function removeMember(ctx: MemberContext, id: string): Promise<void> {
  await lockMembersAs(ctx, ['owner', 'admin']);
  const of = { workspaceId: ctx.workspaceId, id };
  const member = await rows.findMember(ctx.db, of);
  if (member === undefined) throw new NotFound('member');
  if (!(await rows.deleteMember(ctx.db, of))) throw ownersStay();
  await recordAct(ctx, {
    action: 'member.removed',
    target: member.user_id,
    details: { role: member.role, ...who(member) },
  });
  await revokeInvitationsBy(ctx, { userId: member.user_id });
  await announce(ctx, ['members']);
}

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

/** Serializes changes to the members, then reads the caller's role. Throws Forbidden where it is no longer one of the allowed ones. */
export async function lockMembersAs(ctx: MemberContext, allowed: readonly Role[]): Promise<void> {
  const { db, workspaceId, actor } = ctx;
  await rows.lockMembers(db, { workspaceId });
  const role = await rows.roleOf(db, { workspaceId, userId: actor.userId });
  if (role === null) throw new NotFound('workspace');
  if (!allowed.includes(role))
    throw new Forbidden('Your role in this workspace has changed: you may no longer do this');
}

/** The addresses of the owners. */
export async function ownersOf(ctx: TenantContext): Promise<string[]> {
  return (await listMembers(ctx)).filter(({ role }) => role === 'owner').map(({ email }) => email);
}

/** Name and address for the audit log, because the account may be deleted later. */
const who = ({ full_name: name, email }: { full_name: string; email: string }) => ({ name, email });

const ownersStay = () => new Conflict('The owner of a workspace cannot be changed or removed');
