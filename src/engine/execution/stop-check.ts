import { jobWasCancelled, type Reason, reasonOfStop } from '#domain/ledger-reasons.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import type { EngineStore, JobState } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Deps = { store: EngineStore; clock: Clock; log: Log };

/**
 * Asks the database whether the run still owns its job, and stops it if it does not, or if the job was paused, edited or
 * cancelled. True when nothing more of the run may begin. If the database does not answer, the run is left to its lease.
 */
export async function isStopped(run: JobRun, deps: Deps): Promise<boolean> {
  try {
    return await stopIfAsked(run, deps);
  } catch (error) {
    deps.log.error({ error: String(error) }, 'a stopped job is left to its lease');
    run.lose();
    return true;
  }
}

async function stopIfAsked(run: JobRun, { store, clock }: Deps): Promise<boolean> {
  const state = await store.jobState(run.job.id);
  const isOwned = state?.claim_id === run.claimId;
  if (isOwned && state.stop_reason === null) return false;
  run.clearOverflow();
  if (run.hasUnconfirmed || (!isOwned && state?.status !== 'cancelled')) run.lose();
  if (run.isLost) return true;
  // A cancelled job still passes the recorder, which closes the waiting rows.
  if (!isOwned) run.stop(state === null ? null : reasonIn(state, state.error_message));
  else {
    const reason = reasonIn(state, state.stop_reason) ?? jobWasCancelled;
    const skipped = await store.skipOpen(run.owned, { ...reason, now: clock.now() });
    for (const row of skipped) run.countEndedElsewhere(row);
    // Rows of the run that wait for another attempt end with the job. They may not be in the ledger yet.
    run.stop(reason);
  }
  return true;
}

const reasonIn = ({ reason_code: code }: JobState, words: string | null): Reason | null =>
  words === null ? null : reasonOfStop({ code, reason: words });
