import { serverWasStopped } from '#domain/ledger-reasons.ts';
import type { ClaimDecision } from '#engine/run/claim-decision.ts';
import type { FindRoute, Route } from '#engine/run/routes.ts';
import { createActiveRuns } from '#engine/execution/active-runs.ts';
import { createAdmission } from '#engine/execution/admission.ts';
import { type Attempt, currentRoute } from '#engine/run/attempt.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import type { LiveDelivery } from '#engine/run/live-delivery.ts';
import { createOverflow } from '#engine/execution/overflow.ts';
import type { Verdict } from '#engine/execution/recheck.ts';
import type { Recorder } from '#engine/execution/recorder.ts';
import { type Sent, unsent } from '#engine/execution/send.ts';
import type { CircuitBreakers } from '#engine/limits/circuit-breakers.ts';
import type { RateLimiter } from '#engine/limits/rate-limiter.ts';
import type { Slots } from '#engine/limits/slots.ts';
import type { EngineStore } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Deps = {
  store: EngineStore;
  clock: Clock;
  log: Log;
  recorder: Recorder;
  slots: Slots;
  breakers: CircuitBreakers<Attempt>;
  rateLimiter: RateLimiter;
  stalledMs: number;
  findRoute: FindRoute;
  send(run: JobRun, over: { delivery: LiveDelivery; route: Route }): Promise<Sent>;
  /** Called when an attempt begins. */
  onAttempt?: ((run: JobRun, delivery: LiveDelivery) => void) | undefined;
  /** Called when claiming is useful again, or when recipients that waited for a slot may begin. */
  onCapacity(): void;
};

/** How long a workspace is left out of claims after almost none of its claimed jobs could begin. */
const excludedMs = 1_000;

/** After how long a machine that had no file or port left is tried again. */
const meansMs = 10_000;
const reportEveryMs = 60_000;

/** Says nothing about the destination. */
const nothingSent: Sent = unsent({ code: 'server_exhausted', reason: '' });

/**
 * Runs the jobs that this worker has claimed, from the first attempt to the result:
 *
 *     add ------------+-> admission -> carryOut  begin: send -> recorder.record, admission.end
 *     startOverflow --+                          defer:         recorder.defer
 *                                                drop:          recorder.record, as skipped
 *                                                leave
 *                                                    -> runs.release -> recorder.finish, once the run is done
 *
 * `job-run.ts` has the state of one job, `active-runs.ts` the jobs and their slots, `admission.ts` what an attempt waits for.
 */
export function createExecutor(deps: Deps) {
  const { store, clock, recorder, slots } = deps;
  const runs = createActiveRuns(deps);
  const admission = createAdmission(deps, carryOut);
  const overflow = createOverflow(deps, { runs, admission });

  let reportedUntilMs = Number.NEGATIVE_INFINITY;

  /** Takes over a claim, with the attempts that it has begun. */
  function add({ id, started }: ClaimDecision): void {
    runs.add(id, started);
    const deferrals = new Map<string, number>();
    for (const { run, begun } of started) {
      runs.reserve(run, begun.length);
      let isDeferred = begun.length > 0;
      for (const delivery of begun) isDeferred = admission.askClaimed(run, delivery) === 'defer' && isDeferred;
      if (isDeferred) deferrals.set(run.job.workspace_id, (deferrals.get(run.job.workspace_id) ?? 0) + 1);
      runs.finishIfDone(run);
    }
    for (const [workspaceId, count] of deferrals) {
      const claimed = started.filter(({ run }) => run.job.workspace_id === workspaceId).length;
      if (count >= claimed * 0.9) slots.exclude(workspaceId, { fromMs: clock.epochMs(), forMs: excludedMs });
    }
  }

  function carryOut(attempt: Attempt, verdict: Verdict): void {
    const { run, delivery } = attempt;
    switch (verdict.kind) {
      case 'begin':
        return begin(attempt);
      case 'defer':
        recorder.defer(run, delivery, verdict);
        return runs.release(run);
      case 'drop':
        recorder.record(run, delivery, unsent(verdict));
        return runs.release(run);
      case 'leave':
        return runs.release(run);
      default:
        return verdict satisfies never;
    }
  }

  function begin(attempt: Attempt): void {
    const { run, delivery } = attempt;
    deps.onAttempt?.(run, delivery);
    void deps.send(run, { delivery, route: currentRoute(attempt) }).then((sent) => {
      const { outcome } = sent;
      const isOwnFault = outcome.outcome === 'failed' && outcome.code === 'server_exhausted';
      if (isOwnFault) waitForMeans(attempt, outcome.reason);
      else recorder.record(run, delivery, sent);
      admission.end(attempt, isOwnFault ? nothingSent : sent);
      runs.release(run);
    });
  }

  /** Nothing was tried, because this machine had no means to. */
  function waitForMeans({ run, delivery }: Attempt, reason: string): void {
    const nowMs = clock.epochMs();
    if (clock.steadyMs() >= reportedUntilMs) {
      reportedUntilMs = clock.steadyMs() + reportEveryMs;
      deps.log.error({ reason }, 'this machine cannot send; trying again');
    }
    recorder.defer(run, delivery, { atMs: nowMs + meansMs, code: 'server_exhausted', reason });
  }

  /** A claim that no longer exists has lost its lease. */
  async function extendLeases(until: Temporal.Instant): Promise<void> {
    const ids = runs.claimIds();
    if (ids.length === 0) return;
    const kept = await store.extendLeases(ids, until);
    runs.lose(new Set(ids.filter((id) => !kept.has(id))));
  }

  /** What has not begun stays open in the ledger. The next claim takes it at once. */
  function releaseOverflow(): void {
    for (const attempt of admission.dismissAll())
      carryOut(attempt, { kind: 'defer', atMs: clock.epochMs(), ...serverWasStopped });
    runs.returnAll();
  }

  return {
    add,
    startOverflow: overflow.start,
    extendLeases,
    releaseOverflow,
    isEmpty: runs.isEmpty,
    /** Deliveries that have begun or wait here, without an outcome. */
    openDeliveries: runs.openDeliveries,
  };
}
