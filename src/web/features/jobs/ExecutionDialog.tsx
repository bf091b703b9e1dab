import { Box, Button, Skeleton, Title } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { JobExecution } from '#contract/executions.ts';
import { ApiError } from '#web/api/client.ts';
import { useExecution } from '#web/api/jobs.ts';
import { Copyable } from '#web/ui/Copyable.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { durationText } from '#web/ui/duration.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { Fact } from '#web/ui/Facts.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import { ExecutionLogs } from './ExecutionLogs.tsx';
import classes from './JobDialog.module.css';
import { When } from './JobFields.tsx';
import { typeWords } from './job-words.ts';
import { useJobsSearch } from './jobs-search.ts';
import prose from '#web/ui/prose.module.css';
import { useLast } from './use-last.ts';

/** The execution that the URL names, with its logs; its age does not matter. */
export function ExecutionDialog() {
  const { execution: id, change } = useJobsSearch();
  const shownId = useLast(id);
  const close = () => change({ execution: undefined });
  return (
    <Dialog title="Execution details" opened={id !== undefined} onClose={close} width={640}>
      {shownId && <Run key={shownId} id={shownId} />}
    </Dialog>
  );
}

function Run({ id }: { id: string }) {
  const { change } = useJobsSearch();
  const asked = useExecution(id);
  const execution = asked.data;
  if (execution) {
    const showJob = () => change({ execution: undefined, tab: undefined, job: execution.job_id });
    return <Details execution={execution} onShowJob={showJob} />;
  }
  if (asked.isPending) return <Skeleton height={320} radius="md" role="status" aria-label="Loading the execution" />;
  if (asked.error instanceof ApiError && asked.error.status === 404) {
    return (
      <EmptyState
        icon={IconHistory}
        title="Execution not found"
        sentence="It was deleted after its retention period, or it belongs to another workspace."
      />
    );
  }
  return <ErrorState title="Error loading job executions" of={asked} />;
}

function Details({ execution, onShowJob }: { execution: JobExecution; onShowJob: () => void }) {
  const { status, job, started_at, completed_at, duration_ms, error_message } = execution;
  useDocumentTitle(`${job.name}, execution`);
  return (
    <>
      <Title order={2} className={prose.breaks}>
        {job.name}
      </Title>
      <div className={classes.head}>
        <StatusBadge kind="execution" status={status} />
        <Box ml="auto">
          <Button variant="default" size="xs" onClick={onShowJob}>
            Show the job
          </Button>
        </Box>
      </div>
      {error_message && (
        <p className={classes.message} data-tone={status === 'failed' ? 'bad' : 'quiet'}>
          {error_message}
        </p>
      )}
      <dl className={classes.fields}>
        <Fact name="Started">
          <When at={started_at} />
        </Fact>
        <Fact name="Completed">
          <When at={completed_at} />
        </Fact>
        <Fact name="Duration">{duration_ms === null ? '–' : durationText(duration_ms)}</Fact>
        <Fact name="Type">{typeWords[job.type]}</Fact>
        <Fact name="Execution id">
          <Copyable
            text={execution.id}
            shown={`${execution.id.slice(0, 8)}…${execution.id.slice(-4)}`}
            label="Copy execution id"
          />
        </Fact>
      </dl>
      <Box component="section" mt={28} aria-labelledby="logs">
        <h3 className={classes.title} id="logs">
          Logs
        </h3>
        <ExecutionLogs execution={execution} />
      </Box>
    </>
  );
}
