import { Box, Skeleton, Text, Title } from '@mantine/core';
import type { JobExecution } from '#contract/executions.ts';
import type { CountedJob, JobSummary } from '#contract/jobs.ts';
import { isPlanRefusal } from '#domain/ledger-reasons.ts';
import { reachedText, unreachedTexts } from '#domain/run-outcome.ts';
import { nameForMany } from '#domain/job-name.ts';
import { isOffered } from '#domain/job-state.ts';
import { useDeliveries, useExecutions, useJob } from '#web/api/jobs.ts';
import { useReminder } from '#web/api/reminders.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { JsonText } from '#web/ui/JsonText.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { useDocumentTitle } from '#web/ui/PageHeader.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import { ExecutionBadge, JobBadge } from '#web/ui/JobBadge.tsx';
import { durationText } from '#web/ui/duration.ts';
import { TextLink } from '#web/ui/links.tsx';
import { DeliveryLedger } from './DeliveryLedger.tsx';
import { ExecutionLogs } from './ExecutionLogs.tsx';
import { type Ask, JobActions } from './JobActions.tsx';
import classes from './JobDialog.module.css';
import { JobFields } from './JobFields.tsx';
import { Unreached } from './Unreached.tsx';
import { useJobsSearch } from './jobs-search.ts';
import { lineTone } from './run-words.ts';
import prose from '#web/ui/prose.module.css';
import { hasFailedLate, retryText } from './retry-words.ts';
import { useLast } from './use-last.ts';

type JobDialogProps = { onAsk: Ask };

/** The job that the URL names: its fields, deliveries, executions and payload. */
export function JobDialog({ onAsk }: JobDialogProps) {
  const { job: id, change } = useJobsSearch();
  const shownId = useLast(id);
  return (
    <Dialog
      title="Job details"
      opened={id !== undefined}
      onClose={() => change({ job: undefined, recipients: undefined, recipient: undefined })}
      width={840}
    >
      {shownId && <JobDetails key={shownId} id={shownId} onAsk={onAsk} />}
    </Dialog>
  );
}

function JobDetails({ id, onAsk }: JobDialogProps & { id: string }) {
  const { recipients: group, recipient: search, change } = useJobsSearch();
  const found = useJob(id);
  const filter = { group, search };
  // The deliveries load in parallel with the job.
  useDeliveries(id, filter);
  useExecutions({ jobId: id });
  return (
    <Loaded of={found} failed="Error loading job" skeleton={<DetailsSkeleton />}>
      {(job) => (
        <>
          <NamesTab title={nameForMany(job.name)} />
          <Title order={2} className={prose.breaks}>
            {nameForMany(job.name)}
          </Title>
          <div className={classes.head}>
            <JobBadge job={job} />
            <RunHead job={job} />
            <Box ml="auto">
              <JobActions job={job} onAsk={onAsk} as="buttons" />
            </Box>
          </div>
          <RetryNote job={job} filter={filter} />
          <Unreached job={job} />
          <Message job={job} />
          <JobFields job={job} />
          <DeliveryLedger
            job={job}
            filter={filter}
            onFilter={({ group: recipients, search: recipient }) =>
              change({ recipients, recipient }, { replace: true })
            }
          />
          <JobExecutions job={job} />
          <details className={classes.payload}>
            <summary>Payload</summary>
            <JsonText value={job.payload} label="Payload" />
          </details>
        </>
      )}
    </Loaded>
  );
}

/** `Sent to 173 of 184 people`, and whom it has not reached. */
function RunHead({ job }: { job: CountedJob }) {
  const { people } = job;
  const tone = lineTone(job);
  if (people === null || people.total === 0) return null;
  const others = unreachedTexts(people);
  return (
    <Text fw={560}>
      Sent to {reachedText(people)}
      {others.length > 0 && (
        <Box component="span" c={tone === 'quiet' ? 'dimmed' : `var(--status-${tone})`}>
          {' '}
          · {others.join(' · ')}
        </Box>
      )}
    </Text>
  );
}

/** What Retry does for people whose message has failed late, as far as the lines that are loaded tell. */
function RetryNote({ job, filter }: { job: CountedJob; filter: Parameters<typeof useDeliveries>[1] }) {
  const lines = useDeliveries(job.id, filter).data ?? [];
  const isAsked = isOffered('retry', job) && lines.some(hasFailedLate);
  const reminder = useReminder(isAsked ? (job.reminder_id ?? undefined) : undefined).data;
  const text = reminder === undefined ? null : retryText(lines, reminder.metadata);
  return text === null ? null : <p className={prose.dimParagraph}>{text}</p>;
}

/** The message of a job; behind Details where the recipients tell the same. */
function Message({ job }: { job: CountedJob }) {
  const { error_message, reason_code, people } = job;
  if (!error_message) return null;
  const needsPlan = [reason_code, ...(people?.unreached ?? []).map((group) => group.reason_code)].some(isPlanRefusal);
  if (people === null || people.failed === 0 || needsPlan) {
    return (
      <p className={classes.message} data-tone={lineTone(job)}>
        {error_message}
        {needsPlan && (
          <>
            {'. '}
            <TextLink to="/billing">See the plans</TextLink>
          </>
        )}
      </p>
    );
  }
  return (
    <Box component="details" mt={12}>
      <summary className={prose.summary}>Details</summary>
      <p className={classes.message} style={{ marginTop: 8 }} data-tone={lineTone(job)}>
        {job.error_message}
      </p>
    </Box>
  );
}

function NamesTab({ title }: { title: string }) {
  useDocumentTitle(title);
  return null;
}

/** As high as a loaded job mostly is, so that nothing jumps. */
function DetailsSkeleton() {
  return (
    <Box mih="76dvh" aria-busy aria-label="Loading the job" role="status">
      <Skeleton height={28} width="50%" mb={20} />
      {[70, 60, 65, 55, 60, 50].map((width, line) => (
        <Skeleton key={line} height={14} width={`${width}%`} mb={14} />
      ))}
      <Skeleton height={180} mt={24} />
    </Box>
  );
}

/** The executions of one job with expandable logs; renders nothing before the first one. */
function JobExecutions({ job }: { job: JobSummary }) {
  const executions = useExecutions({ jobId: job.id });
  if (executions.data?.length === 0) return null;
  return (
    <Box component="section" mt={28} aria-labelledby="runs">
      <Title order={3} size="h4" mb={8} id="runs">
        Executions
      </Title>
      <Loaded of={executions} failed="Error loading job executions" skeleton={<Skeleton height={44} radius="md" />}>
        {(runs) => (
          <Box bd="1px solid var(--line)" bdrs="md">
            {runs.map((execution) => (
              <Run key={execution.id} execution={execution} />
            ))}
            {executions.hasNextPage && <LoadMore of={executions}>{runs.length} shown</LoadMore>}
          </Box>
        )}
      </Loaded>
    </Box>
  );
}

function Run({ execution }: { execution: JobExecution }) {
  const { started_at, duration_ms, error_message } = execution;
  return (
    <details className={classes.jobExecutionsRun}>
      <summary>
        <ExecutionBadge of={execution} />
        <InstantText at={started_at} show="second" />
        <Box component="span" ml="auto" c="dimmed">
          {duration_ms === null ? '–' : durationText(duration_ms)}
        </Box>
      </summary>
      {error_message && (
        <Text mb={8} c="dimmed" className={prose.breaks}>
          {error_message}
        </Text>
      )}
      <ExecutionLogs execution={execution} />
    </details>
  );
}
