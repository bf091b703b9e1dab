import type { Job } from '#contract/jobs.ts';
import { durationText } from '#web/ui/duration.ts';

/** How long a job ran, or has been running by `now`; null while it waits for its (next) run. */
export function jobDuration({ status, started_at, completed_at }: Job, now: Date): string | null {
  if (!started_at || status === 'pending' || status === 'paused') return null;
  const end = status === 'running' ? now.getTime() : completed_at ? Date.parse(completed_at) : null;
  return end === null ? null : durationText(end - Date.parse(started_at));
}
