import { sql } from 'kysely';
import type { JobType } from '#contract/job-types.ts';
import type { Db } from '#platform/database.ts';
import { dueAt, insertJobs } from '#platform/new-jobs.ts';

export type MessageJob = {
  /** The reminder that is tested; null for all others, and for a test of an unsaved reminder. */
  reminderId: string | null;
  type: Exclude<JobType, 'reminder' | 'event_reminder'>;
  name: string;
  /** When it is sent, as an ISO instant. */
  at: string;
  maxAttempts: number;
  /** Until when it may be sent, where that is not the usual time. */
  expiresAt?: string;
  payload: Record<string, unknown>;
};

/** Inserts the pending job. Returns its id. */
export async function insertMessageJob(
  db: Db,
  { workspaceId, now, ...job }: MessageJob & { workspaceId: string; now: string },
): Promise<string> {
  const [id] = await insertJobs(db, [
    {
      workspace_id: workspaceId,
      reminder_id: job.reminderId,
      type: job.type,
      name: job.name,
      scheduled_for: job.at,
      run_at: dueAt(job.at, { asked: now }),
      max_attempts: job.maxAttempts,
      ...(job.expiresAt !== undefined && { expires_at: job.expiresAt }),
      payload: JSON.stringify(job.payload),
      created_at: now,
      updated_at: now,
    },
  ]);
  if (id === undefined) throw new Error('The job was not inserted.');
  return id;
}

export const updateCaller = (
  db: Db,
  { workspaceId, id, apiKeyId }: { workspaceId: string; id: string; apiKeyId: string },
) =>
  db
    .updateTable('jobs')
    .set({ payload: sql`payload || jsonb_build_object('api_key_id', ${apiKeyId}::text)` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
