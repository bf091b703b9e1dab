import type { Db } from '#platform/database.ts';

/** Browsers that get push messages of this workspace for the person. */
export const devicesOf = (db: Db, { workspaceId, userId }: { workspaceId: string; userId: string }) =>
  db
    .selectFrom('push_subscriptions')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .select(['endpoint', 'created_at'])
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute();

/** The newest acts of the person in this workspace. */
export const actsOf = (
  db: Db,
  { workspaceId, userId, limit }: { workspaceId: string; userId: string; limit: number },
) =>
  db
    .selectFrom('audit_log')
    .where('workspace_id', '=', workspaceId)
    .where('actor_id', '=', userId)
    .select(['created_at', 'action', 'target', 'details', 'client_address'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
