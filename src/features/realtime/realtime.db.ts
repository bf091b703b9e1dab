import type { Db } from '#platform/database.ts';

export async function isMember(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('workspace_members')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function isKeyRevoked(
  db: Db,
  { workspaceId, apiKeyId }: { workspaceId: string; apiKeyId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('api_keys')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', apiKeyId)
    .where('revoked_at', 'is', null)
    .select('id')
    .executeTakeFirst();
  return row === undefined;
}
