import { setTimeout as wait } from 'node:timers/promises';
import { resultOf } from '#domain/job-state.ts';
import { type Settled, settle, settlePutOff } from '#domain/settle.ts';
import { comeBackAt, ledgerKey } from '#engine/ledger.ts';
import { isFinal, isFirstClaim, type LiveDelivery, type Run, type Step } from '#engine/run.ts';
import type { Sent } from '#engine/send.ts';
import { waitsForHours } from '#engine/hours.ts';
import { waitsForTurn } from '#engine/pace.ts';
import type { EngineStore, FinishRow, OutcomeRow } from '#engine/store.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Outcome = OutcomeRow & { run: Run };

/** What the recorder tells of each delivery once it is committed; the terminal's line of the first start comes from here. */
export type Recorded = { run: Run; delivery: LiveDelivery; settled: Settled };

export type Recorder = {
  /** Takes the outcome of one attempt; it is durable with the next flush. */
  record(run: Run, delivery: LiveDelivery, sent: Sent): void;
  /** An attempt that could not be made now: it is made later, if there is a later for it. */
  putOff(run: Run, delivery: LiveDelivery, later: { at: Temporal.Instant; reason: string }): void;
  /** Ends or postpones a run of which nothing is in flight or queued; with the last of a claim the claim ends. */
  finish(run: Run, options: { endsClaim: boolean }): void;
  /** Resolves when everything taken so far is committed. */
  drain(): Promise<void>;
};

/** Null in a finish: another worker ends the job. */
type Finish = { workspaceId: string; row: FinishRow | null; endedClaim: string | null };

type Batch = { outcomes: Outcome[]; finishes: Finish[] };

const runKey = (claimId: string, jobId: string) => `${claimId} ${jobId}`;

const maxBatch = 1_000;
const worthAFlush = 256;

/** What the product gathers for: a mail server's answers come one by one, and to commit each costs more than to send it. */
export const usualGatherMs = 15;

const never = new AbortController().signal;

/**
 * The only writer of outcomes. One flush is under way at a time; what arrives meanwhile makes the next batch, so that
 * batches grow with load and a lone outcome is written at once. While more comes in, a flush begins `gatherMs` after the
 * last one did, or once it is worth it.
 */
export function createRecorder(deps: {
  /** Jobs were put back into the queue, for a time that nobody sleeps towards yet. */
  onPostponed: () => void;
  store: EngineStore;
  clock: Clock;
  random: () => number;
  log: Log;
  onRecorded?: (recorded: Recorded) => void;
  /** In the machine's time, whatever the clock says. */
  gatherMs: number;
}): Recorder {
  const outcomes: Outcome[] = [];
  const finishes: Finish[] = [];
  /** Claims, and runs of theirs, that are left to their lease, and to the rescuer: something could not be recorded or asked. */
  const spoiled = new Set<string>();
  let flushing: Promise<void> | null = null;
  /** Answers that come in together came in at one time: to ask the clock for each costs more than to settle it. */
  let now: Temporal.Instant | null = null;

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
      now = null;
      const batch = {
        outcomes: outcomes.splice(0, maxBatch),
        finishes: outcomes.length === 0 ? finishes.splice(0, maxBatch) : [],
      };
      await commitUntilDone(batch);
      if (batch.finishes.some(({ row }) => row?.status === 'pending')) deps.onPostponed();
      for (const row of batch.outcomes) deps.onRecorded?.(row);
    }
  }

  /** Turns of the event loop, as long as each brings more: what comes in together is written together. */
  async function gather(): Promise<void> {
    for (let before = 0; outcomes.length > before && outcomes.length < worthAFlush; ) {
      before = outcomes.length;
      now = null;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  async function gatherUntil(at: number): Promise<void> {
    const ms = at - performance.now();
    if (ms > 0 && outcomes.length < worthAFlush) await wait(ms);
  }

  /** An outcome that is known must reach the ledger: a database that is away is waited for. */
  async function commitUntilDone(batch: Batch): Promise<void> {
    for (let delayMs = 50; ; delayMs = Math.min(delayMs * 2, 5_000)) {
      try {
        return await commit(batch);
      } catch (error) {
        if (isRefusedByData(error)) return commitApart(batch, error);
        deps.log.error({ error: String(error) }, 'recording outcomes failed; trying again');
        await deps.clock.sleepUntil(deps.clock.now().add({ milliseconds: delayMs }), never);
      }
    }
  }

  /** One row that the database will never take must not hold up the others: it is found by halving, and left to its lease. */
  async function commitApart({ outcomes: rows, finishes: ends }: Batch, error: unknown): Promise<void> {
    if (rows.length + ends.length === 1) {
      for (const { run } of rows) spoiled.add(run.claimId).add(runKey(run.claimId, run.job.id));
      for (const { row } of ends) if (row !== null) spoiled.add(row.claimId);
      const [job] = [...rows.map(({ run }) => run.job.id), ...ends.map(({ row }) => row?.jobId)];
      deps.log.error({ error: String(error), job }, 'an outcome cannot be recorded');
      return;
    }
    const [half, endHalf] = [Math.ceil(rows.length / 2), rows.length > 0 ? 0 : Math.ceil(ends.length / 2)];
    await commitUntilDone({ outcomes: rows.slice(0, half), finishes: ends.slice(0, endHalf) });
    await commitUntilDone({ outcomes: rows.slice(half), finishes: ends.slice(endHalf) });
  }

  const commit = (batch: Batch) =>
    deps.store.record({
      now: deps.clock.now(),
      outcomes: batch.outcomes,
      finishes: batch.finishes.flatMap(({ row }) =>
        row === null || spoiled.has(runKey(row.claimId, row.jobId)) ? [] : [row],
      ),
      endedClaims: batch.finishes.flatMap(({ endedClaim: id }) => (id === null || spoiled.has(id) ? [] : [id])),
      workspaceIds: [
        ...new Set([
          ...batch.outcomes.map(({ run }) => run.job.workspace_id),
          ...batch.finishes.map(({ workspaceId }) => workspaceId),
        ]),
      ],
    });

  function take(run: Run, { step, ...outcome }: Omit<Outcome, 'run' | 'job' | 'claimId'> & { step?: Step }): void {
    const follows = step !== undefined && isBefore((now ??= deps.clock.now()), run.expiresAt) ? step : null;
    if (follows !== null && outcome.settled.status === 'failed') goOn(run, { settled: outcome.settled, step: follows });
    else count(run, outcome);
    // The next claim begins with the next channel, or closes what a retry opened for those that are not needed.
    if (follows !== null && (run.goesOn || (follows.hasSpare && isFinal(outcome.settled.status))))
      run.nextAttemptAt = now;
    outcomes.push({ run, job: run.job, claimId: run.claimId, ...outcome });
    schedule();
  }

  return {
    record(run, delivery, sent) {
      const { channel, attempts: attempt, unknowns } = delivery;
      const step = stepOf(run, delivery);
      const isLimited = step !== undefined && unknowns === 0 && sent.outcome.outcome !== 'unknown';
      const settled = settle(sent.outcome, {
        channel,
        attempt,
        unknowns,
        now: (now ??= deps.clock.now()),
        expiresAt: isLimited ? step.until : run.expiresAt,
        hasOtherWay: isLimited,
        random: deps.random(),
        prefersMiss: run.prefersMiss,
        opensAt: opensAt(run, delivery),
      });
      const { provider, channelId, contentHash } = sent;
      const beganAt = settled.status === 'skipped' ? null : run.startedAt;
      take(run, { delivery, settled, provider, channelId, contentHash, beganAt, step });
    },
    putOff(run, delivery, later) {
      const { unknowns } = delivery;
      const step = unknowns === 0 ? stepOf(run, delivery) : undefined;
      const expiresAt = step?.until ?? run.expiresAt;
      const settled = settlePutOff(later, {
        expiresAt,
        unknowns,
        hasOtherWay: step !== undefined,
        opensAt: opensAt(run, delivery),
      });
      take(run, { delivery, settled, provider: null, channelId: null, contentHash: null, beganAt: null, step });
    },
    finish(run, { endsClaim }) {
      const row = run.isLost ? null : resultRow(run);
      // Its job may still be held by the claim, which then has to run out.
      if (run.isLost) spoiled.add(run.claimId);
      finishes.push({ workspaceId: run.job.workspace_id, row, endedClaim: endsClaim ? run.claimId : null });
      schedule();
    },
    async drain() {
      while (flushing !== null) await flushing;
    },
  };
}

/** SQLSTATE classes 22 (data), 23 (constraint) and 54 (limit): trying the same rows again cannot help. */
const isRefusedByData = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(22|23|54)/.test(String(error.code));

/** When what is due then may go out, where the run has hours for that. */
const opensAt = ({ hours }: Run, delivery: LiveDelivery) =>
  hours === null ? undefined : (due: Temporal.Instant) => hours.holdOf(delivery, due)?.at ?? due;

/** Of channels that are tried in order, whatever another one follows. */
const stepOf = (run: Run, delivery: LiveDelivery): Step | undefined =>
  run.steps.size === 0 ? undefined : run.steps.get(ledgerKey(delivery));

/** To the recipient nothing has ended yet. */
function goOn(run: Run, { settled, step }: { settled: Settled; step: Step }): void {
  settled.reason = `${settled.reason}; goes on over ${step.next}`;
  run.lastFailure = settled.reason;
  run.goesOn = true;
}

const isBefore = (one: Temporal.Instant, other: Temporal.Instant) => Temporal.Instant.compare(one, other) < 0;

function count(run: Run, { settled, beganAt }: Pick<Outcome, 'settled' | 'beganAt'>): void {
  if (beganAt !== null) run.attempted += 1;
  if (settled.status === 'skipped') run.lastSkip = settled.reason;
  else if (settled.reason !== null) run.lastFailure = settled.reason;
  if (settled.status === 'waiting' && settled.isUnknown) run.isUncertain = true;
  if (settled.status !== 'waiting') run.tally[settled.status] = (run.tally[settled.status] ?? 0) + 1;
  else if (settled.nextAttemptAt !== null) comeBackAt(run, settled.nextAttemptAt);
}

function resultRow(run: Run): FinishRow {
  const { job, claimId, startedAt, attempted } = run;
  const logs = { attempt: job.attempts, attempted, ...lateness(run), ...run.tally };
  const row = { jobId: job.id, claimId, startedAt };
  if (run.nextAttemptAt !== null) {
    const reason = run.lastFailure ?? 'no reason given';
    const message = isWait(reason) ? reason : `Will be tried again: ${reason}`;
    const open = run.isUncertain ? 'unknown' : run.goesOn ? 'failed' : 'skipped';
    const ifStopped = resultOf({ ...run.tally, [open]: 1 }, { reason: null }).status;
    return {
      ...row,
      status: 'pending',
      ifStopped,
      runAt: run.nextAttemptAt,
      message,
      logs: attempted === 0 ? null : logs,
    };
  }
  const hasFailed = run.tally.failed !== undefined || run.tally.unknown !== undefined;
  const { status, message } = resultOf(run.tally, { reason: hasFailed ? run.lastFailure : run.lastSkip });
  return { ...row, status, ifStopped: status, runAt: null, message, logs };
}

const isWait = (reason: string) => reason.startsWith(waitsForHours) || reason.startsWith(waitsForTurn);

const lateMs = 60_000;

/** How late a first run began, where that is worth a word. */
function lateness({ job, startedAt, scheduledFor }: Run): { late_seconds?: number } {
  const behindMs = startedAt.epochMilliseconds - scheduledFor.epochMilliseconds;
  return isFirstClaim(job) && behindMs >= lateMs ? { late_seconds: Math.round(behindMs / 1000) } : {};
}
