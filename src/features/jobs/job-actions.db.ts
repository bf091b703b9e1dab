import { sql } from 'kysely';
import type { JobStatus } from '#contract/job-states.ts';
import type { Reason } from '#domain/ledger-reasons.ts';
import type { Db } from '#platform/database.ts';
import { endUnsent } from '#platform/unsent.ts';

type Change = { workspaceId: string; id: string; from: readonly JobStatus[]; now: string };

/** One conditional UPDATE for each action; it returns a row only if the status still allowed the action. */
const change = (db: Db, { workspaceId, id, from }: Change) =>
  db
    .updateTable('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', 'in', [...from])
    .returning('id');

export const pause = (db: Db, to: Change) =>
  change(db, to).set({ status: 'paused', paused_at: to.now, updated_at: to.now }).executeTakeFirst();

/** Resumes a job. An occurrence whose time passed while it was paused is sent now. */
export const resume = (db: Db, to: Change) =>
  change(db, to)
    .set({
      status: 'pending',
      paused_at: null,
      run_at: sql`greatest(run_at, ${to.now}::timestamptz)`,
      updated_at: to.now,
    })
    .executeTakeFirst();

/** Retries a job from its first attempt, with the reminder's current text, for a day at most. */
export const retry = (db: Db, to: Change & { expiresAt: string }) =>
  change(db, to)
    .set({
      status: 'pending',
      attempts: 0,
      error_message: null,
      stop_reason: null,
      reason_code: null,
      completed_at: null,
      run_at: to.now,
      expires_at: to.expiresAt,
      revision: sql`coalesce((select r.revision from reminders r where r.workspace_id = jobs.workspace_id and r.id = jobs.reminder_id), jobs.revision)`,
      updated_at: to.now,
    })
    .executeTakeFirst();

export const cancel = (db: Db, to: Change & Reason) =>
  change(db, to)
    .set({
      status: 'cancelled',
      claim_id: null,
      error_message: to.reason,
      reason_code: to.code,
      completed_at: to.now,
      updated_at: to.now,
    })
    .executeTakeFirst();

/** Opens failed deliveries again; accepted ones stay accepted. Whoever was not to get the run does not get it by a retry for the others. */
export const reopenDeliveries = (
  db: Db,
  { workspaceId, jobId, now }: { workspaceId: string; jobId: string; now: string },
) =>
  db
    .updateTable('deliveries')
    .set({
      status: 'queued',
      attempts: 0,
      unknowns: 0,
      reason: null,
      reason_code: null,
      reason_params: null,
      completed_at: null,
      next_attempt_at: null,
      answered_at: null,
      // It is in the history; beside a message that waits it would read as the answer to this one.
      provider_answer: null,
      attempt_history: sql<string>`coalesce(attempt_history_of(deliveries), '[]') || jsonb_build_object('retried', ${now}::text)`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('job_id', '=', jobId)
    .where('status', 'in', ['failed', 'unknown', 'skipped', 'waiting'])
    .where(sql<boolean>`coalesce(reason_code, '') not in ('person_skipped', 'person_paused')`)
    .execute();

/** Locks the job, so that a claim of it waits or has ended. */
export const lock = (db: Db, { workspaceId, jobId }: { workspaceId: string; jobId: string }) =>
  db
    .selectFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', jobId)
    .select('id')
    .forNoKeyUpdate()
    .execute();

/** Finds an attempt that is still in flight although the job was cancelled. */
export const findRunningAttempt = (db: Db, { workspaceId, jobId }: { workspaceId: string; jobId: string }) =>
  db
    .selectFrom('deliveries')
    .where('workspace_id', '=', workspaceId)
    .where('job_id', '=', jobId)
    .where('status', '=', 'sending')
    .select('id')
    .limit(1)
    .executeTakeFirst();

/** Inserts the rows of first attempts in flight before the job loses its claim, so that their outcome is still recorded. */
export const keepRunningAttempts = (db: Db, { jobId }: { jobId: string }) =>
  sql`
    insert into deliveries (id, workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, attempts,
                            first_attempt_at, last_attempt_at)
    select a.id, j.workspace_id, j.id, j.scheduled_for, a.channel, a.recipient, a.recipient_name, 'sending', 1, a.began_at, a.began_at
      from running_attempts(${jobId}) a
      join jobs j on j.id = ${jobId}
    on conflict do nothing`.execute(db);

export const closeDeliveries = (
  db: Db,
  { workspaceId, jobId, code, reason, now }: { workspaceId: string; jobId: string; now: string } & Reason,
) =>
  db
    .updateTable('deliveries')
    .set(endUnsent({ code, reason, now }))
    .where('workspace_id', '=', workspaceId)
    .where('job_id', '=', jobId)
    .where('status', 'in', ['queued', 'waiting'])
    .execute();
