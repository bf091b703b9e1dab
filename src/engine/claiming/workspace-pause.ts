import { allPausedUntil, type Reason } from '#domain/ledger-reasons.ts';
import { type ClaimedJob, isFirstClaim } from '#engine/run/claimed-job.ts';

/**
 * Why the pause of all reminders keeps a job from being sent; null when it does not. What comes due before the end of the pause is
 * skipped, also when it is claimed later. Tests and messages of the API are not reminders.
 * @param pausedUntil when the workspace's last pause ends or has ended
 */
export function refusalByPause(
  job: ClaimedJob,
  { pausedUntil, nowMs }: { pausedUntil: string | null; nowMs: number },
): Reason | null {
  if (pausedUntil === null || (job.type !== 'reminder' && job.type !== 'event_reminder')) return null;
  const untilMs = Date.parse(pausedUntil);
  const dueMs = Date.parse(job.due_at ?? job.scheduled_for);
  // Once the pause has ended, what came due during it is refused too, unless it had begun before, such as a manual retry.
  const isPaused = nowMs < untilMs || (dueMs < untilMs && isFirstClaim(job));
  return isPaused ? allPausedUntil(pausedUntil) : null;
}
