import { isBefore } from '#domain/instants.ts';
import { type ClaimedJob, isFirstClaim } from '#engine/run.ts';

/**
 * Why the pause of all reminders keeps a job from being sent; null when it does not. What comes due before the end of the pause is
 * skipped, also when it is claimed later. Tests and messages of the API are not reminders.
 * @param pausedUntil when the workspace's last pause ends or has ended
 */
export function refusalByPause(
  job: ClaimedJob,
  { pausedUntil, now }: { pausedUntil: string | null; now: Temporal.Instant },
): string | null {
  if (pausedUntil === null || (job.type !== 'reminder' && job.type !== 'event_reminder')) return null;
  const until = Temporal.Instant.from(pausedUntil);
  const dueAt = Temporal.Instant.from(job.due_at ?? job.scheduled_for);
  // After the pause only what has not begun: a manual retry is sent.
  const isPaused = isBefore(now, until) || (isFirstClaim(job) && isBefore(dueAt, until));
  return isPaused ? `All reminders were paused until ${pausedUntil}` : null;
}
