import type { JobStatus } from '#contract/job-states.ts';
import type { ReminderInput, ReminderStatus } from '#contract/reminders.ts';
import { calendarTrigger } from '#contract/schedules.ts';
import { awaitsOtherEvent, passedWhilePaused, type Reason, reminderWasDeleted } from '#domain/ledger-reasons.ts';
import { maxAttemptsOf } from '#domain/retry.ts';
import { firstOccurrence, nextOccurrence } from '#domain/schedule.ts';
import { findReminder } from '#features/reminders/reminders.db.ts';
import * as eventJobs from '#features/reminders/event-jobs.db.ts';
import * as jobs from '#features/reminders/occurrence.db.ts';
import { wakeDispatchers } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';

/** The context of a change, by a person or by the end of a pause. */
type ScheduleContext = Pick<TenantContext, 'db' | 'workspaceId' | 'now'>;

type Scheduled = Pick<ReminderInput, 'name' | 'schedule_config' | 'metadata'> & {
  id: string;
  status: ReminderStatus;
  revision: number;
};

/**
 * Updates the queue after a change to the reminder. An occurrence that has not started moves to its new time; a running one stops after
 * the attempts in flight; an active scheduled reminder then has exactly one next occurrence. Event jobs keep their time. Runs in the
 * transaction that changes the reminder.
 * @param change.isResumed the change activated the reminder
 * @param change.pausedUntil the end of the pause that ends by itself: what came due before it is skipped, with the reason
 */
export async function scheduleReminder(
  ctx: ScheduleContext,
  reminder: Scheduled,
  { reason, isResumed, pausedUntil }: { reason: Reason; isResumed: boolean; pausedUntil?: Temporal.Instant },
): Promise<void> {
  const of = { workspaceId: ctx.workspaceId, reminderId: reminder.id };
  const now = ctx.now.toString();
  const open = await endBegunJobs(ctx, { reminderId: reminder.id, reason });
  const isSkipped = (job: jobs.OpenJob) =>
    pausedUntil !== undefined &&
    job.type === 'reminder' &&
    Temporal.Instant.compare(Temporal.Instant.from(job.scheduled_for), pausedUntil) < 0;
  await jobs.cancelBegun(ctx.db, { jobs: open.filter((job) => !hasBegun(job) && isSkipped(job)), ...reason, now });
  const waiting = open.filter(
    (job) => job.type === 'reminder' && job.status !== 'running' && !hasBegun(job) && !isSkipped(job),
  );
  if (reminder.status !== 'active') {
    await jobs.pauseJobs(ctx.db, { ids: open.filter((job) => !hasBegun(job)).map((job) => job.id), now });
    return;
  }
  await scheduleEventJobs(ctx, { reminder, open, isResumed, resumedAt: pausedUntil ?? ctx.now });
  const first = firstFrom(reminder.schedule_config, { now: ctx.now, pausedUntil });
  const [at, ...later] = await freeTimes(ctx, { reminder, first, except: waiting.map((job) => job.id) });
  const [kept, ...others] = waiting;
  await jobs.deleteJobs(ctx.db, { ids: (at === undefined ? waiting : others).map((job) => job.id) });
  if (at === undefined) return;
  const attempts = maxAttemptsOf(reminder.metadata.channels);
  // What came due between the end of a pause and this resumption is late.
  const asked = pausedUntil?.toString() ?? now;
  const job = { name: reminder.name, revision: reminder.revision, maxAttempts: attempts, asked, now };
  if (kept !== undefined) await jobs.moveJob(ctx.db, { id: kept.id, at, ...job });
  for (const free of kept === undefined ? [at, ...later] : later)
    await jobs.insertOccurrence(ctx.db, { ...of, at: free, ...job });
  await wakeDispatchers(ctx);
}

/**
 * The time from which the next occurrence is looked for. After a pause that ended by itself that is its end, even if occurrences have come due since.
 */
const firstFrom = (
  config: Scheduled['schedule_config'],
  { now, pausedUntil }: { now: Temporal.Instant; pausedUntil: Temporal.Instant | undefined },
) =>
  pausedUntil === undefined
    ? firstOccurrence(config, { now })
    : nextOccurrence(config, { after: pausedUntil.subtract({ milliseconds: 1 }) });

/** Whether a job has been attempted. Includes a manual retry: its attempts restart at 0, but its time and ledger belong to sent messages. */
export const hasBegun = (job: Pick<jobs.OpenJob, 'attempts' | 'expires_at'>) =>
  job.attempts > 0 || job.expires_at !== null;

/** Updates an event reminder's jobs. They survive an edit: a waiting job is sent with the new text. */
async function scheduleEventJobs(
  ctx: ScheduleContext,
  {
    reminder,
    open,
    isResumed,
    resumedAt,
  }: { reminder: Scheduled; open: readonly jobs.OpenJob[]; isResumed: boolean; resumedAt: Temporal.Instant },
): Promise<void> {
  const waiting = open.filter((job) => job.type === 'event_reminder' && job.status !== 'running' && !hasBegun(job));
  if (waiting.length === 0) return;
  const some = { ids: waiting.map((job) => job.id), now: ctx.now.toString() };
  const { name, revision, schedule_config: schedule } = reminder;
  const event = schedule.type === 'event-based' ? (schedule.eventTrigger ?? null) : null;
  await eventJobs.endOfOtherEvents(ctx.db, { ...some, event, ...awaitsOtherEvent });
  const attempts = maxAttemptsOf(reminder.metadata.channels);
  // A message of a calendar keeps the name of its event.
  const nameOfAll = event === calendarTrigger ? null : name;
  await eventJobs.carryOver(ctx.db, { ...some, name: nameOfAll, revision, maxAttempts: attempts });
  if (!isResumed) return;
  await eventJobs.goOn(ctx.db, { ...some, resumedAt: resumedAt.toString(), ...passedWhilePaused });
  await wakeDispatchers(ctx);
}

/** Schedules the next occurrence after one was cancelled, which does not end the reminder. */
export async function scheduleAfterCancelled(
  ctx: TenantContext,
  job: { reminderId: string; scheduledFor: string },
): Promise<void> {
  const reminder = await findReminder(ctx.db, { workspaceId: ctx.workspaceId, id: job.reminderId });
  if (reminder === undefined || reminder.status !== 'active') return;
  const scheduledFor = Temporal.Instant.from(job.scheduledFor);
  const after = Temporal.Instant.compare(scheduledFor, ctx.now) > 0 ? scheduledFor : ctx.now;
  const at = await nextUnscheduled(ctx, { reminder, after });
  if (at === null) return;
  await jobs.insertOccurrence(ctx.db, {
    workspaceId: ctx.workspaceId,
    reminderId: reminder.id,
    name: reminder.name,
    at,
    revision: reminder.revision,
    maxAttempts: maxAttemptsOf(reminder.metadata.channels),
    asked: ctx.now.toString(),
    now: ctx.now.toString(),
  });
}

/** The time of the next occurrence to schedule; null when there is none, or it has a job that will still run. */
async function nextUnscheduled(
  ctx: TenantContext,
  { reminder, after }: { reminder: Pick<Scheduled, 'id' | 'schedule_config'>; after: Temporal.Instant },
): Promise<string | null> {
  const of = { workspaceId: ctx.workspaceId, reminderId: reminder.id };
  const taken = await jobs.takenTimes(ctx.db, { ...of, from: after.toString(), except: [] });
  for (let at = nextOccurrence(reminder.schedule_config, { after }); at !== null; ) {
    const job = taken.get(written(at));
    if (job === undefined) return written(at);
    if (!isSpent(job)) return null;
    at = nextOccurrence(reminder.schedule_config, { after: at });
  }
  return null;
}

/**
 * Prepares the deletion of a reminder: jobs that have started end with a reason.
 * @returns the jobs that have not started, which stay locked until this transaction ends
 */
export async function unscheduleReminder(ctx: TenantContext, reminderId: string): Promise<string[]> {
  const open = await endBegunJobs(ctx, { reminderId, reason: reminderWasDeleted });
  return open.filter((job) => job.status !== 'running' && !hasBegun(job)).map((job) => job.id);
}

/** Locks the open jobs of a reminder until this transaction ends, and ends those that have begun. Returns all of them as they were. */
async function endBegunJobs(
  ctx: ScheduleContext,
  { reminderId, reason }: { reminderId: string; reason: Reason },
): Promise<jobs.OpenJob[]> {
  const open = await jobs.lockOpenJobs(ctx.db, { workspaceId: ctx.workspaceId, reminderId });
  const ids = open.filter((job) => job.status === 'running').map((job) => job.id);
  await jobs.stopRunning(ctx.db, { ids, ...reason });
  const begun = open.filter((job) => job.status !== 'running' && hasBegun(job));
  await jobs.cancelBegun(ctx.db, { jobs: begun, ...reason, now: ctx.now.toString() });
  return open;
}

/**
 * The first occurrence from `first` on without a job, and after each later time with a spent job the next free one: spent jobs schedule no successor,
 * and earlier jobs find their time taken.
 */
async function freeTimes(
  ctx: ScheduleContext,
  { reminder, first, except }: { reminder: Scheduled; first: Temporal.Instant | null; except: readonly string[] },
): Promise<string[]> {
  if (first === null) return [];
  const { schedule_config: schedule } = reminder;
  const of = { workspaceId: ctx.workspaceId, reminderId: reminder.id };
  const taken = await jobs.takenTimes(ctx.db, { ...of, from: first.toString(), except });
  const freeFrom = (from: Temporal.Instant) => {
    let at: Temporal.Instant | null = from;
    while (at !== null && taken.has(written(at))) at = nextOccurrence(schedule, { after: at });
    return at;
  };
  const at = freeFrom(first);
  const later = [...taken]
    .filter(([time, job]) => at !== null && time > written(at) && isSpent(job))
    .map(([time]) => Temporal.Instant.from(time))
    .filter((time) => nextOccurrence(schedule, { after: time.subtract({ milliseconds: 1 }) })?.equals(time))
    .map(freeFrom);
  return [...new Set([at, ...later].flatMap((time) => (time === null ? [] : [written(time)])))];
}

/** The id of the job of the reminder's next occurrence; null when there is none. */
export async function nextJobOf({ db, workspaceId }: TenantContext, reminderId: string): Promise<string | null> {
  return (await jobs.nextJobOf(db, { workspaceId, reminderId }))?.job_id ?? null;
}

/** Whether the job schedules no further occurrence: it has ended, or a manual retry started it early. */
const isSpent = (job: Pick<jobs.OpenJob, 'status' | 'attempts' | 'expires_at'>) => isOver(job.status) || hasBegun(job);

const isOver = (status: JobStatus) => status === 'completed' || status === 'failed' || status === 'cancelled';

const written = (at: Temporal.Instant) => new Date(at.epochMilliseconds).toISOString();
