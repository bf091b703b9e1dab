import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

const columns = ['i.id', 'i.email', 'i.role', 'i.created_at', 'i.expires_at', 'i.declined_at'] as const;

const invitations = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db
    .selectFrom('workspace_invitations as i')
    .leftJoin('profiles as p', 'p.id', 'i.invited_by')
    .where('i.workspace_id', '=', workspaceId)
    .select([
      ...columns,
      'p.full_name as invited_by',
      sql<boolean>`coalesce(is_suspended(i.invited_by), false)`.as('is_inviter_suspended'),
    ]);

export const invitationsOf = (db: Db, of: { workspaceId: string }) =>
  invitations(db, of).orderBy('i.created_at', 'desc').orderBy('i.id').execute();

export const findInvitation = (db: Db, { workspaceId, id }: { workspaceId: string; id: string }) =>
  invitations(db, { workspaceId }).where('i.id', '=', id).executeTakeFirst();

/** The open invitation of a link: neither declined nor expired, and its sender is not suspended. */
export const findOpen = (
  db: Db,
  { workspaceId, tokenHash, now }: { workspaceId: string; tokenHash: string; now: string },
) =>
  invitations(db, { workspaceId })
    .where('i.token_hash', '=', tokenHash)
    .where('i.declined_at', 'is', null)
    .where('i.expires_at', '>', now)
    .where(sql<boolean>`is_suspended(i.invited_by)`, 'is not', true)
    .innerJoin('workspaces as w', 'w.id', 'i.workspace_id')
    .select(['w.name as workspace', 'w.delete_after', 'w.suspended_at'])
    .executeTakeFirst();

export async function countInvitations(db: Db, { workspaceId }: { workspaceId: string }): Promise<number> {
  const { count } = await db
    .selectFrom('workspace_invitations')
    .where('workspace_id', '=', workspaceId)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether the address belongs to a member. */
export async function isAddressOfMember(
  db: Db,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<boolean> {
  const member = await db
    .selectFrom('workspace_members as m')
    .innerJoin('profiles as p', 'p.id', 'm.user_id')
    .where('m.workspace_id', '=', workspaceId)
    .where('p.email', '=', email)
    .select('m.id')
    .executeTakeFirst();
  return member !== undefined;
}

/** Inserts an invitation; null where the address has an open one. An expired or declined one is replaced. */
export async function insertInvitation(
  db: Db,
  row: {
    workspace_id: string;
    email: string;
    role: 'admin' | 'member';
    token_hash: string;
    invited_by: string;
    created_at: string;
    expires_at: string;
  },
): Promise<string | null> {
  const { role, token_hash, invited_by, created_at, expires_at } = row;
  const inserted = await db
    .insertInto('workspace_invitations')
    .values(row)
    .onConflict((same) =>
      same
        .columns(['workspace_id', 'email'])
        .doUpdateSet({ role, token_hash, invited_by, created_at, expires_at, declined_at: null })
        .where(({ or, eb }) =>
          or([
            eb('workspace_invitations.expires_at', '<=', created_at),
            eb('workspace_invitations.declined_at', 'is not', null),
          ]),
        ),
    )
    .returning('id')
    .executeTakeFirst();
  return inserted?.id ?? null;
}

/** Replaces an invitation's link and sender. False where the invitation does not exist any more. */
export async function renewInvitation(
  db: Db,
  {
    workspaceId,
    id,
    ...row
  }: { workspaceId: string; id: string; invited_by: string; token_hash: string; expires_at: string },
): Promise<boolean> {
  const renewed = await db
    .updateTable('workspace_invitations')
    .set({ ...row, declined_at: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('id')
    .execute();
  return renewed.length === 1;
}

/** Deletes an invitation; null where it was accepted or revoked. */
export async function deleteInvitation(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<{ email: string; role: 'admin' | 'member' } | null> {
  const gone = await db
    .deleteFrom('workspace_invitations')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(['email', 'role'])
    .executeTakeFirst();
  return gone ?? null;
}

/** Deletes the open invitations that the person sent. */
export const deleteInvitationsBy = (db: Db, { workspaceId, userId }: { workspaceId: string; userId: string }) =>
  db
    .deleteFrom('workspace_invitations')
    .where('workspace_id', '=', workspaceId)
    .where('invited_by', '=', userId)
    .returning(['id', 'email'])
    .execute();

/** Declines an invitation. False where it is no longer open. */
export async function declineInvitationRow(
  db: Db,
  { workspaceId, id, now }: { workspaceId: string; id: string; now: string },
): Promise<boolean> {
  const declined = await db
    .updateTable('workspace_invitations')
    .set({ declined_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('declined_at', 'is', null)
    .returning('id')
    .execute();
  return declined.length === 1;
}
