import { type Target, targetsOf } from '#domain/recipients.ts';
import { recentOccurrence } from '#domain/catch-up.ts';
import { latestOccurrence, nextOccurrence, ScheduleError } from '#domain/schedule.ts';
import { type ClaimedJob, isFirstClaim, type Work } from '#engine/run.ts';
import { workOf } from '#engine/work.ts';

/** A claimed job, read and understood: whom it is for, until when it may be tried, what comes after it. */
export type PreparedJob = {
  job: ClaimedJob;
  scheduledFor: Temporal.Instant;
  /** No attempt starts after this: a day later, or when the next occurrence speaks for itself. */
  expiresAt: Temporal.Instant;
  /** The occurrence to plan with this claim, null when there is none. */
  successor: Temporal.Instant | null;
  plan: { work: Work; targets: Target[] } | { refusal: string };
};

const lifetimeMs = 86_400_000;

// A one-time reminder saved in the last second of its day of grace still goes out.
const graceMs = 60_000;

/** How late an occurrence may be taken up before `skip` calls it missed: a busy minute is not downtime. */
const punctualMs = 300_000;

/** How many missed occurrences `all` catches up with. */
const catchUpLimit = 100;

/** Never throws: one job that cannot be understood must not stop the claim, which takes many at once. */
export function prepareJob(
  job: ClaimedJob,
  { now, exists }: { now: Temporal.Instant /** The workspace is still there. */; exists: boolean },
): PreparedJob {
  const scheduledFor = Temporal.Instant.fromEpochMilliseconds(Date.parse(job.scheduled_for));
  try {
    if (!exists) return alone(job, { scheduledFor, refusal: 'The workspace was deleted' });
    const dated = { job, scheduledFor, next: occurrenceAfter(job, scheduledFor) };
    const plan = isMissed(dated, now) ? missed(job) : planOf(job);
    return { job, scheduledFor, expiresAt: expiryOf(dated, now), successor: successorOf(dated, now), plan };
  } catch (error) {
    const refusal = `This job cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return alone(job, { scheduledFor, refusal });
  }
}

const alone = (
  job: ClaimedJob,
  { scheduledFor, refusal }: { scheduledFor: Temporal.Instant; refusal: string },
): PreparedJob => ({ job, scheduledFor, expiresAt: dayAfter(scheduledFor), successor: null, plan: { refusal } });

function planOf(job: ClaimedJob): PreparedJob['plan'] {
  if (job.stop_reason !== null) return { refusal: job.stop_reason };
  const work = workOf(job);
  return 'refusal' in work ? work : { work, targets: targetsOf(work.recipients, work.channels) };
}

const missed = (job: ClaimedJob) => ({
  refusal: `Missed: it was due at ${job.scheduled_for} and could not be sent in time`,
});

/** The occurrence after this one, null when there is none or the schedule can no longer be understood. */
function occurrenceAfter(job: ClaimedJob, scheduledFor: Temporal.Instant): Temporal.Instant | null {
  if (job.type !== 'reminder' || job.schedule_config === null) return null;
  try {
    return nextOccurrence(job.schedule_config, { after: scheduledFor });
  } catch (error) {
    if (error instanceof ScheduleError) return null;
    throw error;
  }
}

type Dated = { job: ClaimedJob; scheduledFor: Temporal.Instant; next: Temporal.Instant | null };

const misfireOf = (job: ClaimedJob) => job.metadata?.misfire ?? 'latest';

/** One of `all` that are caught up with has a day from now, however old it is. */
function expiryOf({ job, scheduledFor, next }: Dated, now: Temporal.Instant): Temporal.Instant {
  if (job.expires_at !== null) return Temporal.Instant.from(job.expires_at);
  const isDueAlready = next !== null && Temporal.Instant.compare(next, now) <= 0;
  if (job.type === 'reminder' && misfireOf(job) === 'all' && isDueAlready) return dayAfter(now);
  const dayLater = dayAfter(scheduledFor);
  return next !== null && Temporal.Instant.compare(next, dayLater) < 0 ? next : dayLater;
}

/**
 * By the reminder's own choice: `latest` sends the newest of the missed occurrences, `skip` none that is late, `all` every
 * one. A run that has begun is not missed: it ends with its expiry.
 */
function isMissed({ job, scheduledFor, next }: Dated, now: Temporal.Instant): boolean {
  if (job.type !== 'reminder' || !isFirstClaim(job)) return false;
  const lateMs = now.epochMilliseconds - scheduledFor.epochMilliseconds;
  const misfire = misfireOf(job);
  switch (misfire) {
    case 'all':
      return next === null && lateMs >= lifetimeMs + graceMs;
    case 'skip':
      return lateMs >= punctualMs;
    case 'latest':
      return lateMs >= lifetimeMs + graceMs || (next !== null && Temporal.Instant.compare(next, now) <= 0);
    default:
      return misfire satisfies never;
  }
}

const dayAfter = (instant: Temporal.Instant) =>
  Temporal.Instant.fromEpochMilliseconds(instant.epochMilliseconds + lifetimeMs);

/** The first claim of a scheduled occurrence plans the one that is to be looked at next. */
function successorOf({ job, scheduledFor, next }: Dated, now: Temporal.Instant): Temporal.Instant | null {
  if (!isFirstClaim(job) || job.reminder_status !== 'active' || next === null || job.schedule_config === null)
    return null;
  if (Temporal.Instant.compare(next, now) > 0) return next;
  const missedAfter = { after: scheduledFor, until: now };
  const misfire = misfireOf(job);
  switch (misfire) {
    // A reminder catches up with one message and not with a flood.
    case 'latest':
      return latestOccurrence(job.schedule_config, missedAfter);
    case 'skip':
      return nextOccurrence(job.schedule_config, { after: now });
    case 'all':
      return recentOccurrence(job.schedule_config, { ...missedAfter, limit: catchUpLimit }) ?? next;
    default:
      return misfire satisfies never;
  }
}
