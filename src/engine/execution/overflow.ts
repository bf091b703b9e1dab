import { hasExpired } from '#domain/ledger-reasons.ts';
import type { FindRoute } from '#engine/run/routes.ts';
import type { ActiveRuns } from '#engine/execution/active-runs.ts';
import type { Admission } from '#engine/execution/admission.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import { exactKey, type LiveDelivery } from '#engine/run/live-delivery.ts';
import { isStopped } from '#engine/execution/stop-check.ts';
import type { Chosen } from '#engine/limits/rate-slots.ts';
import type { Slots } from '#engine/limits/slots.ts';
import type { EngineStore } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Deps = { store: EngineStore; clock: Clock; log: Log; slots: Slots; findRoute: FindRoute };

/** A job with more recipients than this begins them in several batches, so that a pause takes effect between them. */
const batchSize = 256;

/**
 * Begins the recipients that did not fit into their claim: takes a batch, reserves slots, begins the attempts in the
 * ledger, and asks for admission.
 */
export function createOverflow(deps: Deps, { runs, admission }: { runs: ActiveRuns; admission: Admission }) {
  const { store, clock, slots, findRoute } = deps;

  /** Begins one batch of each run. True when more recipients could begin at once. */
  async function start(): Promise<boolean> {
    for (const run of runs.all()) {
      if (!run.hasOverflow) continue;
      const capacity = Math.min(slots.capacityOf(run.job.workspace_id), batchSize);
      if (capacity <= 0) continue;
      if (run.isOver(clock.epochMs())) runs.returnToQueue(run, hasExpired);
      else await startBatch(run, capacity);
    }
    for (const run of runs.all()) if (run.hasOverflow && slots.capacityOf(run.job.workspace_id) > 0) return true;
    return false;
  }

  async function startBatch(run: JobRun, capacity: number): Promise<void> {
    const taken = withoutDeferred(run, run.takeOverflow(capacity));
    // Reserved before the query: a run with nothing in flight would be finished meanwhile.
    runs.reserve(run, taken.length);
    const chosen = await withRateSlots(run, taken);
    if (chosen.length > 0) await begin(run, chosen);
    else runs.finishIfDone(run);
  }

  /**
   * Leaves out recipients whose sending hours have closed since the claim: they stay open in the ledger, and the next claim, at once, defers them. An
   * unconfirmed attempt is confirmed first, and deferred then.
   */
  function withoutDeferred(run: JobRun, taken: LiveDelivery[]): LiveDelivery[] {
    const { hours } = run;
    if (hours === null) return taken;
    const nowMs = clock.epochMs();
    const open = taken.filter((one) => run.isUnconfirmed(one) || hours.deferralOf(one, nowMs) === null);
    if (open.length < taken.length) run.nextAttemptBy(nowMs);
    return open;
  }

  /** Reserves rate slots. A recipient without a free one stays open in the ledger, for a later claim. */
  async function withRateSlots(run: JobRun, taken: readonly LiveDelivery[]): Promise<Chosen[]> {
    try {
      const { chosen, deferral } = await admission.chooseByRate(run, taken);
      if (deferral !== null) run.deferUntil(deferral);
      runs.giveBack(run, taken.length - chosen.length);
      return chosen;
    } catch (error) {
      run.putBack(taken);
      runs.giveBack(run, taken.length);
      throw error;
    }
  }

  async function begin(run: JobRun, chosen: readonly Chosen[]): Promise<void> {
    const deliveries = chosen.map(({ delivery }) => delivery);
    const { begun, ended } = await requestAttempts(run, deliveries);
    for (const { delivery, rateSlot } of chosen) {
      const attempts = begun.get(exactKey(delivery));
      if (attempts !== undefined) admission.askQueued(run, { delivery: { ...delivery, attempts }, rateSlot });
    }
    const refused = deliveries.filter((delivery) => !begun.has(exactKey(delivery)));
    if (refused.length === 0) return;
    // Some were refused though their rows have not ended and nothing stopped the run: the ledger has attempts that this worker does not know.
    if (!(await isStopped(run, deps)) && ended < refused.length) run.lose();
    for (const _ of refused) runs.release(run);
  }

  /** Returns the attempts that may begin. If the database fails, all of them stay in `overflow`. */
  async function requestAttempts(
    run: JobRun,
    chosen: readonly LiveDelivery[],
  ): Promise<{ begun: Map<string, number>; ended: number }> {
    try {
      const { begun, ended, channels } = await store.beginAttempts(run.owned, {
        chosen,
        about: run.work,
        now: clock.now(),
      });
      for (const row of ended) {
        run.countEndedElsewhere(row);
        if (run.isForbidden(row)) run.nextAttemptBy(clock.epochMs());
      }
      run.confirmBegun(begun);
      run.useRoutes(findRoute(channels));
      return { begun: new Map(begun.map((row) => [exactKey(row), row.attempts])), ended: ended.length };
    } catch (error) {
      run.markUnconfirmed(chosen);
      run.putBack(chosen);
      runs.giveBack(run, chosen.length);
      throw error;
    }
  }

  return { start };
}
