import type { Pool } from 'pg';
import type { OutcomeRow } from '#engine/run/run-result.ts';
import type { EngineStore, RecordBatch } from '#engine/store.ts';
import { paramsColumn, plainColumn } from './columns.ts';
import { isDuplicate } from '#platform/is-duplicate.ts';
import { type EndedRun, endRunsStatement, splitEndedRuns } from './ended-runs.ts';
import * as sql from './results.sql.ts';
import { notifyClients } from './notify-clients.ts';
import { onConnection } from '#platform/transaction.ts';

/** Writes outcomes of attempts and results of runs. */
export const resultOperations = (pool: Pool): Pick<EngineStore, 'record'> => ({
  record: (batch) => record(pool, batch),
});

/**
 * Most runs end with their first attempt and are written by one statement. When one job of the batch was taken over meanwhile, or for other runs, the
 * general statements are used: they write the same rows.
 */
async function record(pool: Pool, batch: RecordBatch): Promise<void> {
  const { ended, outcomes, finishes } = splitEndedRuns(batch);
  if (ended.length === 0) return recordEach(pool, batch);
  const others = { ...batch, outcomes, finishes };
  if (!(await endRuns(pool, ended, others))) return recordEach(pool, batch);
  if (outcomes.length + finishes.length > 0) return recordEach(pool, others);
}

/** Returns false when not every run was ended by this statement. The claims end with the last of their jobs. */
async function endRuns(
  pool: Pool,
  ended: readonly EndedRun[],
  { now, outcomes, finishes, endedClaims, workspaceIds }: RecordBatch,
): Promise<boolean> {
  // Locks the jobs in the order that the services use, to avoid deadlocks.
  const inOrder = ended.toSorted((a, b) => (a.finish.jobId < b.finish.jobId ? -1 : 1));
  try {
    return await onConnection(pool, async (client) => {
      const [, , { rowCount }] = await Promise.all([
        client.query('begin'),
        client.query(withoutWebhooks(workspaceIds)),
        client.query(endRunsStatement(inOrder, now.toString())),
      ]);
      const isEvery = rowCount === ended.length;
      const isLast = isEvery && outcomes.length + finishes.length === 0;
      await Promise.all([
        isLast && endedClaims.length > 0 && client.query({ ...sql.endClaims, values: [endedClaims] }),
        client.query(notifyClients(workspaceIds)),
        client.query('commit'),
      ]);
      return isEvery;
    });
  } catch (error) {
    // A recipient has a ledger row already: the statements for every case decide what becomes of it.
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Where no workspace of the transaction has a webhook, tells the triggers so, which then do not ask for each row. */
const withoutWebhooks = (workspaceIds: readonly string[]) => ({ ...sql.withoutWebhooks, values: [workspaceIds] });

async function recordEach(pool: Pool, batch: RecordBatch): Promise<void> {
  const now = batch.now.toString();
  await onConnection(pool, async (client) => {
    const [, , , finished] = await Promise.all([
      client.query('begin'),
      client.query(withoutWebhooks(batch.workspaceIds)),
      batch.outcomes.length > 0 && client.query(outcomeStatement(batch.outcomes, batch.now)),
      // Locks the jobs in the order that the services use, to avoid deadlocks.
      batch.finishes.length > 0 &&
        client.query<{ id: string }>(
          finishStatement(
            batch.finishes.toSorted((a, b) => (a.jobId < b.jobId ? -1 : 1)),
            now,
          ),
        ),
      batch.endedClaims.length > 0 && client.query({ ...sql.endClaims, values: [batch.endedClaims] }),
      client.query(notifyClients(batch.workspaceIds)),
      client.query('commit'),
    ]);
    const ended = new Set(finished ? finished.rows.map((row) => row.id) : []);
    const others = batch.finishes.filter(({ jobId }) => !ended.has(jobId)).map(({ jobId }) => jobId);
    // If this fails, the batch is tried again; rows that it has already written stay.
    if (others.length === 0) return;
    const { rowCount } = await client.query({ ...sql.skipCancelled, values: [others, now] });
    if (rowCount !== 0) await client.query(notifyClients(batch.workspaceIds));
  });
}

export const outcomeStatement = (rows: readonly OutcomeRow[], now: Temporal.Instant) => ({
  ...sql.recordOutcomes,
  values: [
    now.toString(),
    plainColumn(rows, ({ delivery }) => delivery.id),
    plainColumn(rows, ({ job }) => job.id),
    plainColumn(rows, ({ delivery }) => delivery.channel),
    rows.map(({ delivery }) => delivery.recipient),
    rows.map(({ delivery }) => delivery.recipient_name),
    plainColumn(rows, ({ delivery }) => delivery.attempts),
    plainColumn(rows, ({ settled }) => settled.status),
    rows.map(({ settled }) => settled.reason),
    plainColumn(rows, ({ channelId }) => channelId),
    plainColumn(rows, ({ provider }) => provider),
    rows.map(({ settled }) => settled.receipt),
    rows.map(({ settled }) => settled.answer),
    plainColumn(rows, ({ contentHash }) => contentHash),
    plainColumn(rows, ({ beganAt }) => beganAt?.toString() ?? null),
    plainColumn(rows, ({ settled }) => settled.nextAttemptAt?.toString() ?? null),
    plainColumn(rows, ({ settled }) => (settled.isUnknown ? 1 : 0)),
    plainColumn(rows, ({ claimId }) => claimId),
    plainColumn(rows, ({ settled }) => settled.code),
    paramsColumn(rows, ({ settled }) => settled.params),
  ],
});

const finishStatement = (rows: RecordBatch['finishes'], now: string) => ({
  ...sql.finishJobs,
  values: [
    plainColumn(rows, (row) => row.jobId),
    plainColumn(rows, (row) => row.claimId),
    plainColumn(rows, (row) => row.status),
    plainColumn(rows, (row) => row.runAt?.toString() ?? null),
    rows.map((row) => row.message),
    plainColumn(rows, (row) => row.startedAt.toString()),
    rows.map((row) => (row.logs === null ? null : JSON.stringify(row.logs))),
    now,
    plainColumn(rows, (row) => row.ifStopped),
    plainColumn(rows, (row) => row.code),
    plainColumn(rows, (row) => row.rows),
  ],
});
