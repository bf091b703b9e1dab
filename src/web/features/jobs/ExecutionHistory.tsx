import { Card } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useExecutions } from '#web/api/jobs.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { ExecutionRows } from './ExecutionRows.tsx';
import { JobRowsSkeleton } from './JobRows.tsx';

const title = 'Error loading job executions';

/** The latest executions. */
export function ExecutionHistory() {
  const executions = useExecutions();
  useErrorToast(executions.error, { title });
  return (
    <Card padding={0} aria-busy={executions.isPending}>
      {executions.isPending ? (
        <JobRowsSkeleton />
      ) : !executions.data ? (
        <ErrorState
          title={title}
          error={executions.error}
          onRetry={() => void executions.refetch()}
          isRetrying={executions.isFetching}
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
