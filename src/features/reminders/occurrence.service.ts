import type { ReminderInput, ReminderStatus } from '#contract/reminders.ts';
import { maxAttempts } from '#domain/retry.ts';
import { firstOccurrence, nextOccurrence } from '#domain/schedule.ts';
import { findReminder } from '#features/reminders/reminders.db.ts';
import * as eventJobs from '#features/reminders/event-jobs.db.ts';
import * as jobs from '#features/reminders/occurrence.db.ts';
import { wakeDispatchers } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';

type Planned = Pick<ReminderInput, 'name' | 'schedule_config' | 'metadata'> & {
  id: string;
  status: ReminderStatus;
  revision: number;
};

/**
 * Makes the queue say what the reminder says now. An occurrence that has not begun moves to its new time; one that is
 * under way stops after the attempts in flight; an active scheduled reminder ends with exactly one next occurrence.
 * Jobs of events keep their time. The same transaction has changed the reminder.
 * @param change.isResumed the reminder was not active before, and is now
 */
export async function planReminder(
  ctx: TenantContext,
  reminder: Planned,
  { reason, isResumed }: { reason: string; isResumed: boolean },
): Promise<void> {
  const of = { workspaceId: ctx.workspaceId, reminderId: reminder.id };
  const now = ctx.now.toString();
  const open = await jobs.lockOpenJobs(ctx.db, of);
  await jobs.stopRunning(ctx.db, { ids: open.filter((job) => job.status === 'running').map((job) => job.id), reason });
  await jobs.cancelBegun(ctx.db, {
    jobs: open.filter((job) => job.status !== 'running' && job.attempts > 0),
    reason,
    now,
  });

  const waiting = open.filter((job) => job.type === 'reminder' && job.status !== 'running' && job.attempts === 0);
  if (reminder.status !== 'active') {
    await jobs.pauseJobs(ctx.db, { ids: open.filter((job) => job.attempts === 0).map((job) => job.id), now });
    return;
  }
  await planEventJobs(ctx, { reminder, open, isResumed });
  const at = await nextFreeInstant(ctx, { reminder, except: waiting.map((job) => job.id) });
  const [kept, ...others] = waiting;
  await jobs.deleteJobs(ctx.db, { ids: (at === null ? waiting : others).map((job) => job.id) });
  if (at === null) return;
  const attempts = Math.max(...reminder.metadata.channels.map(maxAttempts));
  const job = { at, name: reminder.name, revision: reminder.revision, maxAttempts: attempts, now };
  if (kept === undefined) await jobs.insertOccurrence(ctx.db, { ...of, type: 'reminder', ...job });
  else await jobs.moveJob(ctx.db, { id: kept.id, ...job });
  await wakeDispatchers(ctx);
}

/** An event is not to be lost by an edit: its job that waits is sent as the reminder is then. */
async function planEventJobs(
  ctx: TenantContext,
  { reminder, open, isResumed }: { reminder: Planned; open: readonly jobs.OpenJob[]; isResumed: boolean },
): Promise<void> {
  const waiting = open.filter((job) => job.type === 'event_reminder' && job.status !== 'running' && job.attempts === 0);
  if (waiting.length === 0) return;
  const some = { ids: waiting.map((job) => job.id), now: ctx.now.toString() };
  const { name, revision, schedule_config: schedule } = reminder;
  const event = schedule.type === 'event-based' ? (schedule.eventTrigger ?? null) : null;
  await eventJobs.endOfOtherEvents(ctx.db, { ...some, event, reason: 'The reminder no longer waits for this event' });
  const attempts = Math.max(...reminder.metadata.channels.map(maxAttempts));
  await eventJobs.carryOver(ctx.db, { ...some, name, revision, maxAttempts: attempts });
  if (!isResumed) return;
  await eventJobs.goOn(ctx.db, { ...some, reason: 'Its time passed while the reminder was paused' });
  await wakeDispatchers(ctx);
}

/** Cancelling one occurrence does not end the reminder: the next one takes its place at once. */
export async function planAfterCancelled(
  ctx: TenantContext,
  job: { reminderId: string; scheduledFor: string },
): Promise<void> {
  const reminder = await findReminder(ctx.db, { workspaceId: ctx.workspaceId, id: job.reminderId });
  if (reminder === undefined || reminder.status !== 'active') return;
  const scheduledFor = Temporal.Instant.from(job.scheduledFor);
  const after = Temporal.Instant.compare(scheduledFor, ctx.now) > 0 ? scheduledFor : ctx.now;
  const next = nextOccurrence(reminder.schedule_config, { after });
  if (next === null) return;
  await jobs.insertOccurrence(ctx.db, {
    workspaceId: ctx.workspaceId,
    reminderId: reminder.id,
    type: 'reminder',
    name: reminder.name,
    at: next.toString(),
    revision: reminder.revision,
    maxAttempts: Math.max(...reminder.metadata.channels.map(maxAttempts)),
    now: ctx.now.toString(),
  });
}

/** Before a reminder is deleted: what has not begun goes with it, the rest keeps its record. */
export async function unplanReminder(ctx: TenantContext, reminderId: string): Promise<void> {
  const reason = 'The reminder was deleted';
  const now = ctx.now.toString();
  const open = await jobs.lockOpenJobs(ctx.db, { workspaceId: ctx.workspaceId, reminderId });
  await jobs.stopRunning(ctx.db, { ids: open.filter((job) => job.status === 'running').map((job) => job.id), reason });
  await jobs.cancelBegun(ctx.db, {
    jobs: open.filter((job) => job.status !== 'running' && job.attempts > 0),
    reason,
    now,
  });
  await jobs.deleteJobs(ctx.db, {
    ids: open.filter((job) => job.status !== 'running' && job.attempts === 0).map((job) => job.id),
  });
}

/** The first occurrence that did not have its job yet. */
async function nextFreeInstant(
  ctx: TenantContext,
  { reminder, except }: { reminder: Planned; except: readonly string[] },
): Promise<string | null> {
  const first = firstOccurrence(reminder.schedule_config, { now: ctx.now });
  if (first === null) return null;
  const taken = await jobs.takenInstants(ctx.db, {
    workspaceId: ctx.workspaceId,
    reminderId: reminder.id,
    from: first.toString(),
    except,
  });
  let at: Temporal.Instant | null = first;
  while (at !== null && taken.has(new Date(at.epochMilliseconds).toISOString()))
    at = nextOccurrence(reminder.schedule_config, { after: at });
  return at?.toString() ?? null;
}
