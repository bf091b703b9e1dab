import { sql } from 'kysely';
import { cancelledBecause } from '#domain/job-state.ts';
import type { Reason } from '#domain/ledger-reasons.ts';
import type { Db } from '#platform/database.ts';
import { dueAt, insertJobs, keepOccurrence } from '#platform/new-jobs.ts';
import { endUnsent } from '#platform/unsent.ts';

type Of = { workspaceId: string; reminderId: string };

/**
 * Locks the reminder's open jobs. Claims skip locked rows, so that no job of this reminder starts before the commit; running jobs are stopped
 * separately.
 */
export async function lockOpenJobs(db: Db, of: Of): Promise<OpenJob[]> {
  // A claim that held the lock may have inserted the next occurrence, which only a later statement sees.
  let locked = await selectOpenJobs(db, of);
  for (;;) {
    const again = await selectOpenJobs(db, of);
    if (again.length === locked.length) return again;
    locked = again;
  }
}

const selectOpenJobs = (db: Db, { workspaceId, reminderId }: Of) =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    // Separate queries, because each has its own index.
    .where((job) =>
      job.or([
        job.and([job('type', '=', 'reminder'), job('reminder_id', '=', reminderId)]),
        job.and([job('type', '=', 'event_reminder'), job('reminder_id', '=', reminderId)]),
      ]),
    )
    .where('status', 'in', ['pending', 'running', 'paused'])
    .select(['id', 'type', 'status', 'attempts', 'scheduled_for', 'expires_at'])
    .orderBy('id')
    .forUpdate()
    .execute();

export type OpenJob = Awaited<ReturnType<typeof selectOpenJobs>>[number];

/** Stops running jobs: attempts in flight finish, and no further one starts. */
export const stopRunning = (db: Db, { ids, code, reason }: { ids: readonly string[] } & Reason) =>
  ids.length === 0
    ? undefined
    : db
        .updateTable('jobs')
        .set({ stop_reason: reason, reason_code: code })
        .where('id', 'in', ids)
        .where('status', '=', 'running')
        .execute();

/** Cancels an occurrence that has been attempted already, with a reason for recipients without a message. */
export async function cancelBegun(
  db: Db,
  { jobs, code, reason, now }: { jobs: readonly OpenJob[]; now: string } & Reason,
): Promise<void> {
  if (jobs.length === 0) return;
  const ids = jobs.map((job) => job.id);
  await db
    .updateTable('jobs')
    .set(cancelledBecause({ code, reason, now }))
    .where('id', 'in', ids)
    .where('status', 'in', ['pending', 'paused'])
    .execute();
  await db
    .updateTable('deliveries')
    .set(endUnsent({ code, reason, now }))
    .where('job_id', 'in', ids)
    .where('status', 'in', ['queued', 'waiting'])
    .execute();
}

export const pauseJobs = (db: Db, { ids, now }: { ids: readonly string[]; now: string }) =>
  ids.length === 0
    ? undefined
    : db
        .updateTable('jobs')
        .set({ status: 'paused', paused_at: now, updated_at: now })
        .where('id', 'in', ids)
        .where('status', '=', 'pending')
        .execute();

export const deleteJobs = (db: Db, { ids }: { ids: readonly string[] }) =>
  ids.length === 0 ? undefined : db.deleteFrom('jobs').where('id', 'in', ids).execute();

/** Moves an occurrence that has not started to its time in the edited schedule. `asked`: since when that time applies. */
export const moveJob = (
  db: Db,
  job: { id: string; at: string; name: string; revision: number; maxAttempts: number; asked: string; now: string },
) =>
  db
    .updateTable('jobs')
    .set({
      status: 'pending',
      paused_at: null,
      scheduled_for: job.at,
      run_at: dueAt(job.at, job),
      name: job.name,
      revision: job.revision,
      max_attempts: job.maxAttempts,
      updated_at: job.now,
    })
    .where('id', '=', job.id)
    .execute();

/** Inserts an occurrence. A time that has a job already keeps it. `asked`: as above. */
export const insertOccurrence = (
  db: Db,
  job: Of & { name: string; at: string; revision: number; maxAttempts: number; asked: string; now: string },
) =>
  insertJobs(
    db,
    [
      {
        workspace_id: job.workspaceId,
        reminder_id: job.reminderId,
        type: 'reminder',
        name: job.name,
        scheduled_for: job.at,
        run_at: dueAt(job.at, job),
        revision: job.revision,
        max_attempts: job.maxAttempts,
        created_at: job.now,
        updated_at: job.now,
      },
    ],
    keepOccurrence,
  );

/** The job of the next occurrence, which has not begun. */
export const nextJobOf = (db: Db, { workspaceId, reminderId }: Of) =>
  db
    .selectFrom('queue')
    .where('workspace_id', '=', workspaceId)
    .where('reminder_id', '=', reminderId)
    .select('job_id')
    .orderBy('run_at')
    .limit(1)
    .executeTakeFirst();

/** The times from `from` on that have a job, with its status: whether sent, cancelled or running, they are not scheduled again. */
export async function takenTimes(
  db: Db,
  { workspaceId, reminderId, from, except }: Of & { from: string; except: readonly string[] },
): Promise<Map<string, Pick<OpenJob, 'status' | 'attempts' | 'expires_at'>>> {
  let query = db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('reminder_id', '=', reminderId)
    .where('type', '=', 'reminder')
    .where('scheduled_for', '>=', from)
    .select(['scheduled_for', 'status', 'attempts', 'expires_at']);
  if (except.length > 0) query = query.where('id', 'not in', [...except]);
  const rows = await query.execute();
  return new Map(rows.map((row) => [row.scheduled_for, row]));
}

/** A lock that serializes edits of one reminder, even while it has no job. */
export const lockReminder = (db: Db, reminderId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${reminderId}, 1))`.execute(db);
