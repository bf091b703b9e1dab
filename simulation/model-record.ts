import { jobWasCancelled } from '#domain/ledger-reasons.ts';
import type { FinishRow, OutcomeRow } from '#engine/run/run-result.ts';
import type { RecordBatch } from '#engine/store.ts';
import { ledgerOf, lineIn, newLine, putLine, skipLines } from '#simulation/lines.ts';
import { enqueue } from '#simulation/model-jobs.ts';
import { isoOf, type JobRow, refusedByDatabase, type Tables } from '#simulation/tables.ts';

/** Outcomes and results. The last part cleans up after a cancel and is a transaction of its own. */
export function record(tables: Tables, batch: RecordBatch): void {
  recordOutcomes(tables, batch);
  const finished = finishJobs(tables, batch);
  for (const id of batch.endedClaims) if (!isNamed(tables, id)) tables.claims.delete(id);
  for (const { jobId } of batch.finishes) if (!finished.has(jobId)) closeCancelled(tables, { jobId, now: batch.now });
}

/** By a job that runs, or one that was cancelled with an attempt under way. */
const isNamed = (tables: Tables, claimId: string) =>
  tables.claims.get(claimId)?.job_ids.some((id) => {
    const job = tables.jobs.get(id);
    if (job?.status !== 'cancelled') return job?.claim_id === claimId;
    return ledgerOf(tables, job).some(({ status }) => status === 'sending');
  }) === true;

/** Skips the waiting rows of a cancelled job. */
export function closeCancelled(tables: Tables, { jobId, now }: { jobId: string; now: Temporal.Instant }): void {
  const job = tables.jobs.get(jobId);
  if (job?.status !== 'cancelled') return;
  const { error_message: reason, reason_code: code } = job;
  skipLines(ledgerOf(tables, job), { ...(reason === null ? jobWasCancelled : { reason, code }), now });
}

/** All or nothing: a batch that would fail halfway is refused before anything is written. */
export function recordOutcomes(tables: Tables, { outcomes, now }: Pick<RecordBatch, 'outcomes' | 'now'>): void {
  const touched = new Set<string>();
  const writes = outcomes.flatMap((outcome) => {
    const job = tables.jobs.get(outcome.job.id);
    if (job === undefined || !isHeard(outcome, { job, tables })) return [];
    const { channel, recipient } = outcome.delivery;
    const line = `${job.id} ${channel} ${recipient}`;
    const row = lineIn(tables, { job, channel, recipient });
    if (touched.has(line))
      throw refusedByDatabase('21000', 'ON CONFLICT DO UPDATE command cannot affect row a second time');
    const isTaken =
      row === undefined || isForAttempt(row, outcome) || (isOwned(job, outcomes) && isWithoutBeginning(row, outcome));
    if (!isTaken) return [];
    touched.add(line);
    return [{ job, row, outcome }];
  });
  for (const { job, row, outcome } of writes) {
    const written = writtenFor(outcome, now);
    if (row !== undefined) {
      const unknowns = row.unknowns + written.unknowns;
      const beganAt = outcome.beganAt === null ? null : isoOf(outcome.beganAt);
      if (row.attempts < written.attempts) row.last_attempt_at = beganAt;
      Object.assign(row, {
        ...written,
        unknowns,
        has_failed_late: row.status === 'unknown' && written.status === 'failed',
      });
      row.first_attempt_at = written.attempts === 0 ? null : (row.first_attempt_at ?? beganAt);
      continue;
    }
    const { id, channel, recipient, recipient_name } = outcome.delivery;
    const beganAt = outcome.beganAt === null ? null : isoOf(outcome.beganAt);
    putLine(
      tables,
      newLine({
        id,
        channel,
        recipient,
        recipient_name,
        ...written,
        workspace_id: job.workspace_id,
        job_id: job.id,
        scheduled_for: job.scheduled_for,
        first_attempt_at: beganAt,
        last_attempt_at: beganAt,
      }),
    );
  }
}

const isHeard = ({ claimId, settled: { status } }: OutcomeRow, { job, tables }: { job: JobRow; tables: Tables }) =>
  job.claim_id === claimId ||
  status === 'accepted' ||
  status === 'delivered' ||
  (job.status === 'cancelled' && tables.claims.has(claimId));

function isForAttempt(row: { attempts: number; status: string }, { delivery, settled }: OutcomeRow): boolean {
  if (row.attempts !== delivery.attempts) return false;
  const isServed = settled.status === 'accepted' || settled.status === 'delivered';
  const isKnown = settled.status !== 'unknown' && settled.status !== 'waiting';
  return row.status === 'sending' || (row.status === 'unknown' && isKnown) || (row.status === 'waiting' && isServed);
}

const isOwned = (job: JobRow, outcomes: readonly OutcomeRow[]) =>
  outcomes.some(({ claimId }) => claimId === job.claim_id);

/** Whether the database has lost that this attempt began. */
const isWithoutBeginning = (row: { attempts: number; status: string }, { delivery, beganAt }: OutcomeRow) =>
  beganAt !== null && row.attempts === delivery.attempts - 1 && (row.status === 'queued' || row.status === 'waiting');

const writtenFor = (
  { delivery, settled, beganAt, channelId, provider, contentHash }: OutcomeRow,
  now: Temporal.Instant,
) => ({
  status: settled.status,
  attempts: delivery.attempts - (beganAt === null ? 1 : 0),
  unknowns: settled.isUnknown ? 1 : 0,
  reason: settled.reason,
  reason_code: settled.code,
  reason_params: settled.params,
  channel_id: channelId,
  provider,
  provider_id: settled.receipt,
  provider_answer: settled.answer,
  content_hash: contentHash,
  next_attempt_at: settled.nextAttemptAt === null ? null : isoOf(settled.nextAttemptAt),
  completed_at: settled.status === 'waiting' ? null : isoOf(now),
});

function finishJobs(tables: Tables, { finishes, now }: Pick<RecordBatch, 'finishes' | 'now'>): ReadonlySet<string> {
  const finished = new Set<string>();
  for (const finish of finishes) {
    const job = tables.jobs.get(finish.jobId);
    if (job?.claim_id !== finish.claimId || job.status !== 'running' || !isWhole(tables, { job, finish })) continue;
    finished.add(finish.jobId);
    finishJob(tables, { job, finish, now });
  }
  return finished;
}

/** False when an outcome of the run was lost. */
function isWhole(tables: Tables, { job, finish }: { job: JobRow; finish: FinishRow }): boolean {
  const rows = ledgerOf(tables, job);
  const isLeft = ({ status }: { status: string }) =>
    status === 'sending' || (finish.status !== 'pending' && (status === 'queued' || status === 'waiting'));
  return rows.length >= finish.rows && !rows.some(isLeft);
}

/** A stopped job is not postponed. One of which a report has failed a delivery meanwhile is claimed once more. */
function finishJob(
  tables: Tables,
  { job, finish, now }: { job: JobRow; finish: FinishRow; now: Temporal.Instant },
): void {
  const isLater = finish.status === 'pending';
  const stopReason = isLater ? job.stop_reason : null;
  const isStopped = stopReason !== null;
  const hasFailedLate = job.run_at > isoOf(finish.startedAt);
  const isReported = hasFailedLate && job.stop_reason === null;
  job.status = isReported ? 'pending' : hasFailedLate ? 'failed' : isStopped ? finish.ifStopped : finish.status;
  const ranTo = isLater ? job.status : finish.status;
  job.error_message = stopReason ?? finish.message;
  if (!isStopped) job.reason_code = isReported ? null : finish.code;
  job.claim_id = null;
  job.completed_at = job.status === 'pending' ? null : isoOf(now);
  if (job.status === 'pending') {
    const runAt = finish.runAt === null ? null : isoOf(finish.runAt);
    if (isReported) job.run_at = latest(isoOf(now), runAt === null ? job.run_at : earliest(runAt, job.run_at));
    else if (runAt !== null) job.run_at = runAt;
    enqueue(tables, job);
  }
  if (isStopped) skipLines(ledgerOf(tables, job), { code: job.reason_code, reason: stopReason, now });
  if (finish.logs === null) return;
  tables.executions.push({
    workspace_id: job.workspace_id,
    job_id: job.id,
    status: ranTo === 'completed' ? 'completed' : 'failed',
    started_at: isoOf(finish.startedAt),
    completed_at: isoOf(now),
    duration_ms: now.epochMilliseconds - finish.startedAt.epochMilliseconds,
    error_message: job.error_message,
    logs: JSON.parse(JSON.stringify(finish.logs)),
  });
}

const earliest = (one: string, other: string) => (one < other ? one : other);
const latest = (one: string, other: string) => (one > other ? one : other);
