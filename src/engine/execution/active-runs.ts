import { type Reason, serverWasStopped } from '#domain/ledger-reasons.ts';
import type { Started } from '#engine/run/claim-decision.ts';
import type { JobRun } from '#engine/run/job-run.ts';
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

/** The runs of a claim that are not done. After a lost lease one job may have runs of two claims, so that none is found by its job. */
type ActiveClaim = { id: string; runs: Set<JobRun> };

/** The runs of this worker that are not done, their claims, and the slots that they use. */
export function createActiveRuns({ clock, slots, recorder, onCapacity }: Deps) {
  /** Not one set of all runs: it would keep dead ones from being collected (decision 78). */
  let claims: ActiveClaim[] = [];

  /** Takes over the runs of a claim. */
  function add(claimId: string, started: readonly Started[]): void {
    if (started.length > 0) claims.push({ id: claimId, runs: new Set(started.map(({ run }) => run)) });
  }

  function reserve(run: JobRun, count: number): void {
    if (count === 0) return;
    run.reserve(count);
    slots.take(run.job.workspace_id, count);
  }

  /** Frees the slot of a delivery that has an outcome or is left unsent. The last one finishes the run. */
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
    if (!run.isDone) return;
    // Searches from the newest claim: old claims, with slow recipients, are at the front of the list.
    const claim = claims.findLast(({ id }) => id === run.claimId);
    if (claim?.runs.delete(run) !== true) return;
    const endsClaim = claim.runs.size === 0;
    if (endsClaim) claims = claims.filter((one) => one !== claim);
    recorder.finish(run, { endsClaim });
  }

  /** What has not begun stays open in the ledger. The next claim takes it at once. */
  function returnToQueue(run: JobRun, reason: Reason): void {
    run.returnToQueue({ atMs: clock.epochMs(), ...reason });
    finishIfDone(run);
  }

  /** These claims have lost their lease: another worker owns their jobs. */
  function lose(claimIds: ReadonlySet<string>): void {
    for (const run of all()) {
      if (!claimIds.has(run.claimId)) continue;
      run.lose();
      finishIfDone(run);
    }
  }

  function returnAll(): void {
    for (const run of all()) if (run.hasOverflow) returnToQueue(run, serverWasStopped);
  }

  function openDeliveries(): number {
    let open = 0;
    for (const run of all()) open += run.openDeliveries;
    return open;
  }

  /** All runs. One that is added or ends during the iteration may be missing or included. */
  function* all(): Generator<JobRun> {
    for (const { runs } of claims) yield* runs;
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
    all,
    claimIds: () => claims.map(({ id }) => id),
    isEmpty: () => claims.length === 0,
    openDeliveries,
  };
}

export type ActiveRuns = ReturnType<typeof createActiveRuns>;
