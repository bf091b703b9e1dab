import { setTimeout as wait } from 'node:timers/promises';
import { continuesOver, isOfMessage } from '#domain/ledger-reasons.ts';
import { isSkipForRecipient, reasonWhereLast } from '#domain/may-be-sent.ts';
import { type Settled, settle, settleDeferred } from '#domain/settle.ts';
import { type Deferral, type Fallback, type LiveDelivery, isFinal } from '#engine/run/live-delivery.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import type { Sent } from '#engine/execution/send.ts';
import type { FinishRow, OutcomeRow } from '#engine/run/run-result.ts';
import type { EngineStore } from '#engine/store.ts';
import { type Clock, neverAborts } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Outcome = OutcomeRow & { run: JobRun };

/** Reported for each delivery after the commit, such as to print the line in the terminal at the first start. */
export type Recorded = { run: JobRun; delivery: LiveDelivery; settled: Settled };

export type Recorder = {
  /** Takes the outcome of one attempt. It is durable with the next flush. */
  record(run: JobRun, delivery: LiveDelivery, sent: Sent): void;
  /** Takes a delivery whose attempt could not be made now. It is deferred, unless it expires first. */
  defer(run: JobRun, delivery: LiveDelivery, later: Deferral): void;
  /** Ends or postpones a run with nothing in flight or queued. The last run of a claim ends the claim. */
  finish(run: JobRun, options: { endsClaim: boolean }): void;
  /** Resolves when everything taken so far is committed. */
  drain(): Promise<void>;
};

/** The end of a run; `row` is null when another worker ends the job. */
type Finish = { workspaceId: string; row: FinishRow | null; endedClaim: string | null };

type Batch = { outcomes: Outcome[]; finishes: Finish[] };

const runKey = (claimId: string, jobId: string) => `${claimId} ${jobId}`;

const firstDelayMs = 50;
const maxBatch = 2_000;
const fullBatch = 512;

/**
 * The product's `gatherMs`. A mail server's answers arrive one by one, and committing each costs more than sending it.
 */
export const usualGatherMs = 30;

/**
 * The only writer of outcomes. One flush runs at a time. What arrives meanwhile forms the next batch, so batches grow
 * with load and a single outcome is written at once. Under load, a flush begins `gatherMs` after the last one began, or
 * once its batch is large enough.
 */
export function createRecorder(deps: {
  /** Called when jobs were put back into the queue, for a time that the dispatcher does not know yet. */
  onPostponed: () => void;
  store: EngineStore;
  clock: Clock;
  random: () => number;
  log: Log;
  onRecorded?: (recorded: Recorded) => void;
  /** Called with the error of each write that failed and is tried again, and with null once one succeeds after that. */
  onWrite?: ((failure: unknown) => void) | undefined;
  /** For how long results are gathered, in monotonic milliseconds: the clock may be set meanwhile. */
  gatherMs: number;
}): Recorder {
  const outcomes: Outcome[] = [];
  const finishes: Finish[] = [];
  /** Claims and runs that are left to their lease and the rescuer, because a write or a query failed. */
  const abandoned = new Set<string>();
  let flushing: Promise<void> | null = null;
  let readMs: number | null = null;

  /** Answers that arrive together share one reading of the clock, which costs more than settling one of them. */
  function nowMs(): number {
    if (readMs !== null) return readMs;
    setImmediate(() => {
      readMs = null;
    });
    return (readMs = deps.clock.epochMs());
  }

  function schedule(): void {
    flushing ??= flushAll().finally(() => {
      flushing = null;
      if (outcomes.length + finishes.length > 0) schedule();
    });
  }

  async function flushAll(): Promise<void> {
    for (let begunAt = Number.NEGATIVE_INFINITY; outcomes.length + finishes.length > 0; ) {
      await gather();
      await gatherUntil(begunAt + deps.gatherMs);
      begunAt = performance.now();
      const batch = {
        outcomes: outcomes.splice(0, maxBatch),
        finishes: outcomes.length === 0 ? finishes.splice(0, maxBatch) : [],
      };
      await commitUntilDone(batch);
      if (batch.finishes.some(({ row }) => row?.status === 'pending')) deps.onPostponed();
      for (const row of batch.outcomes) deps.onRecorded?.(row);
    }
  }

  /** Yields to the event loop as long as more arrives, so that what arrives together is written together. */
  async function gather(): Promise<void> {
    for (let before = 0; outcomes.length > before && outcomes.length < fullBatch; ) {
      before = outcomes.length;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  async function gatherUntil(at: number): Promise<void> {
    const ms = at - performance.now();
    if (ms > 0 && outcomes.length < fullBatch) await wait(ms);
  }

  /** A known outcome must reach the ledger, so this waits for a database that is away. */
  async function commitUntilDone(batch: Batch): Promise<void> {
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, 5_000)) {
      try {
        await commit(batch);
        if (delayMs > firstDelayMs) deps.onWrite?.(null);
        deps.log.debug({ outcomes: batch.outcomes.length, jobs: batch.finishes.length }, 'outcomes were recorded');
        return;
      } catch (error) {
        if (isRefusedByData(error)) return commitApart(batch, error);
        deps.onWrite?.(error);
        deps.log.error({ error: String(error) }, 'recording outcomes failed; trying again');
        await deps.clock.sleepUntil(deps.clock.now().add({ milliseconds: delayMs }), neverAborts);
      }
    }
  }

  /**
   * One row that the database refuses must not block the others. It is found by halving the batch, and left to its
   * lease. Two of which it takes one at a time are both recorded.
   */
  async function commitApart({ outcomes: rows, finishes: ends }: Batch, error: unknown): Promise<void> {
    if (rows.length + ends.length === 1) {
      for (const { run } of rows) abandoned.add(run.claimId).add(runKey(run.claimId, run.job.id));
      for (const { row } of ends) if (row !== null) abandoned.add(row.claimId);
      const [job] = [...rows.map(({ run }) => run.job.id), ...ends.map(({ row }) => row?.jobId)];
      deps.log.error({ error: String(error), job }, 'an outcome cannot be recorded');
      return;
    }
    const [half, endHalf] = [Math.ceil(rows.length / 2), rows.length > 0 ? 0 : Math.ceil(ends.length / 2)];
    await commitUntilDone({ outcomes: rows.slice(0, half), finishes: ends.slice(0, endHalf) });
    await commitUntilDone({ outcomes: rows.slice(half), finishes: ends.slice(endHalf) });
  }

  const isAbandoned = ({ claimId, jobId }: FinishRow) => abandoned.size > 0 && abandoned.has(runKey(claimId, jobId));

  const commit = (batch: Batch) =>
    deps.store.record({
      now: deps.clock.now(),
      outcomes: batch.outcomes,
      finishes: batch.finishes.flatMap(({ row }) => (row === null || isAbandoned(row) ? [] : [row])),
      endedClaims: batch.finishes.flatMap(({ endedClaim: id }) => (id === null || abandoned.has(id) ? [] : [id])),
      workspaceIds: [
        ...new Set([
          ...batch.outcomes.map(({ run }) => run.job.workspace_id),
          ...batch.finishes.map(({ workspaceId }) => workspaceId),
        ]),
      ],
    });

  function take(row: Outcome, fallback: Fallback | undefined): void {
    const { run, settled } = row;
    const follows = fallback !== undefined && !run.isOver(nowMs()) ? fallback : null;
    const { status, code, reason } = settled;
    const isForbidden = run.isForbidden({ status, reason_code: code });
    const isFallingBack = status === 'failed' || isForbidden;
    if (follows !== null && isFallingBack && code !== null && reason !== null && !isOfMessage(code)) {
      // The row stays open when the next channel is tried: for the recipient, nothing has ended yet.
      const ended = continuesOver({ code, reason }, follows.next);
      settled.reason = ended.reason;
      settled.params = ended.params ?? null;
      run.fallBack(row, ended);
    } else {
      if (isForbidden && code !== null && isSkipForRecipient(code)) {
        const last = reasonWhereLast(code, { channel: row.delivery.channel, isRequired: run.isRequired });
        settled.reason = last.reason;
        settled.params = last.params ?? null;
      }
      run.countOutcome(row);
    }
    // The next claim begins the next channel, or closes rows that a retry opened and that are not needed.
    if (follows !== null && (run.isFallingBack || (follows.hasSpare && isFinal(settled.status))))
      run.nextAttemptBy(nowMs());
    outcomes.push(row);
    schedule();
  }

  return {
    record(run, delivery, sent) {
      const { channel, attempts: attempt, unknowns } = delivery;
      const fallback = run.fallbackOf(delivery);
      const isLimited = fallback !== undefined && unknowns === 0 && sent.outcome.outcome !== 'unknown';
      const settled = settle(sent.outcome, {
        channel,
        attempt,
        unknowns,
        nowMs: nowMs(),
        expiresAtMs: isLimited ? fallback.untilMs : run.expiresAtMs,
        hasFallback: isLimited,
        random: deps.random(),
        prefersMiss: run.sender.prefersMiss,
        opensAtMs: opensAtMs(run, delivery),
      });
      const { provider, channelId, contentHash } = sent;
      const beganAt = settled.status === 'skipped' ? null : run.startedAt;
      const { job, claimId } = run;
      take({ run, job, claimId, delivery, settled, provider, channelId, contentHash, beganAt }, fallback);
    },
    defer(run, delivery, later) {
      const { unknowns } = delivery;
      const fallback = unknowns === 0 ? run.fallbackOf(delivery) : undefined;
      const settled = settleDeferred(later, {
        expiresAtMs: fallback?.untilMs ?? run.expiresAtMs,
        unknowns,
        hasFallback: fallback !== undefined,
        opensAtMs: opensAtMs(run, delivery),
      });
      const { job, claimId } = run;
      take({ run, job, claimId, delivery, settled, ...nothingSent }, fallback);
    },
    finish(run, { endsClaim }) {
      const row = run.result();
      // The claim may still own its job, so the lease has to run out.
      if (run.isLost) abandoned.add(run.claimId);
      finishes.push({ workspaceId: run.job.workspace_id, row, endedClaim: endsClaim ? run.claimId : null });
      schedule();
    },
    async drain() {
      while (flushing !== null) await flushing;
    },
  };
}

/**
 * SQLSTATE classes 21 (two outcomes of one message in a batch, where a fail-over has lost the claim that the first was sent under), 22 (data),
 * 23 (constraint) and 54 (limit): trying the same rows again cannot help.
 */
const isRefusedByData = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(21|22|23|54)/.test(String(error.code));

const nothingSent = { provider: null, channelId: null, contentHash: null, beganAt: null };

/** When a message that is due then may be sent; undefined when the run has no sending hours. */
const opensAtMs = ({ hours }: JobRun, delivery: LiveDelivery) =>
  hours === null ? undefined : (dueMs: number) => hours.deferralOf(delivery, dueMs)?.atMs ?? dueMs;
