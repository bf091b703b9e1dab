import type { JobType } from '#contract/job-types.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import { dayMs } from '#domain/instants.ts';
import { nextOccurrenceMs, ScheduleError } from '#domain/schedule.ts';

/** For how long after its time an occurrence may be sent. */
export const lifetimeMs = dayMs;

/** The occurrence after this one, in epoch milliseconds; null when there is none or the schedule cannot be read. */
export function occurrenceAfter(
  job: { type: JobType; schedule_config: ScheduleConfig | null },
  scheduledForMs: number,
): number | null {
  if (job.type !== 'reminder' || job.schedule_config === null) return null;
  try {
    return nextOccurrenceMs(job.schedule_config, { afterMs: scheduledForMs });
  } catch (error) {
    if (error instanceof ScheduleError) return null;
    throw error;
  }
}

type Begun = {
  job: { begun_at: string | null; expires_at: string | null };
  scheduledForMs: number;
  /** The occurrence after this one. */
  nextMs: number | null;
};

/**
 * Until when an attempt may start, in epoch milliseconds: for a day, or until the next occurrence is due. A job that begins later was allowed
 * to (caught up with, or resumed by a person) and has a day from its start.
 */
export function expiryMsOf({ job, scheduledForMs, nextMs }: Begun, nowMs: number): number {
  if (job.expires_at !== null) return Date.parse(job.expires_at);
  const endMs = Math.min(nextMs ?? Number.POSITIVE_INFINITY, scheduledForMs + lifetimeMs);
  const begunMs = job.begun_at === null ? nowMs : Date.parse(job.begun_at);
  return begunMs < endMs ? endMs : begunMs + lifetimeMs;
}

/** The expiry that is stored for a job; a day after its scheduled time where none is. */
export const storedExpiryMsOf = (job: { scheduled_for: string; expires_at: string | null }): number =>
  job.expires_at === null ? Date.parse(job.scheduled_for) + lifetimeMs : Date.parse(job.expires_at);

/** For how long late failures of a job are gathered: one claim follows all of them, because each reads the whole ledger of the job. */
export const gatherFailuresMs = 10_000;

// Left for the claim itself, before the occurrence expires.
const claimMs = 1_000;

/** When a job is claimed again after a late failure: soon, and before it expires. */
export const claimAgainAtMs = ({ nowMs, expiresAtMs }: { nowMs: number; expiresAtMs: number }): number =>
  Math.max(nowMs, Math.min(nowMs + gatherFailuresMs, expiresAtMs - claimMs));
