import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

/** The sending hours in the settings; null when none are set. */
export async function findSendingHours(db: Db, { workspaceId }: { workspaceId: string }): Promise<unknown> {
  const row = await db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(sql<unknown>`settings -> 'sendingHours'`.as('hours'))
    .executeTakeFirst();
  return row?.hours ?? null;
}
