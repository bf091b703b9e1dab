import { Box, Button, Card, Skeleton, Tabs, Title, UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { IconHistory } from '@tabler/icons-react';
import type { JobSummary } from '#contract/jobs.ts';
import type { JobExecution } from '#contract/executions.ts';
import { nameForMany } from '#domain/job-name.ts';
import { chooseStatus, statusOf } from '#web/api/job-filter.ts';
import { useExecution, useJobCounts } from '#web/api/jobs.ts';
import { ApiError } from '#web/api/client.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { RowsSkeleton } from '#web/ui/RowsSkeleton.tsx';
import { PageHeader, useDocumentTitle } from '#web/ui/PageHeader.tsx';
import { Copyable } from '#web/ui/Copyable.tsx';
import { durationText } from '#web/ui/duration.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { Fact } from '#web/ui/Facts.tsx';
import { ExecutionBadge } from '#web/ui/JobBadge.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import prose from '#web/ui/prose.module.css';
import { ExecutionHistory } from './ExecutionHistory.tsx';
import type { Asked } from './JobActions.tsx';
import { JobDialog } from './JobDialog.tsx';
import { JobList } from './JobList.tsx';
import classes from './JobsScreen.module.css';
import { useActOnJob } from './act-on-job.ts';
import { useJobsSearch } from './jobs-search.ts';
import { executionTone } from './run-words.ts';
import { useLast } from './use-last.ts';
import { ExecutionLogs } from './ExecutionLogs.tsx';
import jobDialogClasses from './JobDialog.module.css';
import { When } from './JobFields.tsx';
import { typeWords } from './job-words.ts';

const EventList = lazy(() => import('#web/features/events/EventList.tsx'));

const tabs = { scheduled: 'Scheduled Jobs', history: 'Execution History', events: 'Events' } as const;

/** Upcoming jobs, past jobs, executions and the events that came in, with counters that filter and a ledger for every job. */
export function JobsScreen() {
  const { tab = 'scheduled', change } = useJobsSearch();
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <>
      <PageHeader title="Job Scheduler" subtitle="All upcoming jobs, and the results of past ones." />
      <JobCounters />
      <Tabs
        className={classes.tabs}
        value={tab}
        onChange={(chosen) => change({ tab: chosen === 'history' || chosen === 'events' ? chosen : undefined })}
        keepMounted={false}
      >
        <Tabs.List mb={16} className={classes.list}>
          {Object.entries(tabs).map(([value, name]) => (
            <Tabs.Tab key={value} value={value}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="scheduled">
          <JobList onAsk={setAsked} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <ExecutionHistory />
        </Tabs.Panel>
        <Tabs.Panel value="events">
          <Suspense
            fallback={
              <Card padding={0} aria-busy>
                <RowsSkeleton label="Loading events" />
              </Card>
            }
          >
            <EventList />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
      <ExecutionDialog />
      <JobDialog onAsk={setAsked} />
      <ActOnJobDialog asked={asked} onClose={() => setAsked(null)} />
    </>
  );
}

const counters = [
  { key: 'total', label: 'Total', tone: 'none', status: undefined },
  { key: 'pending', label: 'Pending', tone: 'quiet', status: 'pending' },
  { key: 'running', label: 'Running', tone: 'moving', status: 'running' },
  { key: 'completed', label: 'Completed', tone: 'good', status: 'completed' },
  { key: 'failed', label: 'Failed', tone: 'bad', status: 'failed' },
] as const;

/** The number of jobs per status; a click on a counter filters the list by it. */
function JobCounters() {
  const { time, from, to, status, archived, tests, tab, change } = useJobsSearch();
  const filter = { status, time, from, to, archived, tests };
  const { data: counts, isPending } = useJobCounts(filter);
  // The other counters do not add up to the total without these.
  const others = (['paused', 'cancelled'] as const).flatMap((each) => {
    const count = counts?.[each] ?? 0;
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${each}`];
  });
  const notes = [
    ...(others.length > 0 ? [`The total includes ${others.join(' and ')}.`] : []),
    ...((counts?.failed ?? 0) > 0 ? ['Failed includes jobs that are partly sent.'] : []),
  ];
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
      <p className={classes.others}>{notes.join(' ')}</p>
    </div>
  );
}

/** Asks before a job is cancelled, or sent after all; closed while nothing is asked. */
function ActOnJobDialog({ asked, onClose }: { asked: Asked | null; onClose: () => void }) {
  const { act, busy } = useActOnJob();
  const shown = useLast(asked);
  const isCancel = shown?.action === 'cancel';
  const confirm = async () => {
    if (asked === null || (await act(asked.action, asked.job))) onClose();
  };
  return (
    <ConfirmDialog
      title={isCancel ? 'Cancel this job?' : 'Send this job now?'}
      cancelLabel={isCancel ? 'Keep job' : 'Do not send'}
      confirmLabel={isCancel ? 'Cancel job' : 'Send now'}
      opened={asked !== null}
      isBusy={busy !== null}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p style={{ margin: 0 }}>
        <strong>{shown && nameForMany(shown.job.name)}</strong>{' '}
        {shown && (isCancel ? `${consequenceOf(shown.job)} You can retry it later.` : <SendingNow job={shown.job} />)}
      </p>
    </ConfirmDialog>
  );
}

const SendingNow = ({ job: { scheduled_for: at } }: { job: JobSummary }) => (
  <>
    was cancelled before it was sent. It is sent at once to everybody to whom it would have gone, not at the time for
    which it was planned, <InstantText at={at} />.
  </>
);

/** The effect of cancelling in the job's current status. */
function consequenceOf({ status, attempts, reminder_id }: JobSummary): string {
  if (status === 'running')
    return 'is running. Messages that are already sent cannot be recalled; the others will not be sent.';
  const loss = attempts > 0 ? 'will not be tried again.' : 'will not be sent.';
  return reminder_id ? `${loss} Later occurrences of its reminder are not affected.` : loss;
}

/** The execution that the URL names, with its logs; its age does not matter. */
function ExecutionDialog() {
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
  const { job, started_at, completed_at, duration_ms, error_message } = execution;
  useDocumentTitle(`${job.name}, execution`);
  return (
    <>
      <Title order={2} className={prose.breaks}>
        {job.name}
      </Title>
      <div className={jobDialogClasses.head}>
        <ExecutionBadge of={execution} />
        <Box ml="auto">
          <Button variant="default" size="xs" onClick={onShowJob}>
            Show the job
          </Button>
        </Box>
      </div>
      {error_message && (
        <p className={jobDialogClasses.message} data-tone={executionTone(execution)}>
          {error_message}
        </p>
      )}
      <dl className={jobDialogClasses.fields}>
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
        <Title order={3} size="h4" mb={8} id="logs">
          Logs
        </Title>
        <ExecutionLogs execution={execution} />
      </Box>
    </>
  );
}
