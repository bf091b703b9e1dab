import type { JobSummary } from '#contract/jobs.ts';
import { durationText } from '#web/ui/duration.ts';
import { useNow } from '#web/ui/RelativeTime.tsx';

/** The time from a job's first start to its end, with what it has waited between attempts; counts up while it runs, and is a dash while it waits for its (next) run. */
export function JobDuration({ job: { status, started_at, completed_at } }: { job: JobSummary }) {
  if (!started_at || status === 'pending' || status === 'paused') return '–';
  if (status === 'running') return <RunningSince startedAt={started_at} />;
  return completed_at ? durationText(Date.parse(completed_at) - Date.parse(started_at)) : '–';
}

function RunningSince({ startedAt }: { startedAt: string }) {
  return durationText(useNow(1_000).getTime() - Date.parse(startedAt));
}
