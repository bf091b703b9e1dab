import type { CountedJob, Job } from '#contract/jobs.ts';
import { canBeRetried, type JobAction, jobActions } from '#domain/job-state.ts';
import { cancelledByMember } from '#domain/ledger-reasons.ts';
import { nameForMany } from '#domain/job-name.ts';
import * as rows from '#features/jobs/job-actions.db.ts';
import { getJob, showJob } from '#features/jobs/jobs.service.ts';
import { scheduleAfterCancelled } from '#features/reminders/occurrence.service.ts';
import { announce, wakeDispatchers } from '#platform/changes.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { Conflict } from '#platform/errors.ts';

/** Pauses, resumes, retries or cancels a job. Throws NotFound, and Conflict when the stored status does not allow the action. */
export async function actOnJob(
  ctx: TenantContext,
  { id, action }: { id: string; action: JobAction },
): Promise<CountedJob> {
  const job = await getJob(ctx, id);
  const change = { workspaceId: ctx.workspaceId, id, from: jobActions[action].from, now: ctx.now.toString() };
  const changed = await applyAction(ctx, { job, action, change });
  if (!changed) throw new Conflict(`A ${(await getJob(ctx, id)).status} job cannot be ${past[action]}`);
  if (ctx.actor.kind === 'user')
    await recordAct(ctx, { action: `job.${past[action]}`, target: id, details: { name: nameForMany(job.name) } });
  await wakeDispatchers(ctx);
  await announce(ctx, ['jobs', 'deliveries', 'reminders']);
  return showJob(ctx, id);
}

const past = { pause: 'paused', resume: 'resumed', retry: 'retried', cancel: 'cancelled' } as const;

type Change = Parameters<typeof rows.pause>[1];

async function applyAction(
  ctx: TenantContext,
  { job, action, change }: { job: Job; action: JobAction; change: Change },
): Promise<boolean> {
  const of = { workspaceId: ctx.workspaceId, jobId: change.id };
  switch (action) {
    case 'pause':
      return (await rows.pause(ctx.db, change)) !== undefined;
    case 'resume':
      return (await rows.resume(ctx.db, change)) !== undefined;
    case 'retry': {
      if (!canBeRetried(job.type))
        throw new Conflict('A link to preferences is not retried: its recipient asks for another one');
      const expiresAt = ctx.now.add({ hours: 24 }).toString();
      if ((await rows.retry(ctx.db, { ...change, expiresAt })) === undefined) return false;
      // While an attempt is in flight, a retry would send the message to that recipient twice.
      if ((await rows.findRunningAttempt(ctx.db, of)) !== undefined)
        throw new Conflict('An attempt of this job is still running: retry the job when it has ended');
      await rows.reopenDeliveries(ctx.db, { ...of, now: change.now });
      return true;
    }
    case 'cancel': {
      await rows.lock(ctx.db, of);
      await rows.keepRunningAttempts(ctx.db, of);
      if ((await rows.cancel(ctx.db, { ...change, ...cancelledByMember })) === undefined) return false;
      await rows.closeDeliveries(ctx.db, { ...of, ...cancelledByMember, now: change.now });
      if (job.type === 'reminder' && job.reminder_id !== null) {
        await scheduleAfterCancelled(ctx, { reminderId: job.reminder_id, scheduledFor: job.scheduled_for });
      }
      return true;
    }
    default:
      return action satisfies never;
  }
}
