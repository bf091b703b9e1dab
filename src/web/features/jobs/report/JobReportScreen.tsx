import { Button, Group, Text } from '@mantine/core';
import { IconArrowLeft, IconMail, IconPrinter } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { isAddressed } from '#contract/channel-types.ts';
import type { DeliveryEvent, DeliveryStatus, DeliveryWithTimeline, ReportLine } from '#contract/deliveries.ts';
import type { CountedJob, Job } from '#contract/jobs.ts';
import { reachedText, unreachedTexts } from '#domain/run-outcome.ts';
import { nameForMany } from '#domain/job-name.ts';
import { counted } from '#domain/in-words.ts';
import { useProfile } from '#web/api/profile.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { reportFileUrl, useJob, useReport } from '#web/api/jobs.ts';
import { useReminder } from '#web/api/reminders.ts';
import { ExportLink } from '#web/features/jobs/ExportLink.tsx';
import { typeWords } from '#web/features/jobs/job-words.ts';
import { headingOf, instantOf, nextOf, tookText, wordsOf } from '#web/features/jobs/timeline-words.ts';
import { scheduleText } from '#web/features/reminders/schedule-text.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { secondText } from '#web/ui/InstantText.tsx';
import { Fact } from '#web/ui/Facts.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { SectionSkeleton } from '#web/ui/Record.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { JobBadge } from '#web/ui/JobBadge.tsx';
import { StatusBadge, statusWord } from '#web/ui/StatusBadge.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { TextLink } from '#web/ui/links.tsx';
import classes from './report.module.css';
import record from '#web/ui/record.module.css';

import { useAsked } from '#web/ui/use-asked.ts';
const MailReportDialog = lazy(() => import('./MailReportDialog.tsx'));

const route = getRouteApi('/themed/signed-in/jobs/$id/report');

/** The printable report of a job: what was sent to whom, when, and the provider's response; or that of one person. */
export function JobReportScreen() {
  const { id } = route.useParams();
  const { open: asked, ...person } = route.useSearch();
  const navigate = route.useNavigate();
  const workspaceId = useWorkspaceId();
  const job = useJob(id);
  const report = useReport(id, person);
  const isReady = job.data !== undefined && report.data !== undefined;
  const { role } = useWorkspace().workspace;
  const isDemo = useProfile().data?.is_demo === true;
  const [isMailing, setMailing] = useState(false);
  const mayMail = role !== 'member' && !isDemo;
  useAsked(asked, () => {
    setMailing(mayMail);
    void navigate({ search: person, replace: true });
  });
  const isOfOne = person.contact !== undefined || person.recipient !== undefined;
  const retry = () => void Promise.all([job.refetch(), report.refetch()]);
  return (
    <>
      <PageHeader
        title="Delivery report"
        subtitle={job.data && nameOf(job.data.name, report.data?.lines ?? [])}
        above={
          <TextLink to="/jobs" search={{ job: id }} size="sm" mb={0} className={record.back} data-chrome>
            <IconArrowLeft size={14} aria-hidden /> Back to the job
          </TextLink>
        }
        actions={
          <Group gap={8} data-chrome>
            {mayMail && (
              <Button
                variant="default"
                leftSection={<IconMail size={16} aria-hidden />}
                disabled={!isReady}
                onClick={() => setMailing(true)}
              >
                Email this report
              </Button>
            )}
            <ExportLink href={reportFileUrl(workspaceId, { jobId: id, ...person })} />
            <Button
              leftSection={<IconPrinter size={16} aria-hidden />}
              disabled={!isReady}
              onClick={() => window.print()}
            >
              Print
            </Button>
          </Group>
        }
      />
      {isReady ? (
        <>
          {isOfOne && (
            <Text size="sm" mb={12} data-chrome>
              The messages to one person.{' '}
              <TextLink to="/jobs/$id/report" params={{ id }}>
                Show all people
              </TextLink>
            </Text>
          )}
          <JobReport job={job.data} lines={report.data.lines} at={report.data.at} isOfOne={isOfOne} />
          <LoadMore of={report}>
            {report.hasNextPage &&
              `The first ${counted(report.data.lines.length, 'message')}. Printing shows these; Export CSV has all.`}
          </LoadMore>
        </>
      ) : job.error || report.error ? (
        <ErrorState
          title="Error loading job"
          of={{ error: job.error ?? report.error, refetch: retry, isFetching: job.isFetching || report.isFetching }}
        />
      ) : (
        <div role="status" aria-label="Loading the report">
          <SectionSkeleton rows={8} />
        </div>
      )}
      {isMailing && (
        <Suspense>
          <MailReportDialog jobId={id} person={person} opened onClose={() => setMailing(false)} />
        </Suspense>
      )}
    </>
  );
}

type JobReportProps = {
  job: CountedJob;
  lines: readonly ReportLine[];
  /** When the ledger was read, ISO 8601. */
  at: string;
  isOfOne: boolean;
};

/** The name of the job with the values of its people; `…` for what differs among them. */
function nameOf(name: string, lines: readonly ReportLine[]): string {
  const names = new Set(lines.flatMap(({ message }) => (message.certainty === 'lost' ? [] : [message.name])));
  const [only] = names;
  return names.size === 1 && only !== undefined ? only : nameForMany(name);
}

const isUtc = viewerZone() === 'UTC';

/** The report shows every time in UTC and in the viewer's zone. */
function JobReport({ job, lines, at, isOfOne }: JobReportProps) {
  const { workspace } = useWorkspace();
  const name = nameOf(job.name, lines);
  return (
    <article className={classes.report}>
      <dl className={classes.facts}>
        <Fact name="Job">{name}</Fact>
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
        {!isOfOne && job.people !== null && job.people.total > 0 && (
          <Fact name="Reached">{[reachedText(job.people), ...unreachedTexts(job.people)].join(' · ')}</Fact>
        )}
        <Fact name="Messages">{isOfOne ? countsOf(lines) : messagesOf(job, lines)}</Fact>
        {job.error_message && (job.people?.total ?? 0) === 0 && <Fact name="Error">{job.error_message}</Fact>}
      </dl>
      <table className={classes.table}>
        <caption>{isUtc ? 'Times in UTC.' : `Times in UTC, with ${viewerZone()} below.`}</caption>
        <thead>
          <tr>
            <th>Recipient</th>
            <th>Channel</th>
            <th>Result</th>
            <th>Timeline</th>
            <th>Message</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>
                {line.recipient_name && <strong>{line.recipient_name}</strong>}
                {isAddressed(line.channel) && <div>{line.recipient}</div>}
                {line.through && <div>{line.through}</div>}
              </td>
              <td>
                {channelLooks[line.channel].name}
                {line.by_preference && <div>by preference</div>}
              </td>
              <td>
                <StatusBadge kind="delivery" status={line.status} />
              </td>
              <td>
                <Happened line={line} />
              </td>
              <td>
                <ReportedMessage of={line.message} name={name} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length === 0 && (
        <p>
          {isOfOne ? 'This job has no message to this person.' : 'No messages were sent, or none is kept any longer.'}
        </p>
      )}
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

/** The counts of all messages, also of those that are not loaded. */
function messagesOf({ recipients }: CountedJob, lines: readonly ReportLine[]): string {
  if (recipients === null || recipients.total <= lines.length) return countsOf(lines);
  return recipients.total.toLocaleString('en');
}

/** `3: 2 Accepted, 1 Failed`. */
function countsOf(lines: readonly { status: DeliveryStatus }[]): string {
  const counts = [...Map.groupBy(lines, ({ status }) => status)].map(
    ([status, those]) => `${those.length.toLocaleString('en')} ${statusWord({ kind: 'delivery', status })}`,
  );
  return [lines.length.toLocaleString('en'), counts.join(', ')].filter((part) => part !== '').join(': ');
}

function ReportedMessage({ of: message, name }: { of: ReportLine['message']; name: string }) {
  if (message.certainty === 'lost') return <div>Cannot be shown: {message.reason}</div>;
  return (
    <>
      {message.name !== name && <div>{message.name}</div>}
      {message.title !== null && <strong>{message.title}</strong>}
      <div className={classes.message}>{message.text}</div>
      {message.certainty !== 'sent' && <div className={classes.receipt}>{certaintyWords[message.certainty]}</div>}
    </>
  );
}

const certaintyWords = {
  changed: 'Written again from what is kept: the sent message was different.',
  unverified: 'Written again from what is kept; nothing was kept to compare it with.',
  unsent: 'Not sent. As it would be sent now.',
} as const;

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
          : {statusWord({ kind: 'delivery', status: event.status })}
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
