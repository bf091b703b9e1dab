import type { SimulatedFailure } from '#contract/simulated-failures.ts';
import { announce } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';

export const listSimulatedFailures = ({ db, workspaceId }: TenantContext): Promise<SimulatedFailure[]> =>
  findSimulatedFailures(db, { workspaceId });

/** Sets the simulated failure of a channel, or removes it when `failure` is null. */
export async function setSimulatedFailure(ctx: TenantContext, input: SimulatedFailure): Promise<SimulatedFailure> {
  await saveSimulatedFailure(ctx.db, { ...input, workspaceId: ctx.workspaceId });
  await announce(ctx, ['simulated_failures']);
  return input;
}

const findSimulatedFailures = (db: Db, { workspaceId }: { workspaceId: string }): Promise<SimulatedFailure[]> =>
  db
    .selectFrom('sandbox_simulated_failures')
    .where('workspace_id', '=', workspaceId)
    .select(['channel', 'failure', 'times'])
    .orderBy('channel')
    .execute();

async function saveSimulatedFailure(
  db: Db,
  { workspaceId, channel, failure, times }: SimulatedFailure & { workspaceId: string },
): Promise<void> {
  if (failure === null) {
    await db
      .deleteFrom('sandbox_simulated_failures')
      .where('workspace_id', '=', workspaceId)
      .where('channel', '=', channel)
      .execute();
    return;
  }
  const given = { failure: JSON.stringify(failure), times };
  await db
    .insertInto('sandbox_simulated_failures')
    .values({ workspace_id: workspaceId, channel, ...given })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'channel']).doUpdateSet(given))
    .execute();
}
