import { sql } from 'kysely';
import type { JobType } from '#contract/jobs.ts';
import type { Db } from '#platform/database.ts';
import { endUnsent } from '#platform/unsent.ts';

type Of = { workspaceId: string; reminderId: string };

/**
 * Locks the reminder's open jobs. The claim skips locked rows, so from here to the commit nothing of this reminder
 * begins; what had begun before is told to stop.
 */
export async function lockOpenJobs(db: Db, of: Of): Promise<OpenJob[]> {
  // A claim that we waited for has inserted a successor, which only a statement begun after its commit can see.
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
    // Told apart, because each has an index of its own.
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

/** Attempts under way end; no further one starts. */
export const stopRunning = (db: Db, { ids, reason }: { ids: readonly string[]; reason: string }) =>
  ids.length === 0
    ? undefined
    : db
        .updateTable('jobs')
        .set({ stop_reason: reason })
        .where('id', 'in', ids)
        .where('status', '=', 'running')
        .execute();

/** An occurrence that has been tried already ends here, with its reason, for the recipients not yet served. */
export async function cancelBegun(
  db: Db,
  { jobs, reason, now }: { jobs: readonly OpenJob[]; reason: string; now: string },
): Promise<void> {
  if (jobs.length === 0) return;
  const ids = jobs.map((job) => job.id);
  await db
    .updateTable('jobs')
    .set({ status: 'cancelled', paused_at: null, error_message: reason, completed_at: now, updated_at: now })
    .where('id', 'in', ids)
    .where('status', 'in', ['pending', 'paused'])
    .execute();
  await db
    .updateTable('deliveries')
    .set(endUnsent({ reason, now }))
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

/** Moves an occurrence that has not begun to where the edited schedule has it. */
export const moveJob = (
  db: Db,
  job: { id: string; at: string; name: string; revision: number; maxAttempts: number; now: string },
) =>
  db
    .updateTable('jobs')
    .set({
      status: 'pending',
      paused_at: null,
      scheduled_for: job.at,
      run_at: job.at,
      name: job.name,
      revision: job.revision,
      max_attempts: job.maxAttempts,
      updated_at: job.now,
    })
    .where('id', '=', job.id)
    .execute();

export const insertOccurrence = (
  db: Db,
  job: Of & { type: JobType; name: string; at: string; revision: number; maxAttempts: number; now: string },
) =>
  db
    .insertInto('jobs')
    .values({
      workspace_id: job.workspaceId,
      reminder_id: job.reminderId,
      type: job.type,
      name: job.name,
      scheduled_for: job.at,
      run_at: job.at,
      revision: job.revision,
      max_attempts: job.maxAttempts,
      created_at: job.now,
      updated_at: job.now,
    })
    // A time that has its job already keeps it.
    .onConflict((key) => key.columns(['reminder_id', 'scheduled_for']).where('type', '=', 'reminder').doNothing())
    .execute();

/** Times from `from` on that already had their job, with its status: sent, cancelled or under way, they are not planned twice. */
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

/** The lock that makes two edits of one reminder wait for each other, also while it has no job. */
export const lockReminder = (db: Db, reminderId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${reminderId}, 1))`.execute(db);
