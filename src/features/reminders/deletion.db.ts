import { sql } from 'kysely';
import type { ReminderStatus } from '#contract/reminders.ts';
import type { Db } from '#platform/database.ts';
import { jobColumns } from '#platform/new-jobs.ts';

type Named = { workspaceId: string; id: string };

/** Deletes these jobs and returns their rows with their skips, so that they can be restored. */
export async function takeJobs(db: Db, { ids }: { ids: readonly string[] }): Promise<string> {
  const { rows } = await sql<{ jobs: string }>`
    with taken as (delete from jobs where id = any (${ids}::uuid[]) returning *)
    select coalesce(jsonb_agg(to_jsonb(taken) || jsonb_build_object('skips',
             (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from job_skips s where s.job_id = taken.id))), '[]')::text as jobs
      from taken`.execute(db);
  return rows[0]?.jobs ?? '[]';
}

/** @returns whether the reminder existed */
export async function markDeleted(
  db: Db,
  { workspaceId, id, jobs, now }: Named & { jobs: string; now: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update reminders
       set deleted_from = status, status = 'deleted', deleted_at = ${now}, deleted_jobs = ${jobs}::jsonb, updated_at = ${now}
     where workspace_id = ${workspaceId} and id = ${id} and status <> 'deleted'`.execute(db);
  return numAffectedRows === 1n;
}

/** The deleted jobs and the restored reminder; undefined when no such reminder was deleted. */
export async function markRestored(
  db: Db,
  { workspaceId, id, now }: Named & { now: string },
): Promise<{ status: ReminderStatus; jobs: string } | undefined> {
  const { rows } = await sql<{ status: ReminderStatus; jobs: string }>`
    with deleted as (
      select id, deleted_from, deleted_jobs from reminders
       where workspace_id = ${workspaceId} and id = ${id} and status = 'deleted'
         for update
    )
    update reminders r
       set status = d.deleted_from, deleted_at = null, deleted_from = null, deleted_jobs = null, updated_at = ${now}
      from deleted d
     where r.workspace_id = ${workspaceId} and r.id = d.id
    returning r.status, d.deleted_jobs::text as jobs`.execute(db);
  return rows[0];
}

/**
 * Reinserts the jobs with the skips of people who are still there, and adds pending ones to the queue.
 * @returns the number of the reminder's own occurrences among them
 */
export async function putJobsBack(db: Db, { jobs }: { jobs: string }): Promise<number> {
  const columns = sql.join(jobColumns.map((column) => sql.ref(column)));
  const { rows } = await sql<{ type: string }>`
    insert into jobs (${columns}) select ${columns}
      from jsonb_populate_recordset(null::jobs, ${jobs}::jsonb)
    on conflict do nothing
    returning type`.execute(db);
  await sql`
    insert into job_skips (workspace_id, job_id, contact_id, created_at)
    select s.workspace_id, s.job_id, s.contact_id, s.created_at
      from jsonb_array_elements(${jobs}::jsonb) job
     cross join lateral jsonb_populate_recordset(null::job_skips, coalesce(job -> 'skips', '[]')) s
      join jobs j on j.id = s.job_id
      join contacts c on c.workspace_id = s.workspace_id and c.id = s.contact_id
    on conflict do nothing`.execute(db);
  return rows.filter(({ type }) => type === 'reminder').length;
}

/**
 * Locks the open jobs of many reminders before the first change, in the common lock order, which avoids deadlocks with the transaction
 * that records results.
 */
export const lockJobsOf = (
  db: Db,
  { workspaceId, reminderIds }: { workspaceId: string; reminderIds: readonly string[] },
) =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where((job) =>
      job.or([
        job.and([job('type', '=', 'reminder'), job('reminder_id', 'in', reminderIds)]),
        job.and([job('type', '=', 'event_reminder'), job('reminder_id', 'in', reminderIds)]),
      ]),
    )
    .where('status', 'in', ['pending', 'running', 'paused'])
    .select('id')
    .orderBy('id')
    .forUpdate()
    .execute();
