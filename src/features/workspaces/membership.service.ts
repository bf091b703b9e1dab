import { maxMembers } from '#contract/limits.ts';
import type { Role } from '#contract/workspaces.ts';
import * as rows from '#features/workspaces/members.db.ts';
import type { Db } from '#platform/database.ts';
import { Unprocessable } from '#platform/errors.ts';

/** Serializes changes to the members and invitations of a workspace. */
export const lockMembers = (db: Db, of: { workspaceId: string }) => rows.lockMembers(db, of);

/** Adds a member; somebody who is one already keeps their role. Call `lockMembers` first. */
export async function addMember(
  db: Db,
  member: { workspaceId: string; userId: string; role: Exclude<Role, 'owner'> },
): Promise<void> {
  if ((await rows.countMembers(db, member)) >= maxMembers)
    throw new Unprocessable(`This workspace has ${maxMembers} members already, and no workspace has more.`);
  await rows.insertMemberOnce(db, member);
}
