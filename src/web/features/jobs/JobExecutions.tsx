import { Skeleton } from '@mantine/core';
import type { JobExecution } from '#contract/executions.ts';
import type { JobSummary } from '#contract/jobs.ts';
import { useExecutions } from '#web/api/jobs.ts';
import { durationText } from '#web/ui/duration.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import { ExecutionLogs } from './ExecutionLogs.tsx';
import sections from './JobDialog.module.css';
import classes from './JobExecutions.module.css';

/** The executions of one job with expandable logs; renders nothing before the first one. */
export function JobExecutions({ job }: { job: JobSummary }) {
  const executions = useExecutions({ jobId: job.id });
  if (executions.data?.length === 0) return null;
  return (
    <section className={sections.section} aria-labelledby="runs">
      <h3 className={sections.title} id="runs">
        Executions
      </h3>
      {executions.isPending ? (
        <Skeleton height={44} radius="md" />
      ) : executions.data ? (
        <div className={classes.runs}>
          {executions.data.map((execution) => (
            <Run key={execution.id} execution={execution} />
          ))}
          {executions.hasNextPage && <LoadMore of={executions}>{executions.data.length} shown</LoadMore>}
        </div>
      ) : (
        <ErrorState
          title="Error loading job executions"
          error={executions.error}
          onRetry={() => void executions.refetch()}
          isRetrying={executions.isFetching}
        />
      )}
    </section>
  );
}

function Run({ execution }: { execution: JobExecution }) {
  const { status, started_at, duration_ms, error_message } = execution;
  return (
    <details className={classes.run}>
      <summary>
        <StatusBadge kind="execution" status={status} />
        <InstantText at={started_at} show="second" />
        <span className={classes.duration}>{duration_ms === null ? '–' : durationText(duration_ms)}</span>
      </summary>
      {error_message && <p className={classes.error}>{error_message}</p>}
      <ExecutionLogs execution={execution} />
    </details>
  );
}
