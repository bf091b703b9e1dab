import { VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
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

export function JobTable({ jobs, onCancel }: JobRowsProps) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th style={{ width: 124 }}>Status</th>
          <th>Name</th>
          <th style={{ width: 132 }}>Type</th>
          <th style={{ width: 176 }}>Scheduled for</th>
          <th style={{ width: 76 }} className={classes.number}>
            Attempts
          </th>
          <th style={{ width: 104 }} className={classes.number}>
            Duration
          </th>
          <th style={{ width: '20%', paddingLeft: 20 }}>Result</th>
          <th style={{ width: 100 }}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <Row key={job.id} {...{ job, onCancel }} />
        ))}
      </tbody>
    </table>
  );
}

const Row = memo(({ job, onCancel }: { job: JobSummary; onCancel: (job: JobSummary) => void }) => {
  return (
    <tr>
      <td>
        <StatusBadge kind="job" status={job.status} tone={isPartial(job) ? 'waiting' : undefined} />
      </td>
      <td>
        <JobLink job={job} />
      </td>
      <td className={classes.quiet}>
        <span className={classes.when}>
          {typeWords[job.type]}
          {job.archived_at && <span className={classes.instant}>Archived</span>}
        </span>
      </td>
      <td>
        <span className={classes.when}>
          <RelativeTime at={job.scheduled_for} />
          <span className={classes.instant}>
            <InstantText at={job.scheduled_for} />
          </span>
        </span>
      </td>
      <td className={classes.number}>
        {job.attempts}/{job.max_attempts}
      </td>
      <td className={classes.number}>
        <JobDuration job={job} />
      </td>
      <td style={{ paddingLeft: 20 }}>
        <RunLine job={job} />
      </td>
      <td>
        <div className={classes.above}>
          <JobActions job={job} onCancel={onCancel} as="icons" />
        </div>
      </td>
    </tr>
  );
});
