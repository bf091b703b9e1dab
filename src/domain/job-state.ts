import { noRecipients, type Reason } from '#domain/ledger-reasons.ts';
import type { JobStatus } from '#contract/job-states.ts';
import type { JobType } from '#contract/job-types.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';

/** The number of a job's deliveries in each status. */
export type Tally = Partial<Record<DeliveryStatus, number>>;

export type JobResult = { status: 'completed' | 'failed' | 'cancelled'; message: string | null };

/**
 * The job's result once every delivery has ended: completed when all were accepted, failed ("n of m failed") when any
 * failed or is unknown, cancelled with the reason when nothing was sent.
 */
export function resultOf(tally: Tally, { reason }: { reason: string | null }): JobResult {
  const count = (status: DeliveryStatus) => tally[status] ?? 0;
  const served = count('accepted') + count('delivered');
  const lost = count('failed') + count('unknown');
  const skipped = count('skipped');
  const total = served + lost + skipped;
  if (lost > 0)
    return { status: 'failed', message: `${lost} of ${total} failed${reason === null ? '' : `: ${reason}`}` };
  if (served === 0) return { status: 'cancelled', message: reason ?? noRecipients.reason };
  return {
    status: 'completed',
    message: skipped > 0 ? `${skipped} of ${total} skipped${reason === null ? '' : `: ${reason}`}` : null,
  };
}

/** The actions of the job list, with the statuses in which each is offered. */
export const jobActions = {
  pause: { from: ['pending'], to: 'paused' },
  resume: { from: ['paused'], to: 'pending' },
  retry: { from: ['failed', 'cancelled'], to: 'pending' },
  cancel: { from: ['pending', 'running'], to: 'cancelled' },
} as const satisfies Record<string, { from: readonly JobStatus[]; to: JobStatus }>;

export type JobAction = keyof typeof jobActions;

/** A link that a recipient asked for is sent again to whoever asks, and by no member. */
export const canBeRetried = (type: JobType): boolean => type !== 'preferences_link';

export const isOffered = (action: JobAction, { status, type }: { status: JobStatus; type: JobType }): boolean =>
  jobActions[action].from.some((from) => from === status) && (action !== 'retry' || canBeRetried(type));

/** The columns of a job that is cancelled before it has begun, or between two attempts. @param now an ISO instant */
export const cancelledBecause = ({ code, reason, now }: Reason & { now: string }) => ({
  status: 'cancelled' as const,
  paused_at: null,
  error_message: reason,
  reason_code: code,
  completed_at: now,
  updated_at: now,
});
