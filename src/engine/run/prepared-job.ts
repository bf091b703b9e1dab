import type { MisfirePolicy } from '#contract/misfire.ts';
import type { NoticeKind } from '#contract/notices.ts';
import type { FallbackChain } from '#domain/fallback-chains.ts';
import { type International, parseLineOf, type Target, targetsOfLines } from '#domain/recipients.ts';
import { jobIsUnreadable, type Reason, reasonOfStop, wasMissed, workspaceWasDeleted } from '#domain/ledger-reasons.ts';
import { expiryMsOf, lifetimeMs, occurrenceAfter } from '#domain/lifetime.ts';
import { isMissed, needsNotice, nextOccurrenceOf } from '#engine/run/misfire.ts';
import type { ClaimedJob } from '#engine/run/claimed-job.ts';
import { type Work, workOf } from '#engine/run/work.ts';

/** A claimed job, parsed: its recipients, its expiry and its next occurrence. */
export type PreparedJob = {
  job: ClaimedJob;
  /** Instants are epoch milliseconds. */
  scheduledForMs: number;
  /** No attempt starts after this: one day later, or when the next occurrence is due. */
  expiresAtMs: number;
  /** Whether `expiresAtMs` is later than usual, and therefore has to be stored. */
  isExtended: boolean;
  /** The occurrence after this one, whether scheduled or not; null when there is none. */
  nextMs: number | null;
  /** The occurrence to schedule with this claim; null when there is none. */
  nextOccurrenceMs: number | null;
  dispatch: Dispatch | { refusal: Reason };
  /** Why the job is not sent although nobody cancelled it. The owners are notified. */
  notice: { kind: NoticeKind; reason: string } | null;
};

/** What is sent to whom; `chains` when channels are tried in order. */
export type Dispatch = { work: Work; targets: Target[]; chains: FallbackChain[] | null };

/** Never throws: one job that cannot be read must not stop the claim, which takes many at once. */
export function prepareJob(
  job: ClaimedJob,
  {
    nowMs,
    exists,
    misfire = 'latest',
    pauseRefusal = null,
    internationalFor,
  }: {
    nowMs: number;
    /** False when the workspace was deleted. */
    exists: boolean;
    /** The rule for missed occurrences where the reminder has none. */
    misfire?: MisfirePolicy | undefined;
    /** Why a pause of all reminders keeps the job from being sent; null when none does. */
    pauseRefusal?: Reason | null;
    /** Converts the numbers of a job to E.164, by the default countries of its channels. */
    internationalFor?: (work: Work) => International;
  },
): PreparedJob {
  const scheduledForMs = Date.parse(job.scheduled_for);
  try {
    if (!exists) return alone(job, { scheduledForMs, refusal: workspaceWasDeleted });
    const nextMs = occurrenceAfter(job, scheduledForMs);
    const dated = { job, scheduledForMs, nextMs, misfire: job.metadata?.misfire ?? misfire };
    const hasMissed = pauseRefusal === null && isMissed(dated, nowMs);
    const dispatch =
      pauseRefusal !== null ? { refusal: pauseRefusal } : hasMissed ? missed(job) : dispatchOf(job, internationalFor);
    const notice = hasMissed && needsNotice(dated, nowMs) ? missedNotice : null;
    return {
      job,
      scheduledForMs,
      expiresAtMs: expiryMsOf(dated, nowMs),
      isExtended: false,
      nextMs,
      nextOccurrenceMs: nextOccurrenceOf(dated, nowMs),
      dispatch,
      notice,
    };
  } catch (error) {
    const refusal = jobIsUnreadable(error instanceof Error ? error.message : String(error));
    return alone(job, { scheduledForMs, refusal });
  }
}

const missedNotice = { kind: 'missed', reason: 'Nothing could be sent at that time' } as const;

const alone = (
  job: ClaimedJob,
  { scheduledForMs, refusal }: { scheduledForMs: number; refusal: Reason },
): PreparedJob => ({
  job,
  scheduledForMs,
  expiresAtMs: scheduledForMs + lifetimeMs,
  isExtended: false,
  nextMs: null,
  nextOccurrenceMs: null,
  dispatch: { refusal },
  notice: null,
});

function dispatchOf(job: ClaimedJob, internationalFor?: (work: Work) => International): PreparedJob['dispatch'] {
  if (job.stop_reason !== null) return { refusal: reasonOfStop({ code: job.reason_code, reason: job.stop_reason }) };
  const work = workOf(job);
  if ('refusal' in work) return work;
  const lines = work.recipients.map((text) => parseLineOf(text, work));
  return { work, targets: targetsOfLines(lines, work.channels, internationalFor?.(work)), chains: null };
}

const missed = (job: ClaimedJob) => ({ refusal: wasMissed(job.scheduled_for) });
