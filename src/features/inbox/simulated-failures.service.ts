import type { SimulatedFailure } from '#contract/simulated-failures.ts';
import { findSimulatedFailures, saveSimulatedFailure } from '#features/inbox/simulated-failures.db.ts';
import { announce } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';

export const listSimulatedFailures = ({ db, workspaceId }: TenantContext): Promise<SimulatedFailure[]> =>
  findSimulatedFailures(db, { workspaceId });

/** Sets the simulated failure of a channel, or removes it when `failure` is null. */
export async function setSimulatedFailure(ctx: TenantContext, input: SimulatedFailure): Promise<SimulatedFailure> {
  await saveSimulatedFailure(ctx.db, { ...input, workspaceId: ctx.workspaceId });
  await announce(ctx, ['simulated_failures']);
  return input;
}
