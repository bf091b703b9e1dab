import type { Job } from '#contract/jobs.ts';
import { useNow } from '#web/ui/RelativeTime.tsx';
import { jobDuration } from './job-duration.ts';

/** How long a job ran; counts on while it runs. */
export function JobDuration({ job }: { job: Job }) {
  return job.status === 'running' ? <Running job={job} /> : (jobDuration(job, new Date()) ?? '–');
}

function Running({ job }: { job: Job }) {
  return jobDuration(job, useNow(1_000)) ?? '–';
}
