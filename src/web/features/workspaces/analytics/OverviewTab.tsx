import type { Analytics } from '#contract/analytics.ts';
import { jobStatuses } from '#contract/job-states.ts';
import { RecordSection } from '#web/ui/Record.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import classes from './analytics.module.css';

const resources = [
  ['reminders', 'Reminders'],
  ['templates', 'Templates'],
  ['contacts', 'Contacts'],
  ['channels', 'Channels'],
] as const;

/** How many jobs are in each status, with their share as a bar, and what the workspace has. */
export function OverviewTab({ of: { jobs, ...counts } }: { of: Analytics }) {
  const most = Math.max(1, ...jobStatuses.map((status) => jobs[status]));
  return (
    <div className={classes.columns}>
      <RecordSection title="Job status">
        <dl className={classes.lines}>
          {jobStatuses.map((status) => (
            <div key={status}>
              <dt>
                <StatusBadge kind="job" status={status} />
                {status === 'failed' && jobs.failed > 0 && <span className={classes.note}> or partly sent</span>}
              </dt>
              <dd className={classes.count}>{jobs[status].toLocaleString('en')}</dd>
              <dd className={classes.bar} aria-hidden>
                <span style={{ width: `${(jobs[status] / most) * 100}%` }} />
              </dd>
            </div>
          ))}
        </dl>
      </RecordSection>
      <RecordSection title="Resource usage">
        <dl className={`${classes.lines} ${classes.resources}`}>
          {resources.map(([key, name]) => (
            <div key={key}>
              <dt>{name}</dt>
              <dd className={classes.count}>{counts[key].toLocaleString('en')}</dd>
            </div>
          ))}
        </dl>
      </RecordSection>
    </div>
  );
}
