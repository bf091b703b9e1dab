import { Button, Skeleton } from '@mantine/core';
import { IconArrowLeft, IconPrinter } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { DeliveryEvent, DeliveryWithTimeline } from '#contract/deliveries.ts';
import type { CountedJob, Job } from '#contract/jobs.ts';
import { reachedText, unreachedTexts } from '#domain/run-outcome.ts';
import { useJob, useWholeLedger } from '#web/api/jobs.ts';
import { useReminder } from '#web/api/reminders.ts';
import { typeWords } from '#web/features/jobs/job-words.ts';
import { headingOf, instantOf, nextOf, tookText, wordsOf } from '#web/features/jobs/timeline-words.ts';
import { scheduleText } from '#web/features/reminders/schedule-text.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { secondText } from '#web/ui/InstantText.tsx';
import { Fact } from '#web/ui/Facts.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { JobBadge } from '#web/ui/JobBadge.tsx';
import { StatusBadge, statusWord } from '#web/ui/StatusBadge.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { TextLink } from '#web/ui/links.tsx';
import classes from './report.module.css';
import record from '#web/ui/record.module.css';

const route = getRouteApi('/themed/signed-in/jobs/$id/report');

/** The printable ledger of a job: what was sent to whom, when, and the provider's response. */
export function JobReportScreen() {
  const { id } = route.useParams();
  const job = useJob(id);
  const ledger = useWholeLedger(id);
  const isReady = job.data !== undefined && ledger.data !== undefined;
  const retry = () => void Promise.all([job.refetch(), ledger.refetch()]);
  return (
    <>
      <PageHeader
        title="Delivery report"
        subtitle={job.data?.name}
        above={
          <TextLink to="/jobs" search={{ job: id }} size="sm" mb={0} className={record.back} data-chrome>
            <IconArrowLeft size={14} aria-hidden /> Back to the job
          </TextLink>
        }
        actions={
          <Button
            data-chrome
            leftSection={<IconPrinter size={16} aria-hidden />}
            disabled={!isReady}
            onClick={() => window.print()}
          >
            Print
          </Button>
        }
      />
      {isReady ? (
        <JobReport job={job.data} lines={ledger.data.lines} at={ledger.data.at} />
      ) : job.error || ledger.error ? (
        <ErrorState
          title="Error loading job"
          of={{ error: job.error ?? ledger.error, refetch: retry, isFetching: job.isFetching || ledger.isFetching }}
        />
      ) : (
        <Skeleton height={480} radius="md" role="status" aria-label="Loading the report" />
      )}
    </>
  );
}

type JobReportProps = {
  job: CountedJob;
  lines: readonly DeliveryWithTimeline[];
  /** When the ledger was read, ISO 8601. */
  at: string;
};

const isUtc = viewerZone() === 'UTC';

/** The report shows every time in UTC and in the viewer's zone. */
function JobReport({ job, lines, at }: JobReportProps) {
  const { workspace } = useWorkspace();
  return (
    <article className={classes.report}>
      <dl className={classes.facts}>
        <Fact name="Job">{job.name}</Fact>
        <Fact name="Workspace">{workspace.name}</Fact>
        <Fact name="Type">{typeWords[job.type]}</Fact>
        <Fact name="Status">
          <JobBadge job={job} />
        </Fact>
        <Fact name="Schedule">
          <Schedule job={job} />
        </Fact>
        <Fact name="Scheduled for">
          <Both at={job.scheduled_for} />
        </Fact>
        <Fact name="Started">
          <Both at={job.started_at} />
        </Fact>
        <Fact name="Completed">
          <Both at={job.completed_at} />
        </Fact>
        <Fact name="Job id">
          <code>{job.id}</code>
        </Fact>
        <Fact name="As of">
          <Both at={at} />
        </Fact>
        {job.people !== null && job.people.total > 0 && (
          <Fact name="Reached">{[reachedText(job.people), ...unreachedTexts(job.people)].join(' · ')}</Fact>
        )}
        <Fact name="Messages">{countsOf(lines)}</Fact>
        {job.error_message && <Fact name="Error">{job.error_message}</Fact>}
      </dl>
      <table className={classes.table}>
        <caption>{isUtc ? 'Times in UTC.' : `Times in UTC, with ${viewerZone()} below.`}</caption>
        <thead>
          <tr>
            <th>Recipient</th>
            <th>Channel</th>
            <th>Result</th>
            <th>Timeline</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>
                {line.recipient_name && <strong>{line.recipient_name}</strong>}
                <div>{line.recipient}</div>
                {line.through && <div>{line.through}</div>}
              </td>
              <td>{channelLooks[line.channel].name}</td>
              <td>
                <StatusBadge kind="delivery" status={line.status} />
              </td>
              <td>
                <Happened line={line} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length === 0 && <p>No messages were sent.</p>}
    </article>
  );
}

function Schedule({ job: { reminder_id: id, type } }: { job: Job }) {
  if (id !== null) return <ScheduleOf id={id} />;
  return type === 'reminder' || type === 'event_reminder' ? deleted : 'Once';
}

function ScheduleOf({ id }: { id: string }) {
  const { data: reminder, isError } = useReminder(id);
  if (!reminder) return isError ? deleted : '…';
  const { schedule_config: schedule } = reminder;
  return `${scheduleText(schedule)} (${schedule.timezone})`;
}

const deleted = 'The reminder was deleted';

function Both({ at }: { at: string | null }) {
  if (at === null) return '–';
  return (
    <time dateTime={at} className={classes.both}>
      <span>{secondText(at, 'UTC')} UTC</span>
      {!isUtc && (
        <span>
          {secondText(at, viewerZone())} {viewerZone()}
        </span>
      )}
    </time>
  );
}

/** `3: 2 Accepted, 1 Failed`. */
function countsOf(lines: readonly DeliveryWithTimeline[]): string {
  const counts = [...Map.groupBy(lines, ({ status }) => status)].map(
    ([status, those]) => `${those.length.toLocaleString('en')} ${statusWord('delivery', status)}`,
  );
  return [lines.length.toLocaleString('en'), counts.join(', ')].filter((part) => part !== '').join(': ');
}

function Happened({ line: { timeline, provider_id: receipt } }: { line: DeliveryWithTimeline }) {
  return (
    <>
      <ol className={classes.events}>
        {timeline.map((event, at) => (
          <Event key={at} event={event} />
        ))}
      </ol>
      {receipt !== null && (
        <div className={classes.receipt}>
          Provider id <code>{receipt}</code>
        </div>
      )}
    </>
  );
}

function Event({ event }: { event: DeliveryEvent }) {
  const at = instantOf(event);
  const next = nextOf(event);
  return (
    <li>
      <strong>{headingOf(event)}</strong>
      {event.kind === 'attempt' && (
        <>
          : {statusWord('delivery', event.status)}
          {tookText(event) !== null && `, answered after ${tookText(event)}`}
          {event.provider !== null && `, through ${event.provider}`}
        </>
      )}
      {at !== null && <Both at={at} />}
      {wordsOf(event).map((words) => (
        <div key={words} className={classes.words}>
          {words}
        </div>
      ))}
      {next !== null && (
        <div>
          Next attempt <Both at={next} />
        </div>
      )}
    </li>
  );
}
