import type { Db } from '#platform/database.ts';

export type ChangeRow = Awaited<ReturnType<typeof findChanges>>[number];

/** The acts on a reminder, newest first. */
export const findChanges = (
  db: Db,
  { workspaceId, reminderId, limit }: { workspaceId: string; reminderId: string; limit: number },
) =>
  db
    .selectFrom('audit_log')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'reminder')
    .where('target', '=', reminderId)
    .select(['id', 'created_at', 'actor_kind', 'actor_name', 'actor_email', 'action', 'details'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
