import { isCounted } from '#contract/job-types.ts';
import type { MisfirePolicy } from '#contract/misfire.ts';
import { recentOccurrence } from '#domain/catch-up.ts';
import { lifetimeMs } from '#domain/lifetime.ts';
import { latestOccurrence, nextOccurrenceMs } from '#domain/schedule.ts';
import { type ClaimedJob, isFirstClaim } from '#engine/run/claimed-job.ts';

/**
 * A claimed job with its scheduled time and the occurrence after it, null when there is none; both in epoch
 * milliseconds.
 */
export type Dated = {
  job: ClaimedJob;
  scheduledForMs: number;
  nextMs: number | null;
  /** The reminder's rule, or else the workspace's. */
  misfire: MisfirePolicy;
};

// Added to the lifetime, so that a one-time reminder saved in its last second is still sent.
const toleranceMs = 60_000;

/** How late an occurrence may be claimed before `skip` treats it as missed: a busy minute is not downtime. */
const punctualMs = 300_000;

/** How many missed occurrences `all` catches up with. */
const catchUpLimit = 100;

/**
 * Applies the catch-up choice: `latest` sends the newest missed occurrence, `skip` none that is late, `all`
 * the newest hundred. A run that has begun is not missed; it ends with its expiry.
 */
export function isMissed({ job, scheduledForMs, nextMs, misfire }: Dated, nowMs: number): boolean {
  if (!isFirstClaim(job)) return false;
  // Resumed by a person after its time: it is sent, and its delay counts from the resumption.
  const lateMs = nowMs - (job.due_at === null ? scheduledForMs : Date.parse(job.due_at));
  const isTooLate = lateMs >= lifetimeMs + toleranceMs;
  const config = job.schedule_config;
  if (job.type !== 'reminder' || job.due_at !== null || config === null) return isTooLate;
  const isSuperseded = nextMs !== null && nowMs >= nextMs;
  switch (misfire) {
    case 'all':
      if (!isSuperseded) return config.scheduleType === 'once' && isTooLate;
      return nextMs !== (oldestOf(catchUpLimit - 1, { afterMs: scheduledForMs, untilMs: nowMs, config }) ?? nextMs);
    case 'skip':
      return lateMs >= punctualMs || isSuperseded;
    case 'latest':
      return isTooLate || isSuperseded;
    default:
      return misfire satisfies never;
  }
}

/** Whether the owners are notified of a missed job: not for a test or a requested link, nor for a short delay. */
export const needsNotice = ({ job, scheduledForMs }: Dated, nowMs: number): boolean =>
  isCounted(job.type) &&
  (job.type === 'api_notification' || job.reminder_status === 'active') &&
  nowMs - scheduledForMs >= punctualMs;

/** The first claim of a scheduled occurrence schedules the next one. Returns its time in epoch milliseconds. */
export function nextOccurrenceOf({ job, scheduledForMs, nextMs, misfire }: Dated, nowMs: number): number | null {
  const config = job.schedule_config;
  if (!isFirstClaim(job) || job.reminder_status !== 'active' || nextMs === null || config === null) return null;
  if (nowMs < nextMs) return nextMs;
  switch (misfire) {
    // The reminder catches up with one message instead of a flood.
    case 'latest':
      return latestMissed({ afterMs: scheduledForMs, untilMs: nowMs, config });
    case 'skip': {
      const latestMs = latestMissed({ afterMs: scheduledForMs, untilMs: nowMs, config });
      if (latestMs !== null && nowMs - latestMs < punctualMs) return latestMs;
      return nextOccurrenceMs(config, { afterMs: nowMs });
    }
    case 'all':
      return oldestOf(catchUpLimit, { afterMs: scheduledForMs, untilMs: nowMs, config }) ?? nextMs;
    default:
      return misfire satisfies never;
  }
}

type Missed = { config: NonNullable<ClaimedJob['schedule_config']>; afterMs: number; untilMs: number };

const latestMissed = ({ config, afterMs, untilMs }: Missed): number | null =>
  latestOccurrence(config, { after: instantOf(afterMs), until: instantOf(untilMs) })?.epochMilliseconds ?? null;

/** The scheduled time of the first of the last `limit` missed occurrences. */
const oldestOf = (limit: number, { config, afterMs, untilMs }: Missed): number | null =>
  recentOccurrence(config, { after: instantOf(afterMs), until: instantOf(untilMs), limit })?.epochMilliseconds ?? null;

const instantOf = (epochMs: number) => Temporal.Instant.fromEpochMilliseconds(epochMs);
