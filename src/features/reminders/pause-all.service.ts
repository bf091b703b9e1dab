import { sql } from 'kysely';
import { allWerePaused, type Reason } from '#domain/ledger-reasons.ts';
import * as jobs from '#features/reminders/occurrence.db.ts';
import { hasBegun } from '#features/reminders/occurrence.service.ts';
import { assertPauseEnd } from '#features/reminders/reminders.service.ts';
import { pauseReminders, remindersPausedUntil } from '#features/workspaces/workspaces.service.ts';
import { recordAct } from '#platform/audit.ts';
import { announce } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import type { OpenJob } from './occurrence.db.ts';

type Paused = { reminders_paused_until: string | null };

/**
 * Pauses all reminders of the workspace until an instant. The reminders stay unchanged: each claim reads the pause and skips what comes due before
 * its end (`engine/claiming/claim-due-jobs.ts`). Call `stopBegunRuns` afterwards, in a transaction of its own.
 */
export async function pauseAllReminders(ctx: TenantContext, { until }: { until: string }): Promise<Paused> {
  assertPauseEnd(ctx, until);
  await pauseReminders(ctx, until);
  await recordAct(ctx, { action: 'reminders.paused', target: ctx.workspaceId, details: { until } });
  return { reminders_paused_until: until };
}

/** Ends the pause of all reminders now. What came due during it is not sent. */
export async function resumeAllReminders(ctx: TenantContext): Promise<Paused> {
  if ((await remindersPausedUntil(ctx)) !== null) {
    await pauseReminders(ctx, ctx.now.toString());
    await recordAct(ctx, { action: 'reminders.resumed', target: ctx.workspaceId });
  }
  return { reminders_paused_until: null };
}

/**
 * Stops the runs of reminders that have begun, as pausing each reminder does: attempts in flight finish, and no further one begins. Must run after
 * the commit of the pause: then it waits for claims that did not see the pause, and later ones see it.
 */
export async function stopBegunRuns(ctx: Pick<TenantContext, 'workspaceId' | 'now'>, db: Db): Promise<void> {
  const of = { workspaceId: ctx.workspaceId };
  const now = ctx.now.toString();
  await lockDueJobs(db, { ...of, until: ctx.now.add({ minutes: 5 }).toString() });
  const begun = await findBegun(db, of);
  const running = begun.filter(({ status }) => status === 'running');
  await jobs.stopRunning(db, { ids: running.map(({ id }) => id), ...allWerePaused });
  await jobs.cancelBegun(db, {
    jobs: begun.filter((job) => job.status === 'pending' && hasBegun(job)),
    ...allWerePaused,
    now,
  });
  await announce({ db, ...of }, ['jobs']);
}

/**
 * Stops every run of the workspace, for this reason: attempts in flight finish, and no further one begins. Waiting jobs stay in the queue. Must run
 * after the commit of what keeps later claims away, like `stopBegunRuns`.
 */
export async function stopRuns(
  ctx: Pick<TenantContext, 'workspaceId' | 'now'>,
  { db, reason }: { db: Db; reason: Reason },
): Promise<void> {
  const of = { workspaceId: ctx.workspaceId };
  await lockDueJobs(db, { ...of, until: ctx.now.add({ minutes: 5 }).toString() });
  const ids = await findRunning(db, of);
  await jobs.stopRunning(db, { ids, ...reason });
  await announce({ db, ...of }, ['jobs']);
}

type Of = { workspaceId: string };

/** Locks the jobs that a claim may have taken, in the order that all writers use: claims in flight have then ended. */
const lockDueJobs = (db: Db, { workspaceId, until }: Of & { until: string }) =>
  sql`select j.id
        from jobs j
       where j.workspace_id = ${workspaceId} and j.status = 'pending'
         and j.id = any (array(select q.job_id from queue q where q.workspace_id = ${workspaceId} and q.run_at <= ${until}))
       order by j.id
         for update`.execute(db);

/** The open jobs of reminders that run, or wait for a retry; locks their rows. */
async function findBegun(db: Db, { workspaceId }: Of): Promise<OpenJob[]> {
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

/** The running jobs of every type; locks their rows. */
async function findRunning(db: Db, { workspaceId }: Of): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select j.id
      from jobs j
     where j.workspace_id = ${workspaceId} and j.id = any (array(select running_jobs())) and j.status = 'running'
     order by j.id
       for update`.execute(db);
  return rows.map(({ id }) => id);
}
