import type { JobSummary } from '#contract/jobs.ts';
import classes from './rows.module.css';
import { lineOf, lineTone } from './run-words.ts';

/** What a job came to, in one line: `189 of 193 sent · 4 problems`. */
export function RunLine({ job }: { job: JobSummary }) {
  const line = lineOf(job);
  if (line === null) return null;
  return (
    <span className={classes.message} data-tone={lineTone(job)} title={job.error_message ?? undefined}>
      {line}
    </span>
  );
}
