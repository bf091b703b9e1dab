import { type JobAction, jobActions } from '#domain/job-state.ts';
import { cancelledByMember } from '#domain/ledger-reasons.ts';
import { Conflict, NotFound } from '#platform/errors.ts';
import { lineIn, newLine, putLine, skipLines } from '#simulation/lines.ts';
import { dequeue, enqueue, type NewJobId } from '#simulation/model-jobs.ts';
import { insertOccurrence, nextUnscheduled } from '#simulation/model-occurrence.ts';
import type { Act } from '#simulation/people.ts';
import { isoOf, type JobRow, type Tables } from '#simulation/tables.ts';

type ConformanceState = { tables: Tables; now: Temporal.Instant; newId: NewJobId };

/** The model of `job-actions.service.ts`. */
export function actOnJob({ workspaceId, jobId, action }: Extract<Act, { kind: 'job' }>, state: ConformanceState): void {
  const job = state.tables.jobs.get(jobId);
  if (job === undefined || job.workspace_id !== workspaceId) throw new NotFound('job');
  if (!jobActions[action].from.some((from) => from === job.status))
    throw new Conflict(`A ${job.status} job cannot take the action ${action}`);
  const lines = [...(state.tables.deliveries.get(job.id)?.values() ?? [])];
  if (action === 'retry' && lines.some((line) => line.status === 'sending'))
    throw new Conflict('An attempt of this job is still running');
  const wasPending = job.status === 'pending';
  if (wasPending) dequeue(state.tables, job);
  changeJob(job, { action, state });
  if (job.status === 'pending') enqueue(state.tables, job);
}

function changeJob(job: JobRow, { action, state }: { action: JobAction; state: ConformanceState }): void {
  const { tables, now } = state;
  switch (action) {
    case 'pause':
      Object.assign(job, { status: 'paused', paused_at: isoOf(now) });
      return;
    case 'resume':
      Object.assign(job, { status: 'pending', paused_at: null });
      if (job.run_at < isoOf(now)) job.run_at = isoOf(now);
      return;
    case 'retry':
      retry(job, { tables, now });
      return;
    case 'cancel':
      cancel(job, state);
      return;
    default:
      action satisfies never;
  }
}

function retry(job: JobRow, { tables, now }: { tables: Tables; now: Temporal.Instant }): void {
  const reminder = job.reminder_id === null ? undefined : tables.reminders.get(job.reminder_id);
  const cleared = { error_message: null, stop_reason: null, reason_code: null, completed_at: null };
  Object.assign(job, { status: 'pending', attempts: 0, ...cleared, run_at: isoOf(now) });
  job.expires_at = isoOf(now.add({ hours: 24 }));
  job.revision = reminder?.revision ?? job.revision;
  for (const row of tables.deliveries.get(job.id)?.values() ?? []) {
    if (!['failed', 'unknown', 'skipped', 'waiting'].includes(row.status)) continue;
    const anew = { reason: null, reason_code: null, reason_params: null, completed_at: null, next_attempt_at: null };
    Object.assign(row, { status: 'queued', attempts: 0, unknowns: 0, ...anew });
  }
}

function cancel(job: JobRow, { tables, now, newId }: ConformanceState): void {
  keepRunningAttempts(tables, job);
  const ended = {
    error_message: cancelledByMember.reason,
    reason_code: cancelledByMember.code,
    completed_at: isoOf(now),
  };
  Object.assign(job, { status: 'cancelled', claim_id: null, ...ended });
  skipLines([...(tables.deliveries.get(job.id)?.values() ?? [])], { ...cancelledByMember, now });
  const reminder = job.reminder_id === null ? undefined : tables.reminders.get(job.reminder_id);
  if (job.type !== 'reminder' || reminder?.status !== 'active') return;
  const scheduledFor = Temporal.Instant.from(job.scheduled_for);
  const after = Temporal.Instant.compare(scheduledFor, now) > 0 ? scheduledFor : now;
  const at = nextUnscheduled(reminder, { tables, after });
  if (at !== null) insertOccurrence(reminder, { tables, now, at, newId });
}

function keepRunningAttempts(tables: Tables, job: JobRow): void {
  const claim = job.claim_id === null ? undefined : tables.claims.get(job.claim_id);
  for (const [id, jobId, channel, recipient, recipient_name] of claim?.begun ?? []) {
    if (jobId !== job.id || claim === undefined || lineIn(tables, { job, channel, recipient })) continue;
    const { workspace_id, scheduled_for } = job;
    const began = { attempts: 1, first_attempt_at: claim.created_at, last_attempt_at: claim.created_at };
    const line = { id, workspace_id, job_id: job.id, scheduled_for, channel, recipient, recipient_name };
    putLine(tables, newLine({ ...line, status: 'sending', ...began }));
  }
}
