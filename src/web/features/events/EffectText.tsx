import { Stack } from '@mantine/core';
import type { EventEffect } from '#contract/events.ts';
import type { JobsSearch } from '#web/features/jobs/jobs-search.ts';
import { TextLink } from '#web/ui/links.tsx';
import prose from '#web/ui/prose.module.css';
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
    <Stack gap={4} py={4} lh="1.25rem">
      {count === 0 && <span>Nothing</span>}
      {jobs.length > 0 && (
        <ul className={classes.jobs} aria-label="Jobs">
          {jobs.map(({ job_id: id, name, status }) => (
            <li key={id}>
              <TextLink to="/jobs" search={{ ...within, job: id }} className={prose.breaks}>
                {name}
              </TextLink>
              <StatusBadge kind="job" status={status} />
            </li>
          ))}
          {more > 0 && <li className={prose.note}>and {more.toLocaleString('en')} more</li>}
        </ul>
      )}
      {hint !== null && <span className={prose.note}>{hint}</span>}
    </Stack>
  );
}
