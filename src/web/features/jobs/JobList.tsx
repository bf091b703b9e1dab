import { Button, Card } from '@mantine/core';
import { IconCalendarClock, IconFilterOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import type { Job } from '#contract/jobs.ts';
import { statusOf } from '#web/api/job-filter.ts';
import { useJobCounts, useJobs } from '#web/api/jobs.ts';
import { useHasRoute } from '#web/app/navigation.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { JobFilters } from './JobFilters.tsx';
import { JobRows, JobRowsSkeleton } from './JobRows.tsx';
import { useJobsSearch } from './jobs-search.ts';

const title = 'Error loading jobs';

/** The jobs that the filters let through. */
export function JobList({ onCancel }: { onCancel: (job: Job) => void }) {
  const { status, time, search } = useJobsSearch();
  const jobs = useJobs({ status, time, search });
  useEffect(() => {
    if (jobs.error) notifyFailure(title, jobs.error);
  }, [jobs.error]);
  return (
    <>
      <JobFilters />
      <Card padding={0} aria-busy={jobs.isPending || jobs.isPlaceholderData}>
        {jobs.isPending ? (
          <JobRowsSkeleton />
        ) : !jobs.data ? (
          <ErrorState
            title={title}
            error={jobs.error}
            onRetry={() => void jobs.refetch()}
            isRetrying={jobs.isFetching}
          />
        ) : jobs.data.length === 0 ? (
          <NoJobs />
        ) : (
          <>
            <JobRows jobs={jobs.data} onCancel={onCancel} isStale={jobs.isPlaceholderData} />
            <LoadMore of={jobs}>
              <Extent shown={jobs.data.length} />
            </LoadMore>
          </>
        )}
      </Card>
    </>
  );
}

/** How much of the whole is shown; the whole is known unless a search narrows it. */
function Extent({ shown }: { shown: number }) {
  const { search, ...filter } = useJobsSearch();
  const counts = useJobCounts(filter.time).data;
  const status = statusOf(filter);
  const total = counts?.[status === 'all' ? 'total' : status];
  const number = (value: number) => value.toLocaleString('en');
  if (search || total === undefined || total < shown) return `${number(shown)} shown`;
  return `${number(shown)} of ${number(total)} ${total === 1 ? 'job' : 'jobs'}`;
}

function NoJobs() {
  const { status, time, search, change } = useJobsSearch();
  const canCreate = useHasRoute()('/reminders/new');
  if (status || time || search) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title={time === 'past-due' ? 'Nothing is past due' : 'No jobs match'}
        sentence={
          time === 'past-due'
            ? 'A job is past due when its time has come and it is still pending.'
            : 'No job of this workspace fits these filters.'
        }
        action={
          <Button variant="default" onClick={() => change({ status: undefined, time: undefined, search: undefined })}>
            Show all jobs
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={IconCalendarClock}
      title="No jobs yet"
      sentence="Each occurrence of a reminder becomes a job here: when it is due, how it went, and who got it."
      action={canCreate && <ButtonLink to={newReminder}>Create a reminder</ButtonLink>}
    />
  );
}

// A plain string: the link is offered only where the screen exists.
const newReminder: string = '/reminders/new';
