import { type Target, targetsOf } from '#domain/recipients.ts';
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

/** Never throws: one job that cannot be understood must not stop the claim, which takes many at once. */
export function prepareJob(job: ClaimedJob, now: Temporal.Instant): PreparedJob {
  const scheduledFor = Temporal.Instant.fromEpochMilliseconds(Date.parse(job.scheduled_for));
  try {
    const next = occurrenceAfter(job, scheduledFor);
    const dated = { job, scheduledFor, next };
    const plan = isMissed(dated, now) ? missed(job) : planOf(job);
    return { job, scheduledFor, expiresAt: expiryOf(dated), successor: successorOf(dated, now), plan };
  } catch (error) {
    const refusal = `This job cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return { job, scheduledFor, expiresAt: dayAfter(scheduledFor), successor: null, plan: { refusal } };
  }
}

function planOf(job: ClaimedJob): PreparedJob['plan'] {
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

function expiryOf({ job, scheduledFor, next }: Dated): Temporal.Instant {
  if (job.expires_at !== null) return Temporal.Instant.from(job.expires_at);
  const dayLater = dayAfter(scheduledFor);
  return next !== null && Temporal.Instant.compare(next, dayLater) < 0 ? next : dayLater;
}

/** A later occurrence is due already, or the day in which it made sense is over. */
function isMissed(dated: Dated, now: Temporal.Instant): boolean {
  const { job, scheduledFor, next } = dated;
  if (job.type !== 'reminder' || job.expires_at !== null) return false;
  if (next !== null && Temporal.Instant.compare(next, now) <= 0) return true;
  return now.epochMilliseconds >= scheduledFor.epochMilliseconds + lifetimeMs + graceMs;
}

const dayAfter = (instant: Temporal.Instant) =>
  Temporal.Instant.fromEpochMilliseconds(instant.epochMilliseconds + lifetimeMs);

/**
 * The first claim of a scheduled occurrence plans the next one. After downtime that is the newest missed one, so that a
 * reminder catches up with one message and not with a flood.
 */
function successorOf({ job, scheduledFor, next }: Dated, now: Temporal.Instant): Temporal.Instant | null {
  if (!isFirstClaim(job) || job.reminder_status !== 'active' || next === null || job.schedule_config === null)
    return null;
  if (Temporal.Instant.compare(next, now) > 0) return next;
  return latestOccurrence(job.schedule_config, { after: scheduledFor, until: now });
}
