import { Button, Card } from '@mantine/core';
import { IconArchive, IconCalendarClock, IconFilterOff } from '@tabler/icons-react';
import type { JobSummary } from '#contract/jobs.ts';
import { statusOf } from '#web/api/job-filter.ts';
import { useJobCounts, useJobs } from '#web/api/jobs.ts';
import { useChangeSettings } from '#web/features/workspaces/use-change-settings.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { JobFilters } from './JobFilters.tsx';
import { JobRows, JobRowsSkeleton } from './JobRows.tsx';
import { useJobsSearch } from './jobs-search.ts';

const title = 'Error loading jobs';

/** The jobs that match the filters. */
export function JobList({ onCancel }: { onCancel: (job: JobSummary) => void }) {
  const { status, time, from, to, archived, tests, search } = useJobsSearch();
  const jobs = useJobs({ status, time, from, to, archived, tests, search });
  useErrorToast(jobs.error, { title });
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

/** The number of shown jobs and the total; the total is unknown while a search is active. */
function Extent({ shown }: { shown: number }) {
  const { search, ...filter } = useJobsSearch();
  const counts = useJobCounts(filter).data;
  const status = statusOf(filter);
  const total = counts?.[status === 'all' ? 'total' : status];
  const number = (value: number) => value.toLocaleString('en');
  if (search || total === undefined || total < shown) return `${number(shown)} shown`;
  return `${number(shown)} of ${number(total)} ${total === 1 ? 'job' : 'jobs'}`;
}

function NoJobs() {
  const { status, time, archived, tests, search, change } = useJobsSearch();
  if (archived === 'only' && !time && !search && !tests) return <NoArchivedJobs />;
  if (status || time || search || tests) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title={time === 'past-due' ? 'Nothing is past due' : 'No jobs match'}
        sentence={
          time === 'past-due'
            ? 'A job is past due when its time has come and it is still pending.'
            : 'No job of this workspace matches these filters.'
        }
        action={
          <Button variant="default" onClick={() => change(noFilter)}>
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
      sentence="Each occurrence of a reminder is listed here as a job, with its due time, result and recipients."
      action={<ButtonLink to="/reminders/new">Create a reminder</ButtonLink>}
    />
  );
}

const noFilter = {
  status: undefined,
  time: undefined,
  from: undefined,
  to: undefined,
  archived: undefined,
  tests: undefined,
  search: undefined,
};

function NoArchivedJobs() {
  const { settings } = useWorkspace().workspace;
  const { mayChange, change, isPending } = useChangeSettings();
  const isOn = settings.autoArchiveJobs === true;
  return (
    <EmptyState
      icon={IconArchive}
      title="No archived jobs"
      sentence={
        isOn
          ? 'A completed job moves here 30 days after it has ended.'
          : `This workspace does not archive its jobs: they stay in the list.${mayChange ? '' : ' An admin can change that.'}`
      }
      action={
        !isOn &&
        mayChange && (
          <Button variant="default" loading={isPending} onClick={() => void change({ autoArchiveJobs: true })}>
            Archive completed jobs after 30 days
          </Button>
        )
      }
    />
  );
}
