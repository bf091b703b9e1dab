import { shownOutcomes } from '#contract/jobs.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { listDeliveries } from '#features/jobs/deliveries.service.ts';
import type { JobWaits } from '#features/jobs/job-waits.ts';
import { getJob, showJob } from '#features/jobs/jobs.service.ts';
import { readerOf } from '#features/realtime/realtime.service.ts';
import type { TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { NotFound } from '#platform/errors.ts';
import { AfterCommit } from '#platform/handler.ts';

/** @param closing ends every wait when the server stops */
export type WaitPorts = { auth: Pick<Auth, 'sessionOf'>; waits: JobWaits; closing: AbortSignal };

/**
 * A job; with `wait` not before it has ended or that many seconds have passed, and with the outcomes of its first recipients. No
 * database connection is held meanwhile. Throws NotFound, also for a job that the caller's key may not read.
 */
export async function answerJob(
  ctx: TenantContext,
  { id, wait, request }: { id: string; wait?: number | undefined; request: Request },
  { auth, waits, closing }: WaitPorts,
) {
  const { status, payload } = await getJob(ctx, id);
  assertMayRead(ctx, payload);
  if (wait === undefined) return showJob(ctx, id);
  const isOver = status === 'completed' || status === 'failed' || status === 'cancelled';
  if (isOver || wait === 0) return withOutcomes(ctx, id);
  const { workspaceId, actor } = ctx;
  return new AfterCommit(async (again) => {
    const ended = new AbortController();
    const assertAccess = (db: Db) => readerOf({ ...ctx, db }, { auth, request });
    const waiting = waits.untilEnded({
      workspaceId,
      jobId: id,
      caller: actor.kind === 'user' ? actor.userId : actor.apiKeyId,
      seconds: wait,
      signal: AbortSignal.any([request.signal, closing, ended.signal]),
    });
    // Checked again, since the wait does not see access that ended before it began.
    const admitted = again(assertAccess).catch((error: unknown) => {
      ended.abort();
      throw error;
    });
    await Promise.all([waiting, admitted]);
    return again(async (db) => {
      await assertAccess(db);
      return withOutcomes({ ...ctx, db }, id);
    });
  });
}

/** An API key without the scope `read` may read only the jobs that it asked for itself. */
function assertMayRead({ actor }: TenantContext, payload: Record<string, unknown>): void {
  if (actor.kind === 'user' || actor.scopes.includes('read')) return;
  if (payload.api_key_id !== actor.apiKeyId) throw new NotFound('job');
}

async function withOutcomes(ctx: TenantContext, id: string) {
  const job = await showJob(ctx, id);
  const { data } = await listDeliveries(ctx, { id, limit: shownOutcomes, order: 'problems_first' });
  const outcomes = data.map(
    ({ channel, recipient, status, reason, reason_code, reason_params, attempts, completed_at }) => ({
      channel,
      recipient,
      status,
      reason,
      reason_code,
      reason_params,
      attempts,
      completed_at,
    }),
  );
  return { ...job, outcomes };
}
