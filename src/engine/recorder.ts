import type { Pool } from 'pg';
import { resultOf } from '#domain/job-state.ts';
import { type Settled, settle } from '#domain/settle.ts';
import { plainColumn } from '#engine/columns.ts';
import * as sql from '#engine/record.sql.ts';
import type { LiveDelivery, Run } from '#engine/run.ts';
import type { Sent } from '#engine/send.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type OutcomeRow = { run: Run; delivery: LiveDelivery; sent: Sent; settled: Settled };
type FinishRow = { run: Run; status: string; runAt: string | null; message: string | null };

/** What the recorder tells of each delivery once it is committed; the terminal's line of the first start comes from here. */
export type Recorded = { run: Run; delivery: LiveDelivery; settled: Settled };

export type Recorder = {
  /** Takes the outcome of one attempt; it is durable with the next flush. */
  record(run: Run, delivery: LiveDelivery, sent: Sent): void;
  /** Ends or postpones a run of which nothing is in flight or queued. Resolves when that is committed. */
  finish(run: Run): void;
  /** Resolves when everything taken so far is committed. */
  drain(): Promise<void>;
};

type Batch = { outcomes: OutcomeRow[]; finishes: FinishRow[] };

const maxBatch = 1_000;
const never = new AbortController().signal;

/**
 * The only writer of outcomes. One flush is under way at a time; what arrives meanwhile makes the next batch, so that
 * batches grow with load and a lone outcome is written at once.
 */
export function createRecorder(deps: {
  /** Jobs were put back into the queue, for a time that nobody sleeps towards yet. */
  onPostponed: () => void;
  pool: Pool;
  clock: Clock;
  random: () => number;
  log: Log;
  onRecorded?: (recorded: Recorded) => void;
}): Recorder {
  const outcomes: OutcomeRow[] = [];
  const finishes: FinishRow[] = [];
  let flushing: Promise<void> | null = null;

  function schedule(): void {
    flushing ??= flushAll().finally(() => {
      flushing = null;
      if (outcomes.length + finishes.length > 0) schedule();
    });
  }

  async function flushAll(): Promise<void> {
    // One turn of the event loop, so that answers that arrived together are written together.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (outcomes.length + finishes.length > 0) {
      const batch = {
        outcomes: outcomes.splice(0, maxBatch),
        finishes: outcomes.length === 0 ? finishes.splice(0, maxBatch) : [],
      };
      await commitUntilDone(batch);
      if (batch.finishes.some(({ status }) => status === 'pending')) deps.onPostponed();
      for (const row of batch.outcomes) deps.onRecorded?.(row);
    }
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
      const [job] = [...rows, ...ends].map(({ run }) => run.job.id);
      deps.log.error({ error: String(error), job }, 'an outcome cannot be recorded');
      return;
    }
    const [half, endHalf] = [Math.ceil(rows.length / 2), rows.length > 0 ? 0 : Math.ceil(ends.length / 2)];
    await commitUntilDone({ outcomes: rows.slice(0, half), finishes: ends.slice(0, endHalf) });
    await commitUntilDone({ outcomes: rows.slice(half), finishes: ends.slice(endHalf) });
  }

  async function commit(batch: Batch): Promise<void> {
    const now = deps.clock.now().toString();
    const client = await deps.pool.connect();
    let isBroken = true;
    try {
      // Sent together and answered in this order: one round trip, and the end of the transaction waits for nobody.
      const [, , finished] = await Promise.all([
        client.query('begin'),
        batch.outcomes.length > 0 &&
          client.query({ ...sql.recordOutcomes, values: outcomeColumns(batch.outcomes, now) }),
        batch.finishes.length > 0 &&
          client.query<{ id: string }>({ ...sql.finishJobs, values: finishColumns(batch.finishes, now) }),
        client.query(sql.tellScreens([...batch.outcomes, ...batch.finishes].map(({ run }) => run.job.workspace_id))),
        client.query('commit'),
      ]);
      const ended = new Set(finished ? finished.rows.map((row) => row.id) : []);
      const others = batch.finishes.filter(({ run }) => !ended.has(run.job.id)).map(({ run }) => run.job.id);
      // Where this fails the batch is tried again: what it has written already stays as it is.
      if (others.length > 0) await client.query({ ...sql.skipCancelled, values: [others, now] });
      isBroken = false;
    } finally {
      client.release(isBroken);
    }
  }

  return {
    record(run, delivery, sent) {
      const { channel, attempts: attempt, unknowns } = delivery;
      const settled = settle(sent.outcome, {
        channel,
        attempt,
        unknowns,
        now: deps.clock.now(),
        expiresAt: run.expiresAt,
        random: deps.random(),
      });
      count(run, settled);
      outcomes.push({ run, delivery, sent, settled });
      schedule();
    },
    finish(run) {
      finishes.push(resultRow(run));
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

function count(run: Run, settled: Settled): void {
  run.attempted += 1;
  if (settled.status === 'skipped') run.lastSkip = settled.reason;
  else if (settled.reason !== null) run.lastFailure = settled.reason;
  if (settled.status !== 'waiting') run.tally[settled.status] = (run.tally[settled.status] ?? 0) + 1;
  else if (
    settled.nextAttemptAt !== null &&
    (run.nextAttemptAt === null || Temporal.Instant.compare(settled.nextAttemptAt, run.nextAttemptAt) < 0)
  ) {
    run.nextAttemptAt = settled.nextAttemptAt;
  }
}

function resultRow(run: Run): FinishRow {
  if (run.nextAttemptAt !== null) {
    return {
      run,
      status: 'pending',
      runAt: run.nextAttemptAt.toString(),
      message: `Will be tried again: ${run.lastFailure ?? 'no reason given'}`,
    };
  }
  const hasFailed = run.tally.failed !== undefined || run.tally.unknown !== undefined;
  const { status, message } = resultOf(run.tally, { reason: hasFailed ? run.lastFailure : run.lastSkip });
  return { run, status, runAt: null, message };
}

function outcomeColumns(rows: readonly OutcomeRow[], now: string): unknown[] {
  return [
    plainColumn(rows, ({ run }) => run.job.id),
    plainColumn(rows, ({ run }) => run.job.scheduled_for),
    plainColumn(rows, ({ delivery }) => delivery.channel),
    rows.map(({ delivery }) => delivery.recipient),
    plainColumn(rows, ({ delivery }) => delivery.attempts),
    plainColumn(rows, ({ settled }) => settled.status),
    rows.map(({ settled }) => settled.reason),
    plainColumn(rows, ({ sent }) => sent.channelId),
    plainColumn(rows, ({ sent }) => sent.provider),
    rows.map(({ settled }) => settled.receipt),
    rows.map(({ settled }) => settled.answer),
    plainColumn(rows, ({ sent }) => sent.contentHash),
    plainColumn(rows, ({ settled }) => settled.nextAttemptAt?.toString() ?? null),
    now,
    plainColumn(rows, ({ settled }) => (settled.isUnknown ? 1 : 0)),
  ];
}

function finishColumns(rows: readonly FinishRow[], now: string): unknown[] {
  return [
    plainColumn(rows, ({ run }) => run.job.id),
    plainColumn(rows, ({ run }) => run.job.fence),
    plainColumn(rows, ({ status }) => status),
    plainColumn(rows, ({ runAt }) => runAt),
    rows.map(({ message }) => message),
    plainColumn(rows, ({ run }) => run.startedAt.toString()),
    rows.map(({ run }) => JSON.stringify({ attempt: run.job.attempts, attempted: run.attempted, ...run.tally })),
    now,
  ];
}
