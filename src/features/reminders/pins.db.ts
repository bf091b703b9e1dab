import type { Db } from '#platform/database.ts';

export const findChannelTypes = (db: Db, { workspaceId, ids }: { workspaceId: string; ids: readonly string[] }) =>
  db
    .selectFrom('channels')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...ids])
    .select(['id', 'type'])
    .execute();
