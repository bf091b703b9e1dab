import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { JobExecution } from '#contract/jobs.ts';
import type { useExecutions } from '#web/api/jobs.ts';
import { Copyable } from '#web/ui/Copyable.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { durationText } from '#web/ui/duration.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { JsonText } from '#web/ui/JsonText.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import classes from './JobDialog.module.css';
import { Field, When } from './JobFields.tsx';
import { typeWords } from './job-words.ts';
import { useJobsSearch } from './jobs-search.ts';
import { useLast } from './use-last.ts';

type Executions = ReturnType<typeof useExecutions>;

/** The run that the address names, with its logs. */
export function ExecutionDialog({ executions }: { executions: Executions }) {
  const { execution: id, change } = useJobsSearch();
  const shownId = useLast(id);
  const found = executions.data?.find((execution) => execution.id === shownId);
  const close = () => change({ execution: undefined });
  return (
    <Dialog
      title="Execution details"
      opened={id !== undefined && executions.data !== undefined}
      onClose={close}
      width={640}
    >
      {found ? (
        <Details
          execution={found}
          onShowJob={() => change({ execution: undefined, tab: undefined, job: found.job_id })}
        />
      ) : (
        <FurtherBack executions={executions} />
      )}
    </Dialog>
  );
}

function Details({ execution, onShowJob }: { execution: JobExecution; onShowJob: () => void }) {
  const { status, job, started_at, completed_at, duration_ms, error_message, logs } = execution;
  return (
    <>
      <h2 className={classes.name}>{job.name}</h2>
      <div className={classes.head}>
        <StatusBadge kind="execution" status={status} />
        <div className={classes.actions}>
          <Button variant="default" size="xs" onClick={onShowJob}>
            Show the job
          </Button>
        </div>
      </div>
      {error_message && (
        <p className={classes.message} data-tone={status === 'failed' ? 'bad' : 'quiet'}>
          {error_message}
        </p>
      )}
      <dl className={classes.fields}>
        <Field name="Started">
          <When at={started_at} />
        </Field>
        <Field name="Completed">
          <When at={completed_at} />
        </Field>
        <Field name="Duration">{duration_ms === null ? '–' : durationText(duration_ms)}</Field>
        <Field name="Type">{typeWords[job.type]}</Field>
        <Field name="Execution id">
          <Copyable
            text={execution.id}
            shown={`${execution.id.slice(0, 8)}…${execution.id.slice(-4)}`}
            label="Copy execution id"
          />
        </Field>
      </dl>
      <section className={classes.section} aria-labelledby="logs">
        <h3 className={classes.title} id="logs">
          Logs
        </h3>
        <JsonText value={logs} label="Logs" />
      </section>
    </>
  );
}

function FurtherBack({ executions: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { executions: Executions }) {
  return (
    <EmptyState
      icon={IconHistory}
      title={hasNextPage ? 'This run is further back' : 'This run is not kept any more'}
      sentence={hasNextPage ? 'Only the latest runs are loaded.' : 'Or it belongs to another workspace.'}
      action={
        hasNextPage && (
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        )
      }
    />
  );
}
