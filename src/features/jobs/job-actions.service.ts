import type { Job } from '#contract/jobs.ts';
import { type JobAction, jobActions } from '#domain/job-state.ts';
import { nextOccurrence } from '#domain/schedule.ts';
import * as rows from '#features/jobs/job-actions.db.ts';
import { getJob } from '#features/jobs/jobs.service.ts';
import { announce, wakeDispatchers } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';
import { Conflict } from '#platform/errors.ts';

/**
 * Pauses, resumes, retries or cancels a job. Throws NotFound, and Conflict when the job's status no longer offers the
 * action: the row decides, not what the caller saw.
 */
export async function actOnJob(ctx: TenantContext, { id, action }: { id: string; action: JobAction }): Promise<Job> {
  const job = await getJob(ctx, id);
  const change = { workspaceId: ctx.workspaceId, id, from: jobActions[action].from, now: ctx.now.toString() };
  const changed = await applyAction(ctx, { action, change });
  if (!changed) throw new Conflict(`A ${(await getJob(ctx, id)).status} job cannot be ${past[action]}`);
  await wakeDispatchers(ctx);
  await announce(ctx, ['jobs', 'deliveries', 'reminders']);
  return job.status === jobActions[action].to ? job : getJob(ctx, id);
}

const past = { pause: 'paused', resume: 'resumed', retry: 'retried', cancel: 'cancelled' } as const;

type Change = Parameters<typeof rows.pause>[1];

async function applyAction(
  ctx: TenantContext,
  { action, change }: { action: JobAction; change: Change },
): Promise<boolean> {
  const of = { workspaceId: ctx.workspaceId, jobId: change.id };
  switch (action) {
    case 'pause':
      return (await rows.pause(ctx.db, change)) !== undefined;
    case 'resume':
      return (await rows.resume(ctx.db, change)) !== undefined;
    case 'retry': {
      const expiresAt = ctx.now.add({ hours: 24 }).toString();
      if ((await rows.retry(ctx.db, { ...change, expiresAt })) === undefined) return false;
      await rows.reopenDeliveries(ctx.db, of);
      return true;
    }
    case 'cancel': {
      const reason = 'Cancelled by a member of the workspace';
      if ((await rows.cancel(ctx.db, { ...change, reason })) === undefined) return false;
      await rows.closeDeliveries(ctx.db, { ...of, reason, now: change.now });
      await planSuccessor(ctx, change.id);
      return true;
    }
    default:
      return action satisfies never;
  }
}

/** Cancelling one occurrence does not end the reminder: the next one takes its place at once. */
async function planSuccessor(ctx: TenantContext, id: string): Promise<void> {
  const job = await rows.findScheduleOfJob(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (job === undefined || job.type !== 'reminder' || job.status !== 'active') return;
  const scheduledFor = Temporal.Instant.from(job.scheduled_for);
  const after = Temporal.Instant.compare(scheduledFor, ctx.now) > 0 ? scheduledFor : ctx.now;
  const next = nextOccurrence(job.schedule_config, { after });
  if (next === null) return;
  await rows.insertSuccessor(ctx.db, {
    workspaceId: ctx.workspaceId,
    reminderId: job.reminder_id,
    name: job.name,
    at: next.toString(),
    revision: job.revision,
    maxAttempts: job.max_attempts,
    now: ctx.now.toString(),
  });
}
