import { Skeleton, UnstyledButton } from '@mantine/core';
import { chooseStatus, statusOf } from '#web/api/job-filter.ts';
import { useJobCounts } from '#web/api/jobs.ts';
import classes from './JobCounters.module.css';
import { useJobsSearch } from './jobs-search.ts';

const counters = [
  { key: 'total', label: 'Total', tone: 'none', status: undefined },
  { key: 'pending', label: 'Pending', tone: 'quiet', status: 'pending' },
  { key: 'running', label: 'Running', tone: 'moving', status: 'running' },
  { key: 'completed', label: 'Completed', tone: 'good', status: 'completed' },
  { key: 'failed', label: 'Failed', tone: 'bad', status: 'failed' },
] as const;

/** The number of jobs per status; a click on a counter filters the list by it. */
export function JobCounters() {
  const { time, from, to, status, archived, tests, tab, change } = useJobsSearch();
  const filter = { status, time, from, to, archived, tests };
  const { data: counts, isPending } = useJobCounts(filter);
  // The other counters do not add up to the total without these.
  const others = (['paused', 'cancelled'] as const).flatMap((each) => {
    const count = counts?.[each] ?? 0;
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${each}`];
  });
  const shownStatus = statusOf(filter);

  const show = (chosen: (typeof counters)[number]['status']) =>
    change({ ...chooseStatus(filter, chosen), tab: undefined });
  return (
    <div className={classes.counters} role="group" aria-label="Filter jobs by status" aria-busy={isPending}>
      {counters.map(({ key, label, tone, status: counted }) => (
        <UnstyledButton
          key={key}
          className={classes.counter}
          data-tone={tone}
          aria-pressed={tab === undefined && shownStatus === (counted ?? 'all')}
          onClick={() => show(counted)}
        >
          <span className={classes.label}>{label}</span>
          <span className={classes.figure}>
            {isPending ? (
              <Skeleton component="span" className={classes.skeleton} />
            ) : (
              (counts?.[key].toLocaleString('en') ?? '–')
            )}
          </span>
        </UnstyledButton>
      ))}
      {/* Its line is there before its text, so that nothing jumps. */}
      <p className={classes.others}>{others.length > 0 && `The total includes ${others.join(' and ')}`}</p>
    </div>
  );
}
