import type { NextOccurrence } from '#engine/run/claim-decision.ts';
import { isoOf, type JobRow, type QueueRow, type Tables } from '#simulation/tables.ts';

/** The id of a job that is about to be created. */
export type NewJobId = (job: Pick<JobRow, 'type' | 'reminder_id' | 'scheduled_for'>) => string;

export function schedule(
  tables: Tables,
  { nextOccurrences, newId }: { nextOccurrences: readonly NextOccurrence[]; newId: NewJobId },
): void {
  for (const one of nextOccurrences) {
    const of = { type: 'reminder' as const, reminder_id: one.reminderId, scheduled_for: isoOf(one.at) };
    if (hasJob(tables, of)) continue;
    insertJob(tables, {
      ...of,
      id: newId(of),
      workspace_id: one.workspaceId,
      name: one.name,
      max_attempts: one.maxAttempts,
      revision: one.revision,
    });
  }
}

/** One job per reminder and time. */
export const hasJob = (tables: Tables, { reminder_id, scheduled_for }: Pick<JobRow, 'reminder_id' | 'scheduled_for'>) =>
  tables.jobs
    .values()
    .some((job) => job.type === 'reminder' && job.reminder_id === reminder_id && job.scheduled_for === scheduled_for);

export function insertJob(
  tables: Tables,
  job: Pick<
    JobRow,
    'id' | 'workspace_id' | 'reminder_id' | 'type' | 'name' | 'scheduled_for' | 'max_attempts' | 'revision'
  > &
    Partial<JobRow>,
): void {
  const row: JobRow = {
    status: 'pending',
    run_at: job.scheduled_for,
    expires_at: null,
    attempts: 0,
    payload: {},
    error_message: null,
    stop_reason: null,
    reason_code: null,
    claim_id: null,
    started_at: null,
    completed_at: null,
    paused_at: null,
    ...job,
  };
  tables.jobs.set(row.id, row);
  enqueue(tables, row);
}

export const positionOf = (row: Omit<QueueRow, 'awaits_audience'>) => `${row.workspace_id} ${row.run_at} ${row.job_id}`;

export function enqueue(tables: Tables, job: JobRow): void {
  const row = { job_id: job.id, workspace_id: job.workspace_id, run_at: job.run_at, awaits_audience: false };
  tables.queue.set(positionOf(row), row);
}

export const dequeue = (tables: Tables, job: Pick<JobRow, 'id' | 'workspace_id' | 'run_at'>) =>
  tables.queue.delete(positionOf({ job_id: job.id, workspace_id: job.workspace_id, run_at: job.run_at }));
