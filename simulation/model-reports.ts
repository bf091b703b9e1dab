import { codeOfAnswer } from '#domain/answer-codes.ts';
import { resultOf, type Tally } from '#domain/job-state.ts';
import { failedLate } from '#domain/ledger-reasons.ts';
import { claimAgainAtMs, expiryMsOf, occurrenceAfter } from '#domain/lifetime.ts';
import { nextChannelIn } from '#domain/reason-values.ts';
import { ledgerOf, lineIn } from '#simulation/lines.ts';
import { dequeue, enqueue } from '#simulation/model-jobs.ts';
import { type Act, undelivered } from '#simulation/people.ts';
import { type DeliveryRow, isoOf, type JobRow, type Tables } from '#simulation/tables.ts';

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
  const nowMs = now.epochMilliseconds;
  const expiresAtMs = expiryOf(job, { tables, now });
  const at = isoOf(instantOf(claimAgainAtMs({ nowMs, expiresAtMs: expiresAtMs ?? Number.POSITIVE_INFINITY })));
  if (expiresAtMs !== null && nowMs < expiresAtMs) claimAgain(job, { tables, at });
  else if (job.status === 'running') runAgain(job, { tables, at });
  else correct(job, tables);
  return row.id;
}

const instantOf = (epochMs: number) => Temporal.Instant.fromEpochMilliseconds(epochMs);

/** When the occurrence expires; null where the job may not go on. */
function expiryOf(job: JobRow, { tables, now }: { tables: Tables; now: Temporal.Instant }): number | null {
  const reminder = job.reminder_id === null ? undefined : tables.reminders.get(job.reminder_id);
  const pausedUntil = tables.workspaces.get(job.workspace_id)?.paused_until ?? null;
  if (job.type !== 'reminder' || job.stop_reason !== null || reminder?.status !== 'active') return null;
  if (reminder.revision !== job.revision || reminder.metadata.channel_mode !== 'in_order') return null;
  if (pausedUntil !== null && pausedUntil > isoOf(now)) return null;
  const scheduledForMs = Date.parse(job.scheduled_for);
  const nextMs = occurrenceAfter({ type: job.type, schedule_config: reminder.schedule_config }, scheduledForMs);
  const begun = { begun_at: job.started_at, expires_at: job.expires_at };
  return expiryMsOf({ job: begun, scheduledForMs, nextMs }, now.epochMilliseconds);
}

function claimAgain(job: JobRow, { tables, at }: { tables: Tables; at: string }): void {
  switch (job.status) {
    case 'running':
      return runAgain(job, { tables, at });
    case 'pending':
      if (job.run_at <= at) return;
      dequeue(tables, job);
      Object.assign(job, { run_at: at, reason_code: null });
      return enqueue(tables, job);
    case 'completed':
    case 'failed':
      Object.assign(job, { status: 'pending', run_at: at, error_message: failedLate, reason_code: null });
      job.completed_at = null;
      return enqueue(tables, job);
    case 'cancelled':
    case 'paused':
      return;
    default:
      job.status satisfies never;
  }
}

/** Later than its claim, by which the end of the run sees it. An earlier report has set it already. */
function runAgain(job: JobRow, { tables, at }: { tables: Tables; at: string }): void {
  const claimed = tables.claims.get(job.claim_id ?? '')?.created_at;
  if (claimed !== undefined && job.run_at > claimed && job.run_at <= at) return;
  const soonest = claimed === undefined ? at : isoOf(Temporal.Instant.from(claimed).add({ milliseconds: 1 }));
  job.run_at = soonest > at ? soonest : at;
}

function correct(job: JobRow, tables: Tables): void {
  const all = ledgerOf(tables, job);
  const lines = all.filter((row) => !isFollowed(row, all));
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

/** Whether the message continued over another channel, or this one was not needed. */
function isFollowed(row: DeliveryRow, all: readonly DeliveryRow[]): boolean {
  const next = nextChannelIn(row.reason_params);
  const others = all.filter((other) => other !== row && personOf(other) === personOf(row));
  return others.some((other) => other.channel === next || (isUnneeded(row) && !isUnneeded(other)));
}

const personOf = (row: DeliveryRow) => row.contact_id ?? row.through ?? row.recipient;

const isUnneeded = ({ reason_code: code }: DeliveryRow) => code === 'sent_over_another_channel';
