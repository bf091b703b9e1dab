import type { Addressee } from '#features/unsubscribe/unsubscribe-token.ts';
import type { Db } from '#platform/database.ts';

export const findCompany = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(['company_name', 'avatar_url', 'subscription_tier as tier'])
    .executeTakeFirst();

/** `recipient` as the list compares it. */
export const findSuppression = (db: Db, { workspaceId, channel, recipient }: Addressee) =>
  db
    .selectFrom('suppressions')
    .where('workspace_id', '=', workspaceId)
    .where('channel', '=', channel)
    .where('recipient', '=', recipient)
    .select(['id', 'reason', 'created_by'])
    .executeTakeFirst();
