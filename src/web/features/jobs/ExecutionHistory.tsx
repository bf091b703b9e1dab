import { Button, Card } from '@mantine/core';
import { IconFilterOff, IconHistory } from '@tabler/icons-react';
import { useExecutions } from '#web/api/jobs.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { ExecutionRows } from './ExecutionRows.tsx';
import { HistoryFilters, useRunFilter } from './HistoryFilters.tsx';
import { JobRowsSkeleton } from './JobRows.tsx';
import { useJobsSearch } from './jobs-search.ts';

const title = 'Error loading job executions';

const noFilter = {
  ran: undefined,
  from: undefined,
  to: undefined,
  result: undefined,
  channel: undefined,
  reminder: undefined,
  search: undefined,
};

/** The latest executions that match the filters. */
export function ExecutionHistory() {
  const filter = useRunFilter();
  const executions = useExecutions(filter);
  useErrorToast(executions.error, { title });
  return (
    <>
      <HistoryFilters />
      <Runs executions={executions} isFiltered={Object.values(filter).some((value) => value !== undefined)} />
    </>
  );
}

type RunsProps = { executions: ReturnType<typeof useExecutions>; isFiltered: boolean };

function Runs({ executions, isFiltered }: RunsProps) {
  const { change } = useJobsSearch();
  return (
    <Card padding={0} aria-busy={executions.isPending || executions.isPlaceholderData}>
      {executions.isPending ? (
        <JobRowsSkeleton />
      ) : !executions.data ? (
        <ErrorState
          title={title}
          error={executions.error}
          onRetry={() => void executions.refetch()}
          isRetrying={executions.isFetching}
        />
      ) : executions.data.length === 0 && isFiltered ? (
        <EmptyState
          icon={IconFilterOff}
          title="No runs match"
          sentence="No run of this workspace fits these filters."
          action={
            <Button variant="default" onClick={() => change(noFilter)}>
              Show all runs
            </Button>
          }
        />
      ) : executions.data.length === 0 ? (
        <EmptyState
          icon={IconHistory}
          title="Nothing has run yet"
          sentence="Each run of a job is listed here with its duration and logs. Send a test from a reminder to see the first one."
        />
      ) : (
        <>
          <ExecutionRows executions={executions.data} />
          <LoadMore of={executions}>
            {executions.hasNextPage && 'The latest '}
            {executions.data.length.toLocaleString('en')} {executions.data.length === 1 ? 'run' : 'runs'}
          </LoadMore>
        </>
      )}
    </Card>
  );
}
