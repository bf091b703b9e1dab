import { codeOfAnswer } from '#domain/answer-codes.ts';
import { resultOf, type Tally } from '#domain/job-state.ts';
import { failedLate } from '#domain/ledger-reasons.ts';
import { expiryMsOf, occurrenceAfter } from '#domain/lifetime.ts';
import { ledgerOf, lineIn } from '#simulation/lines.ts';
import { dequeue, enqueue } from '#simulation/model-jobs.ts';
import { type Act, undelivered } from '#simulation/people.ts';
import { isoOf, type JobRow, type Tables } from '#simulation/tables.ts';

type Reported = Extract<Act, { kind: 'report' }>;

/** The model of `callbacks.service.ts`, for a report of a failure. Returns the delivery's id if the report has changed it. */
export function reportFailure(
  act: Reported,
  { tables, now }: { tables: Tables; now: Temporal.Instant },
): string | null {
  const job = tables.jobs.get(act.jobId);
  if (job === undefined || job.workspace_id !== act.workspaceId) return null;
  const row = lineIn(tables, { job, ...act });
  if (row === undefined || (row.status !== 'accepted' && row.status !== 'unknown')) return null;
  const reason_code = codeOfAnswer(row.channel, { reason: undelivered, answer: null });
  Object.assign(row, { status: 'failed', reason: undelivered, reason_code, reason_params: null });
  Object.assign(row, { completed_at: isoOf(now), next_attempt_at: null, has_failed_late: true });
  row.provider_id ??= act.reportId;
  if (mayGoOn(job, { tables, now })) claimAgain(job, { tables, now });
  else if (job.status === 'running') runAgain(job, { tables, now });
  else correct(job, tables);
  return row.id;
}

function mayGoOn(job: JobRow, { tables, now }: { tables: Tables; now: Temporal.Instant }): boolean {
  const reminder = job.reminder_id === null ? undefined : tables.reminders.get(job.reminder_id);
  const pausedUntil = tables.workspaces.get(job.workspace_id)?.paused_until ?? null;
  if (job.type !== 'reminder' || job.stop_reason !== null || reminder?.status !== 'active') return false;
  if (reminder.revision !== job.revision || reminder.metadata.channel_mode !== 'in_order') return false;
  if (pausedUntil !== null && pausedUntil > isoOf(now)) return false;
  const scheduledForMs = Date.parse(job.scheduled_for);
  const nextMs = occurrenceAfter({ type: job.type, schedule_config: reminder.schedule_config }, scheduledForMs);
  const begun = { begun_at: job.started_at, expires_at: job.expires_at };
  return now.epochMilliseconds < expiryMsOf({ job: begun, scheduledForMs, nextMs }, now.epochMilliseconds);
}

function claimAgain(job: JobRow, { tables, now }: { tables: Tables; now: Temporal.Instant }): void {
  switch (job.status) {
    case 'running':
      return runAgain(job, { tables, now });
    case 'pending':
      job.reason_code = null;
      if (job.run_at <= isoOf(now)) return;
      dequeue(tables, job);
      job.run_at = isoOf(now);
      return enqueue(tables, job);
    case 'completed':
    case 'failed':
      Object.assign(job, { status: 'pending', run_at: isoOf(now), error_message: failedLate, reason_code: null });
      job.completed_at = null;
      return enqueue(tables, job);
    case 'cancelled':
    case 'paused':
      return;
    default:
      job.status satisfies never;
  }
}

/** Later than its claim, by which the end of the run sees it. */
function runAgain(job: JobRow, { tables, now }: { tables: Tables; now: Temporal.Instant }): void {
  const claimed = tables.claims.get(job.claim_id ?? '')?.created_at;
  const soonest = claimed === undefined ? now : Temporal.Instant.from(claimed).add({ milliseconds: 1 });
  job.run_at = isoOf(Temporal.Instant.compare(soonest, now) > 0 ? soonest : now);
}

function correct(job: JobRow, tables: Tables): void {
  const lines = ledgerOf(tables, job);
  if (job.status !== 'completed' && job.status !== 'failed') return;
  if (lines.some(({ status }) => status === 'queued' || status === 'sending' || status === 'waiting')) return;
  const tally: Tally = {};
  for (const { status } of lines) tally[status] = (tally[status] ?? 0) + 1;
  const reasonOf = (status: string) =>
    lines
      .flatMap((row) => (row.status === status && row.reason !== null ? [row.reason] : []))
      .toSorted()
      .at(-1);
  const of = ['failed', 'unknown', 'skipped'].find((status) => lines.some((row) => row.status === status)) ?? '';
  const { status, message } = resultOf(tally, { reason: reasonOf(of) ?? null });
  if (job.status !== status || job.reason_code === null) job.error_message = message;
  if (job.status !== status) job.reason_code = null;
  job.status = status;
}
