import type { Chain } from '#domain/chains.ts';
import { type Target, targetsOf } from '#domain/recipients.ts';
import { nextOccurrence, ScheduleError } from '#domain/schedule.ts';
import { dayAfter, expiryOf, isMissed, isWorthANotice, successorOf } from '#engine/misfire.ts';
import type { ClaimedJob, Work } from '#engine/run.ts';
import { workOf } from '#engine/work.ts';

/** A claimed job, read and understood: whom it is for, until when it may be tried, what comes after it. */
export type PreparedJob = {
  job: ClaimedJob;
  scheduledFor: Temporal.Instant;
  /** No attempt starts after this: a day later, or when the next occurrence speaks for itself. */
  expiresAt: Temporal.Instant;
  /** The time above is longer than is usual, and has to be written down. */
  isExtended: boolean;
  /** The occurrence after this one, planned already or not; null when there is none. */
  next: Temporal.Instant | null;
  /** The occurrence to plan with this claim, null when there is none. */
  successor: Temporal.Instant | null;
  plan: Plan | { refusal: string };
  /** Why it is not sent although nobody wished so: the owners are told. */
  notice: string | null;
};

/** Whom it goes to; `chains` where channels are tried in order. */
export type Plan = { work: Work; targets: Target[]; chains: Chain[] | null };

/** Never throws: one job that cannot be understood must not stop the claim, which takes many at once. */
export function prepareJob(
  job: ClaimedJob,
  { now, exists }: { now: Temporal.Instant /** The workspace is still there. */; exists: boolean },
): PreparedJob {
  const scheduledFor = Temporal.Instant.fromEpochMilliseconds(Date.parse(job.scheduled_for));
  try {
    if (!exists) return alone(job, { scheduledFor, refusal: 'The workspace was deleted' });
    const next = occurrenceAfter(job, scheduledFor);
    const dated = { job, scheduledFor, next };
    const hasMissed = isMissed(dated, now);
    const plan = hasMissed ? missed(job) : planOf(job);
    const notice = hasMissed && isWorthANotice(dated, now) ? 'Nothing could be sent at that time' : null;
    const expiresAt = expiryOf(dated, now);
    return { job, scheduledFor, expiresAt, isExtended: false, next, successor: successorOf(dated, now), plan, notice };
  } catch (error) {
    const refusal = `This job cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return alone(job, { scheduledFor, refusal });
  }
}

const alone = (
  job: ClaimedJob,
  { scheduledFor, refusal }: { scheduledFor: Temporal.Instant; refusal: string },
): PreparedJob => ({
  job,
  scheduledFor,
  expiresAt: dayAfter(scheduledFor),
  isExtended: false,
  next: null,
  successor: null,
  plan: { refusal },
  notice: null,
});

function planOf(job: ClaimedJob): PreparedJob['plan'] {
  if (job.stop_reason !== null) return { refusal: job.stop_reason };
  const work = workOf(job);
  return 'refusal' in work ? work : { work, targets: targetsOf(work.recipients, work.channels), chains: null };
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
