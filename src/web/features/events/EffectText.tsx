import type { EventEffect } from '#contract/events.ts';
import type { JobsSearch } from '#web/features/jobs/jobs-search.ts';
import { TextLink } from '#web/ui/links.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import classes from './events.module.css';

type EffectTextProps = {
  effect: EventEffect;
  /** The state of the Job Scheduler in which a job opens. */
  within?: Pick<JobsSearch, 'tab' | 'event'>;
};

/** What an event set off: its jobs, or nothing and why. */
export function EffectText({ effect: { jobs, job_count: count, hint }, within = {} }: EffectTextProps) {
  const more = count - jobs.length;
  return (
    <div className={classes.effect}>
      {count === 0 && <span>Nothing</span>}
      {jobs.length > 0 && (
        <ul className={classes.jobs} aria-label="Jobs">
          {jobs.map(({ job_id: id, name, status }) => (
            <li key={id}>
              <TextLink to="/jobs" search={{ ...within, job: id }} className={classes.job}>
                {name}
              </TextLink>
              <StatusBadge kind="job" status={status} />
            </li>
          ))}
          {more > 0 && <li className={classes.hint}>and {more.toLocaleString('en')} more</li>}
        </ul>
      )}
      {hint !== null && <span className={classes.hint}>{hint}</span>}
    </div>
  );
}
