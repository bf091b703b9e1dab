import { personPausedUntil, type Reason, skippedForPerson } from '#domain/ledger-reasons.ts';

/** What keeps a person from getting a reminder, as it is stored. */
export type StoredExclusion = {
  /** Whether somebody has skipped the run for them. */
  is_skipped: boolean;
  /** The day on which reminders to them begin again, such as `2026-12-01`; null where they were never paused. */
  paused_until: string | null;
  /** Their own timezone; null when unknown. */
  timezone: string | null;
};

export type Exclusion = { kind: 'skipped' } | { kind: 'paused'; until: string };

type At = {
  dueMs: number;
  nowMs: number;
  /** The zone of a person without one: the reminder's. */
  timezone: string;
  /** Whether this occurrence has not begun before. */
  isFirst: boolean;
};

/**
 * Why a person does not get an occurrence; null where nothing keeps it from them. What came due before the day on which their pause ends is not sent
 * later, unless it had begun before.
 */
export function exclusionOf(
  { is_skipped: isSkipped, paused_until: until, timezone: own }: StoredExclusion,
  { dueMs, nowMs, timezone, isFirst }: At,
): Exclusion | null {
  if (isSkipped) return { kind: 'skipped' };
  if (until === null) return null;
  const endMs = pauseEndMs(until, own ?? timezone);
  return nowMs < endMs || (isFirst && dueMs < endMs) ? { kind: 'paused', until } : null;
}

/** When a pause until this day ends: as the day begins. A zone that this machine does not know counts as UTC. */
export function pauseEndMs(until: string, timezone: string): number {
  const day = Temporal.PlainDate.from(until);
  try {
    return day.toZonedDateTime(timezone).epochMilliseconds;
  } catch {
    return day.toZonedDateTime('UTC').epochMilliseconds;
  }
}

export const reasonOfExclusion = (exclusion: Exclusion): Reason =>
  exclusion.kind === 'skipped' ? skippedForPerson : personPausedUntil(exclusion.until);

/** Whether a code says that a person was not to get a message, over whichever channel. */
export const isExclusion = (code: Reason['code']): boolean => code === 'person_skipped' || code === 'person_paused';
