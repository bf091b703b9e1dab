import { maxMembers } from '#contract/limits.ts';
import type { Role } from '#contract/workspaces.ts';
import * as rows from '#features/workspaces/members.db.ts';
import type { MemberContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { Forbidden, NotFound, Unprocessable } from '#platform/errors.ts';

/** Serializes changes to the members and invitations of a workspace. */
export const lockMembers = (db: Db, of: { workspaceId: string }) => rows.lockMembers(db, of);

/** Serializes changes to the members, then reads the caller's role. Throws Forbidden where it is no longer one of the allowed ones. */
export async function lockMembersAs(ctx: MemberContext, allowed: readonly Role[]): Promise<void> {
  const { db, workspaceId, actor } = ctx;
  await rows.lockMembers(db, { workspaceId });
  const role = await rows.roleOf(db, { workspaceId, userId: actor.userId });
  if (role === null) throw new NotFound('workspace');
  if (!allowed.includes(role))
    throw new Forbidden('Your role in this workspace has changed: you may no longer do this');
}

/** Adds a member; somebody who is one already keeps their role. Call `lockMembers` first. */
export async function addMember(
  db: Db,
  member: { workspaceId: string; userId: string; role: Exclude<Role, 'owner'> },
): Promise<void> {
  if ((await rows.countMembers(db, member)) >= maxMembers)
    throw new Unprocessable(`This workspace has ${maxMembers} members already, and no workspace has more.`);
  await rows.insertMemberOnce(db, member);
}
