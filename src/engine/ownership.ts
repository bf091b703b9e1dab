import { countEnded } from '#engine/ledger.ts';
import type { Run } from '#engine/run.ts';
import type { EndedRow, EngineStore } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

/** Checks with the database whether a run still owns its job. */
export function createOwnershipCheck({ store, clock, log }: { store: EngineStore; clock: Clock; log: Log }) {
  /** Recipients that the ledger reports as ended by another process. */
  const counted = new WeakMap<Run, Set<string>>();

  /** Both the query that ends open rows and the one that begins attempts may report the same row. */
  function countOnce(run: Run, row: EndedRow): void {
    const known = counted.get(run) ?? new Set();
    if (known.has(exactKey(row))) return;
    counted.set(run, known.add(exactKey(row)));
    countEnded(run, row);
  }

  /** True when nothing more of the run may begin. If the database does not answer, the run is left to its lease. */
  async function isStopped(run: Run): Promise<boolean> {
    try {
      return await stopIfRequested(run);
    } catch (error) {
      log.error({ error: String(error) }, 'a stopped job is left to its lease');
      leaveToLease(run);
      return true;
    }
  }

  /** The job was paused, edited, cancelled or taken over: what has not begun is not sent, with that reason. */
  async function stopIfRequested(run: Run): Promise<boolean> {
    const state = await store.jobState(run.job.id);
    const isOwned = state?.claim_id === run.claimId;
    if (isOwned && state.stop_reason === null) return false;
    run.overflow = [];
    // A cancelled job still passes the recorder, which closes the waiting rows. One that another worker owns does not.
    if (run.unconfirmed.size > 0 || (!isOwned && state?.status !== 'cancelled')) leaveToLease(run);
    if (!isOwned && !run.isLost) run.lastSkip = state?.error_message ?? null;
    if (!isOwned || run.isLost) return true;
    const reason = state.stop_reason ?? '';
    const skipped = await store.skipOpen(ownedJob(run), { reason, now: clock.now() });
    for (const row of skipped) countOnce(run, row);
    // Waiting rows after an attempt of this run end with the job. They may not be in the ledger yet.
    run.lastSkip = reason;
    return true;
  }

  return { countOnce, isStopped };
}

export type OwnershipCheck = ReturnType<typeof createOwnershipCheck>;

/** The lease runs out, and the rescuer settles the attempts that the ledger has as under way. */
export function leaveToLease(run: Run): void {
  run.overflow = [];
  run.isLost = true;
}

export const ownedJob = ({ job, claimId }: Run) => ({
  id: job.id,
  workspaceId: job.workspace_id,
  scheduledFor: job.scheduled_for,
  claimId,
});

/** Names a row by the recipient as it is stored; `ledgerKey` makes one of all spellings. */
export const exactKey = (row: { channel: string; recipient: string }) => `${row.channel} ${row.recipient}`;
