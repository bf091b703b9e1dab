import type { Rehearsal } from '#contract/rehearsals.ts';
import type { Db } from '#platform/database.ts';

export const findRehearsals = (db: Db, { workspaceId }: { workspaceId: string }): Promise<Rehearsal[]> =>
  db
    .selectFrom('sandbox_rehearsals')
    .where('workspace_id', '=', workspaceId)
    .select(['channel', 'failure', 'times'])
    .orderBy('channel')
    .execute();

export async function saveRehearsal(
  db: Db,
  { workspaceId, channel, failure, times }: Rehearsal & { workspaceId: string },
): Promise<void> {
  if (failure === null) {
    await db
      .deleteFrom('sandbox_rehearsals')
      .where('workspace_id', '=', workspaceId)
      .where('channel', '=', channel)
      .execute();
    return;
  }
  const given = { failure: JSON.stringify(failure), times };
  await db
    .insertInto('sandbox_rehearsals')
    .values({ workspace_id: workspaceId, channel, ...given })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'channel']).doUpdateSet(given))
    .execute();
}
