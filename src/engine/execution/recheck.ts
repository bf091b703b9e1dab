import { hasExpired, jobWasCancelled, type Reason } from '#domain/ledger-reasons.ts';
import { reasonOfSkip } from '#domain/may-be-sent.ts';
import { isPhoneChannel, recipientKey } from '#domain/recipients.ts';
import { international } from '#engine/run/phone-numbers.ts';
import type { FindRoute } from '#engine/run/routes.ts';
import type { Deferral } from '#engine/run/live-delivery.ts';
import type { Attempt } from '#engine/run/attempt.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import { isStopped } from '#engine/execution/stop-check.ts';
import type { CircuitBreakers } from '#engine/limits/circuit-breakers.ts';
import type { EngineStore, WaitingDelivery } from '#engine/store.ts';
import { type Clock, neverAborts } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

/** What becomes of an attempt that asked to begin. */
export type Verdict =
  | { kind: 'begin' }
  | ({ kind: 'defer' } & Deferral)
  /** The delivery is skipped, for this reason. */
  | ({ kind: 'drop' } & Reason)
  /** The ledger row stays as it is, for the worker that took over the job. */
  | { kind: 'leave' };

type Deps = {
  store: EngineStore;
  clock: Clock;
  log: Log;
  breakers: CircuitBreakers<Attempt>;
  findRoute: FindRoute;
};

/**
 * A delivery that waited longer than `freshMs` for its destination is checked again before it begins, `recheckBatch` at
 * a time.
 */
const freshMs = 100;
const recheckBatch = 256;

/** Checks attempts that waited at a full destination before they begin. `resume` gets each with what was found. */
export function createRecheck(deps: Deps, resume: (attempt: Attempt, verdict: Verdict) => void) {
  const { clock, breakers, findRoute } = deps;
  const waiting: Attempt[] = [];
  let running: Promise<void> | null = null;

  function add(attempt: Attempt): void {
    if (!resumeIfFresh(attempt)) waiting.push(attempt);
  }

  function run(): void {
    if (waiting.length === 0) return;
    running ??= recheckAll().finally(() => {
      running = null;
    });
  }

  /** The last check, of a batch that included this attempt, may still be fresh. */
  function resumeIfFresh(attempt: Attempt): boolean {
    const nowMs = clock.epochMs();
    const mayBegin = isFresh(attempt.run, nowMs) && verdictOn(attempt, nowMs) === begin;
    if (mayBegin) resume(attempt, begin);
    return mayBegin;
  }

  /** Checks attempts against the database again, as time has passed since their claim. Includes those next in line. */
  async function recheckAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0).filter((attempt) => !resumeIfFresh(attempt));
      if (batch.length === 0) return;
      const endpoint = batch[0]?.endpoint ?? null;
      const next = endpoint === null ? [] : breakers.nextWaiting(endpoint, recheckBatch);
      const inBatch = new Set(batch);
      for (const [claimId, members] of Map.groupBy([...batch, ...next], ({ run }) => run.claimId)) {
        const owned = await check(claimId, members);
        const byOwned = Map.groupBy(
          members.filter((attempt) => inBatch.has(attempt)),
          ({ run }) => owned.has(run.job.id),
        );
        // At once, before the next claim is checked: this result expires in `freshMs`.
        for (const attempt of byOwned.get(true) ?? []) resume(attempt, verdictOn(attempt, clock.epochMs()));
        for (const attempt of byOwned.get(false) ?? []) resume(attempt, await verdictOnStopped(attempt));
      }
    }
  }

  /** Returns the jobs that the claim still owns, and updates the runs and attempts with what was found. */
  async function check(claimId: string, members: readonly Attempt[]): Promise<ReadonlySet<string>> {
    const { owned, suppressed, channels, checkedAtMs } = await stillOwned(claimId, members.map(asWaiting));
    const findRoutes = findRoute(channels);
    for (const [at, attempt] of members.entries()) {
      const { run } = attempt;
      if (!owned.has(run.job.id)) continue;
      run.confirmOwned({ atMs: checkedAtMs, findRoutes });
      const skip = suppressed.get(at);
      attempt.notSent = skip === undefined ? null : reasonOfSkip(skip.code, attempt.delivery.channel);
    }
    return owned;
  }

  async function stillOwned(claimId: string, waiting: readonly WaitingDelivery[]) {
    for (;;) {
      try {
        const checkedAtMs = clock.epochMs();
        return { ...(await deps.store.stillOwned(claimId, { waiting, now: clock.now() })), checkedAtMs };
      } catch (error) {
        deps.log.error({ error: String(error) }, 'checking claimed jobs failed; trying again');
        await clock.sleepUntil(clock.now().add({ milliseconds: 500 }), neverAborts);
      }
    }
  }

  async function verdictOnStopped({ run }: Attempt): Promise<Verdict> {
    await isStopped(run, deps);
    return run.isLost ? { kind: 'leave' } : { kind: 'drop', ...(run.lastSkip ?? jobWasCancelled) };
  }

  return { add, run };
}

export const begin: Verdict = { kind: 'begin' };

/** Whether the last check of the run is recent enough; never after the clock was set back. */
function isFresh(run: JobRun, nowMs: number): boolean {
  const ageMs = nowMs - run.checkedAtMs;
  return ageMs >= 0 && ageMs <= freshMs;
}

function verdictOn(attempt: Attempt, nowMs: number): Verdict {
  if (attempt.notSent !== null) return { kind: 'drop', ...attempt.notSent };
  return attempt.run.isOver(nowMs) ? { kind: 'drop', ...hasExpired } : unlessClosed(attempt, nowMs);
}

/** The sending hours may have closed while the delivery waited for a slot. */
export function unlessClosed({ run, delivery }: Attempt, nowMs: number): Verdict {
  const deferral = run.hours?.deferralOf(delivery, nowMs) ?? null;
  return deferral === null ? begin : { kind: 'defer', ...deferral };
}

/** A number is suppressed in E.164, also where its row has the spelling of an earlier version. */
const asWaiting = ({ run, delivery: { channel, recipient } }: Attempt): WaitingDelivery => ({
  jobId: run.job.id,
  workspaceId: run.job.workspace_id,
  channel,
  key: isPhoneChannel(channel) ? international(run.routes(channel), recipient) : recipientKey(recipient),
  topicId: run.work.topicId,
  occasion: run.work.occasion,
});
