import type { MisfirePolicy } from '#contract/misfire.ts';
import type { NoticeKind } from '#contract/notices.ts';
import type { FallbackChain } from '#domain/fallback-chains.ts';
import { type International, type Target, targetsOf } from '#domain/recipients.ts';
import { nextOccurrence, ScheduleError } from '#domain/schedule.ts';
import { dayAfter, expiryOf, isMissed, needsNotice, nextOccurrenceOf } from '#engine/misfire.ts';
import type { ClaimedJob, Work } from '#engine/run.ts';
import { workOf } from '#engine/work.ts';

/** A claimed job, parsed: its recipients, its expiry and its next occurrence. */
export type PreparedJob = {
  job: ClaimedJob;
  scheduledFor: Temporal.Instant;
  /** No attempt starts after this: one day later, or when the next occurrence is due. */
  expiresAt: Temporal.Instant;
  /** `expiresAt` is later than usual and has to be stored. */
  isExtended: boolean;
  /** The occurrence after this one, whether planned or not; null when there is none. */
  next: Temporal.Instant | null;
  /** The occurrence to plan with this claim; null when there is none. */
  nextOccurrence: Temporal.Instant | null;
  plan: Plan | { refusal: string };
  /** Why the job is not sent although nobody cancelled it. The owners are notified. */
  notice: { kind: NoticeKind; reason: string } | null;
};

/** The recipients; `chains` when channels are tried in order. */
export type Plan = { work: Work; targets: Target[]; chains: FallbackChain[] | null };

/** Never throws: one job that cannot be read must not stop the claim, which takes many at once. */
export function prepareJob(
  job: ClaimedJob,
  {
    now,
    exists,
    misfire = 'latest',
    pauseRefusal = null,
    internationalFor,
  }: {
    now: Temporal.Instant;
    /** False when the workspace was deleted. */
    exists: boolean;
    /** The rule for missed occurrences where the reminder has none. */
    misfire?: MisfirePolicy | undefined;
    /** Why a pause of all reminders keeps it from being sent. */
    pauseRefusal?: string | null;
    /** Converts the numbers of a job to E.164, by the default countries of its channels. */
    internationalFor?: (work: Work) => International;
  },
): PreparedJob {
  const scheduledFor = Temporal.Instant.fromEpochMilliseconds(Date.parse(job.scheduled_for));
  try {
    if (!exists) return alone(job, { scheduledFor, refusal: 'The workspace was deleted' });
    const next = occurrenceAfter(job, scheduledFor);
    const dated = { job, scheduledFor, next, misfire: job.metadata?.misfire ?? misfire };
    const hasMissed = pauseRefusal === null && isMissed(dated, now);
    const plan =
      pauseRefusal !== null ? { refusal: pauseRefusal } : hasMissed ? missed(job) : planOf(job, internationalFor);
    const notice = hasMissed && needsNotice(dated, now) ? missedNotice : null;
    const expiresAt = expiryOf(dated, now);
    return {
      job,
      scheduledFor,
      expiresAt,
      isExtended: false,
      next,
      nextOccurrence: nextOccurrenceOf(dated, now),
      plan,
      notice,
    };
  } catch (error) {
    const refusal = `This job cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return alone(job, { scheduledFor, refusal });
  }
}

const missedNotice = { kind: 'missed', reason: 'Nothing could be sent at that time' } as const;

const alone = (
  job: ClaimedJob,
  { scheduledFor, refusal }: { scheduledFor: Temporal.Instant; refusal: string },
): PreparedJob => ({
  job,
  scheduledFor,
  expiresAt: dayAfter(scheduledFor),
  isExtended: false,
  next: null,
  nextOccurrence: null,
  plan: { refusal },
  notice: null,
});

function planOf(job: ClaimedJob, internationalFor?: (work: Work) => International): PreparedJob['plan'] {
  if (job.stop_reason !== null) return { refusal: job.stop_reason };
  const work = workOf(job);
  if ('refusal' in work) return work;
  return { work, targets: targetsOf(work.recipients, work.channels, internationalFor?.(work)), chains: null };
}

const missed = (job: ClaimedJob) => ({
  refusal: `Missed: it was due at ${job.scheduled_for} and could not be sent in time`,
});

/** Returns the occurrence after this one; null when there is none or the schedule cannot be read. */
function occurrenceAfter(job: ClaimedJob, scheduledFor: Temporal.Instant): Temporal.Instant | null {
  if (job.type !== 'reminder' || job.schedule_config === null) return null;
  try {
    return nextOccurrence(job.schedule_config, { after: scheduledFor });
  } catch (error) {
    if (error instanceof ScheduleError) return null;
    throw error;
  }
}
