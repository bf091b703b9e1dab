import { Skeleton, UnstyledButton } from '@mantine/core';
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

/** How many jobs stand where; each counter narrows the list to what it counts. */
export function JobCounters() {
  const { time, status, tab, change } = useJobsSearch();
  const { data: counts, isPending } = useJobCounts(time);
  const shownStatus = time === 'past-due' ? 'pending' : status;

  const show = (chosen: (typeof counters)[number]['status']) => {
    // Only what is pending can be past due: another status leads out of that filter.
    const leavesPastDue = time === 'past-due' && chosen !== 'pending';
    change({ status: chosen, tab: undefined, ...(leavesPastDue && { time: undefined }) });
  };
  return (
    <div className={classes.counters} role="group" aria-label="Filter jobs by status" aria-busy={isPending}>
      {counters.map(({ key, label, tone, status: counted }) => (
        <UnstyledButton
          key={key}
          className={classes.counter}
          data-tone={tone}
          aria-pressed={tab !== 'history' && shownStatus === counted}
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
    </div>
  );
}
