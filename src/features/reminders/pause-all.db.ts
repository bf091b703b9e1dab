import { sql } from 'kysely';
import type { OpenJob } from '#features/reminders/occurrence.db.ts';
import type { Db } from '#platform/database.ts';

type Of = { workspaceId: string };

/** Locks what a claim may have taken, so that claims in flight have ended. In the common lock order. */
export const lockDueJobs = (db: Db, { workspaceId, until }: Of & { until: string }) =>
  sql`select j.id
        from jobs j
       where j.workspace_id = ${workspaceId} and j.status = 'pending'
         and j.id = any (array(select q.job_id from queue q where q.workspace_id = ${workspaceId} and q.run_at <= ${until}))
       order by j.id
         for update`.execute(db);

/** The open jobs of reminders that run, or wait for a retry, with their rows locked. */
export async function findBegun(db: Db, { workspaceId }: Of): Promise<OpenJob[]> {
  const { rows } = await sql<OpenJob>`
    select j.id, j.type, j.status, j.attempts, j.scheduled_for, j.expires_at
      from jobs j
     where j.workspace_id = ${workspaceId} and j.type in ('reminder', 'event_reminder')
       and (j.id = any (array(select running_jobs())) and j.status = 'running'
            or j.id = any (array(select q.job_id from queue q where q.workspace_id = ${workspaceId} and q.reminder_id is null))
               and j.status = 'pending')
     order by j.id
       for update`.execute(db);
  return rows;
}

/** The running jobs of every type, with their rows locked. */
export async function findRunning(db: Db, { workspaceId }: Of): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select j.id
      from jobs j
     where j.workspace_id = ${workspaceId} and j.id = any (array(select running_jobs())) and j.status = 'running'
     order by j.id
       for update`.execute(db);
  return rows.map(({ id }) => id);
}
