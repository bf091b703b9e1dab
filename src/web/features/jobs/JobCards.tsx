import type { JobSummary } from '#contract/jobs.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import { JobActions } from './JobActions.tsx';
import { JobDuration } from './JobDuration.tsx';
import { JobLink } from './JobLink.tsx';
import type { JobRowsProps } from './JobRows.tsx';
import { typeWords } from './job-words.ts';
import { RunLine } from './RunLine.tsx';
import classes from './rows.module.css';
import { isPartial } from './run-words.ts';

export function JobCards({ jobs, onCancel }: JobRowsProps) {
  return (
    <ul className={classes.cards}>
      {jobs.map((job) => (
        <JobCard key={job.id} {...{ job, onCancel }} />
      ))}
    </ul>
  );
}

function JobCard({ job, onCancel }: { job: JobSummary; onCancel: (job: JobSummary) => void }) {
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <StatusBadge kind="job" status={job.status} tone={isPartial(job) ? 'waiting' : undefined} />
        <RelativeTime at={job.scheduled_for} />
      </div>
      <JobLink job={job} />
      <div className={classes.facts}>
        <InstantText at={job.scheduled_for} />
        <span>{typeWords[job.type]}</span>
        {job.archived_at && <span>Archived</span>}
        <span>
          {job.attempts}/{job.max_attempts} attempts
          {job.started_at && job.status !== 'pending' && job.status !== 'paused' && (
            <>
              {' · '}
              <JobDuration job={job} />
            </>
          )}
        </span>
      </div>
      <RunLine job={job} />
      <div className={classes.above}>
        <JobActions job={job} onCancel={onCancel} as="buttons" />
      </div>
    </li>
  );
}
