import type { MisfirePolicy } from '#contract/misfire.ts';
import { recentOccurrence } from '#domain/catch-up.ts';
import { isBefore, dayMs } from '#domain/instants.ts';
import { latestOccurrence, nextOccurrence } from '#domain/schedule.ts';
import { type ClaimedJob, isFirstClaim } from '#engine/run.ts';

/** A claimed job with its scheduled time and the occurrence after it, null when there is none. */
export type Dated = {
  job: ClaimedJob;
  scheduledFor: Temporal.Instant;
  next: Temporal.Instant | null;
  /** The reminder's rule, or else the workspace's. */
  misfire: MisfirePolicy;
};

/** For how long after its time an occurrence may be sent. */
export const lifetimeMs = dayMs;

// A one-time reminder that is saved in the last second of its lifetime is still sent.
const toleranceMs = 60_000;

/** How late an occurrence may be claimed before `skip` treats it as missed: a busy minute is not downtime. */
const punctualMs = 300_000;

/** How many missed occurrences `all` catches up with. */
const catchUpLimit = 100;

export const dayAfter = (instant: Temporal.Instant) =>
  Temporal.Instant.fromEpochMilliseconds(instant.epochMilliseconds + lifetimeMs);

/**
 * Until when an attempt may start: for a day, or until the next occurrence is due. A job that begins later was allowed
 * to (caught up with, or resumed by a person) and has a day from its start.
 */
export function expiryOf({ job, scheduledFor, next }: Dated, now: Temporal.Instant): Temporal.Instant {
  if (job.expires_at !== null) return Temporal.Instant.from(job.expires_at);
  const dayLater = dayAfter(scheduledFor);
  const end = next !== null && isBefore(next, dayLater) ? next : dayLater;
  const begunAt = job.begun_at === null ? now : Temporal.Instant.from(job.begun_at);
  return isBefore(begunAt, end) ? end : dayAfter(begunAt);
}

/** The expiry that is stored for a job; a day after its scheduled time where none is. */
export const storedExpiryOf = (job: { scheduled_for: string; expires_at: string | null }): Temporal.Instant =>
  job.expires_at === null ? dayAfter(Temporal.Instant.from(job.scheduled_for)) : Temporal.Instant.from(job.expires_at);

/**
 * Applies the catch-up choice: `latest` sends the newest missed occurrence, `skip` none that is late, `all`
 * the newest hundred. A run that has begun is not missed; it ends with its expiry.
 */
export function isMissed({ job, scheduledFor, next, misfire }: Dated, now: Temporal.Instant): boolean {
  if (!isFirstClaim(job)) return false;
  // Resumed by a person after its time: it is sent, and its delay counts from the resumption.
  const dueAt = job.due_at === null ? scheduledFor : Temporal.Instant.from(job.due_at);
  const lateMs = now.epochMilliseconds - dueAt.epochMilliseconds;
  const isTooLate = lateMs >= lifetimeMs + toleranceMs;
  const config = job.schedule_config;
  if (job.type !== 'reminder' || job.due_at !== null || config === null) return isTooLate;
  const isSuperseded = next !== null && !isBefore(now, next);
  switch (misfire) {
    case 'all':
      if (!isSuperseded) return config.scheduleType === 'once' && isTooLate;
      return !next.equals(oldestOf(catchUpLimit - 1, { after: scheduledFor, until: now, config }) ?? next);
    case 'skip':
      return lateMs >= punctualMs || isSuperseded;
    case 'latest':
      return isTooLate || isSuperseded;
    default:
      return misfire satisfies never;
  }
}

/** Whether the owners are notified of a missed job: not for a test, nor for a short delay. */
export const needsNotice = ({ job, scheduledFor }: Dated, now: Temporal.Instant): boolean =>
  job.type !== 'test_reminder' &&
  (job.type === 'api_notification' || job.reminder_status === 'active') &&
  now.epochMilliseconds - scheduledFor.epochMilliseconds >= punctualMs;

/** The first claim of a scheduled occurrence plans the next one. */
export function nextOccurrenceOf(
  { job, scheduledFor, next, misfire }: Dated,
  now: Temporal.Instant,
): Temporal.Instant | null {
  const config = job.schedule_config;
  if (!isFirstClaim(job) || job.reminder_status !== 'active' || next === null || config === null) return null;
  if (isBefore(now, next)) return next;
  const missed = { after: scheduledFor, until: now };
  switch (misfire) {
    // The reminder catches up with one message instead of a flood.
    case 'latest':
      return latestOccurrence(config, missed);
    case 'skip': {
      const latest = latestOccurrence(config, missed);
      const isPunctual = latest !== null && now.epochMilliseconds - latest.epochMilliseconds < punctualMs;
      return isPunctual ? latest : nextOccurrence(config, { after: now });
    }
    case 'all':
      return oldestOf(catchUpLimit, { ...missed, config }) ?? next;
    default:
      return misfire satisfies never;
  }
}

/** The first of the last `limit` missed occurrences. */
const oldestOf = (
  limit: number,
  {
    config,
    ...window
  }: { config: NonNullable<ClaimedJob['schedule_config']>; after: Temporal.Instant; until: Temporal.Instant },
) => recentOccurrence(config, { ...window, limit });
