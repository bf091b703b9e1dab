import { Link } from '@tanstack/react-router';
import type { Job } from '#contract/jobs.ts';
import classes from './rows.module.css';

/** A job's name; leads to its details, from anywhere in its row. */
export function JobLink({ job }: { job: Pick<Job, 'id' | 'name'> }) {
  return (
    <Link
      from="/jobs"
      to="/jobs"
      search={(before) => ({ ...before, job: job.id })}
      resetScroll={false}
      className={classes.name}
      title={job.name}
    >
      {job.name}
    </Link>
  );
}
