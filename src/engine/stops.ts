import { countEnded } from '#engine/ledger.ts';
import type { Run } from '#engine/run.ts';
import type { EndedRow, EngineStore } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

/** What the row of a job says to the run that holds it, or thinks it does. */
export function createStops({ store, clock, log }: { store: EngineStore; clock: Clock; log: Log }) {
  /** Recipients of which the ledger has told that they ended by another's hand. */
  const counted = new WeakMap<Run, Set<string>>();

  /** Whoever ends what is open, and whoever asks to begin it meanwhile, are both told. */
  function countOnce(run: Run, row: EndedRow): void {
    const known = counted.get(run) ?? new Set();
    if (known.has(keyOf(row))) return;
    counted.set(run, known.add(keyOf(row)));
    countEnded(run, row);
  }

  /** Whether nothing more of the run begins. Where nobody can be asked it is left to its lease. */
  async function isStopped(run: Run): Promise<boolean> {
    try {
      return await stopIfTold(run);
    } catch (error) {
      log.error({ error: String(error) }, 'a stopped job is left to its lease');
      leaveToLease(run);
      return true;
    }
  }

  /** The job was paused, edited, cancelled or taken over: what was not begun is not sent, and says why. */
  async function stopIfTold(run: Run): Promise<boolean> {
    const stand = await store.standOf(run.job.id);
    const isHeld = stand?.claim_id === run.claimId;
    if (isHeld && stand.stop_reason === null) return false;
    run.queued = [];
    // A cancelled job still passes the recorder, which closes what waits; one that another worker holds does not.
    if (run.unheard.size > 0 || (!isHeld && stand?.status !== 'cancelled')) leaveToLease(run);
    if (!isHeld && !run.isLost) run.lastSkip = stand?.error_message ?? null;
    if (!isHeld || run.isLost) return true;
    const reason = stand.stop_reason ?? '';
    const skipped = await store.skipOpen(heldJob(run), { reason, now: clock.now() });
    for (const row of skipped) countOnce(run, row);
    // What waits after an attempt of this run ends with the job: it may not be in the ledger yet.
    run.lastSkip = reason;
    return true;
  }

  return { countOnce, isStopped };
}

export type Stops = ReturnType<typeof createStops>;

/** Its claim runs out, and the rescuer settles what the ledger has as under way. */
export function leaveToLease(run: Run): void {
  run.queued = [];
  run.isLost = true;
}

export const heldJob = ({ job, claimId }: Run) => ({
  id: job.id,
  workspaceId: job.workspace_id,
  scheduledFor: job.scheduled_for,
  claimId,
});

export const keyOf = (row: { channel: string; recipient: string }) => `${row.channel} ${row.recipient}`;
