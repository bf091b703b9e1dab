import { type Reason, serverWasStopped } from '#domain/ledger-reasons.ts';
import type { Started } from '#engine/claiming/claim-decision.ts';
import type { JobRun } from '#engine/execution/job-run.ts';
import type { Recorder } from '#engine/execution/recorder.ts';
import type { Slots } from '#engine/limits/slots.ts';
import type { Clock } from '#platform/clock.ts';

type Deps = {
  clock: Clock;
  slots: Slots;
  recorder: Recorder;
  /** Called when claiming is useful again, or when recipients that waited for a slot may begin. */
  onCapacity(): void;
};

/** The runs of this worker that are not done, their claims, and the slots that they use. */
export function createActiveRuns({ clock, slots, recorder, onCapacity }: Deps) {
  /** Keyed by run, not by job: after a lost lease, one job may have two runs here. */
  const runs = new Set<JobRun>();
  /** The number of unfinished runs of each claim. */
  const claims = new Map<string, number>();

  /** Takes over the runs of a claim. */
  function add(claimId: string, started: readonly Started[]): void {
    if (started.length > 0) claims.set(claimId, started.length);
    for (const { run } of started) runs.add(run);
  }

  function reserve(run: JobRun, count: number): void {
    if (count === 0) return;
    run.reserve(count);
    slots.take(run.job.workspace_id, count);
  }

  /** Frees the slot of a delivery that has an outcome, or is left as it is. The last one finishes the run. */
  function release(run: JobRun): void {
    run.release(1);
    const freedCapacity = slots.release(run.job.workspace_id);
    finishIfDone(run);
    if (freedCapacity || run.hasOverflow) onCapacity();
  }

  /** Frees slots of deliveries that have not begun. */
  function giveBack(run: JobRun, count: number): void {
    run.release(count);
    for (let n = 0; n < count; n += 1) slots.release(run.job.workspace_id);
  }

  function finishIfDone(run: JobRun): void {
    if (!run.isDone || !runs.delete(run)) return;
    const left = (claims.get(run.claimId) ?? 1) - 1;
    if (left === 0) claims.delete(run.claimId);
    else claims.set(run.claimId, left);
    recorder.finish(run, { endsClaim: left === 0 });
  }

  /** What has not begun stays open in the ledger. The next claim takes it at once. */
  function returnToQueue(run: JobRun, reason: Reason): void {
    run.returnToQueue({ atMs: clock.epochMs(), ...reason });
    finishIfDone(run);
  }

  /** These claims have lost their lease: another worker owns their jobs. */
  function lose(claimIds: ReadonlySet<string>): void {
    if (claimIds.size === 0) return;
    for (const run of runs) {
      if (!claimIds.has(run.claimId)) continue;
      run.lose();
      finishIfDone(run);
    }
  }

  function returnAll(): void {
    for (const run of runs) if (run.hasOverflow) returnToQueue(run, serverWasStopped);
  }

  function openDeliveries(): number {
    let open = 0;
    for (const run of runs) open += run.openDeliveries;
    return open;
  }

  return {
    add,
    reserve,
    release,
    giveBack,
    finishIfDone,
    returnToQueue,
    returnAll,
    lose,
    all: (): Iterable<JobRun> => runs,
    claimIds: () => [...claims.keys()],
    isEmpty: () => runs.size === 0,
    openDeliveries,
  };
}

export type ActiveRuns = ReturnType<typeof createActiveRuns>;
