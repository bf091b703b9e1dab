import { sql } from 'kysely';
import type { Role } from '#contract/workspaces.ts';
import type { Db } from '#platform/database.ts';

const columns = [
  'm.id',
  'm.workspace_id',
  'm.user_id',
  'm.role',
  'm.joined_at',
  'p.full_name',
  'p.email',
  'p.avatar_url',
] as const;

const members = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db
    .selectFrom('workspace_members as m')
    .innerJoin('profiles as p', 'p.id', 'm.user_id')
    .where('m.workspace_id', '=', workspaceId)
    .select(columns);

export const membersOf = (db: Db, of: { workspaceId: string }) =>
  members(db, of).orderBy('m.joined_at').orderBy('m.id').execute();

export const findMember = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  members(db, { workspaceId }).where('m.id', '=', id).executeTakeFirst();

/** Whether an administrator of the installation has suspended the person. */
export async function isSuspended(db: Db, { userId }: { userId: string }): Promise<boolean> {
  const { rows } = await sql<{ is_suspended: boolean }>`select is_suspended(${userId})`.execute(db);
  return rows[0]?.is_suspended === true;
}

export async function countMembers(db: Db, { workspaceId }: { workspaceId: string }): Promise<number> {
  const { count } = await db
    .selectFrom('workspace_members')
    .where('workspace_id', '=', workspaceId)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Serializes changes to the members of one workspace, so that none relies on a role that another takes away. */
export const lockMembers = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db.selectFrom('workspaces').where('id', '=', workspaceId).select('id').forNoKeyUpdate().execute();

export async function roleOf(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<Role | null> {
  const member = await db
    .selectFrom('workspace_members')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .select('role')
    .executeTakeFirst();
  return member?.role ?? null;
}

/** Adds a member; somebody who is one already keeps their role. */
export const insertMemberOnce = (
  db: Db,
  { workspaceId, userId, role }: { workspaceId: string; userId: string; role: Role },
) =>
  db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: userId, role })
    .onConflict((same) => same.columns(['workspace_id', 'user_id']).doNothing())
    .execute();

/** Sets a role. False where the member is an owner, has the role already, or was removed. */
export async function setRole(
  db: Db,
  { workspaceId, id, role }: { workspaceId: string; id: string; role: 'admin' | 'member' },
): Promise<boolean> {
  const changed = await db
    .updateTable('workspace_members')
    .set({ role })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('role', 'not in', ['owner', role])
    .returning('id')
    .execute();
  return changed.length === 1;
}

/** Removes a member. False for an owner, or somebody who was removed already. */
export async function deleteMember(db: Db, { workspaceId, id }: { workspaceId: string; id: string }): Promise<boolean> {
  const gone = await db
    .deleteFrom('workspace_members')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('role', '<>', 'owner')
    .returning('id')
    .execute();
  return gone.length === 1;
}

/** Removes one's own membership. False for the only owner. */
export async function deleteOwnMembership(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<boolean> {
  const gone = await db
    .deleteFrom('workspace_members')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('role', '<>', 'owner'),
        exists(
          selectFrom('workspace_members as other')
            .where('other.workspace_id', '=', workspaceId)
            .where('other.user_id', '<>', userId)
            .where('other.role', '=', 'owner')
            .select('other.id'),
        ),
      ]),
    )
    .returning('id')
    .execute();
  return gone.length === 1;
}

/** Makes the owner an admin, and the member the owner. Returns how many of the two rows changed. */
export async function swapOwner(
  db: Db,
  { workspaceId, owner, member }: { workspaceId: string; owner: string; member: string },
): Promise<number> {
  const { rows } = await sql`
    update workspace_members
       set role = case when user_id = ${owner} then 'admin' else 'owner' end
     where workspace_id = ${workspaceId}
       and (user_id = ${owner} and role = 'owner' or id = ${member} and role <> 'owner')
    returning id`.execute(db);
  return rows.length;
}
