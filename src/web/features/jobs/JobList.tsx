import { Button } from '@mantine/core';
import { IconArchive, IconCalendarClock } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type MouseEvent, useMemo } from 'react';
import type { Job, JobSummary } from '#contract/jobs.ts';
import { statusOf } from '#web/api/job-filter.ts';
import { useJobCounts, useJobs } from '#web/api/jobs.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { useChangeSettings } from '#web/features/workspaces/use-change-settings.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { List } from '#web/ui/List.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { JobBadge } from '#web/ui/JobBadge.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import classes from '#web/ui/list.module.css';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { type Ask, JobActions } from './JobActions.tsx';
import { JobDuration } from './JobDuration.tsx';
import { JobFilters } from './JobFilters.tsx';
import { typeWords } from './job-words.ts';
import { useJobsSearch } from './jobs-search.ts';
import { lineOf, lineTone } from './run-words.ts';

type Asking = { onAsk: Ask };

/** The jobs that match the filters. */
export function JobList({ onAsk }: Asking) {
  const { status, time, from, to, archived, tests, search, change } = useJobsSearch();
  const jobs = useJobs({ status, time, from, to, archived, tests, search });
  useErrorToast(jobs.data === undefined ? jobs.error : null, { title: 'Error loading jobs' });
  const columns = useMemo(() => columnsOf(onAsk), [onAsk]);
  const archive = useEmptyArchive();
  const isEmptyArchive = archived === 'only' && !time && !search && !tests;
  return (
    <>
      <JobFilters />
      <List
        noun="jobs"
        of={jobs}
        columns={columns}
        card={(job) => <Card job={job} onAsk={onAsk} />}
        extent={({ length }) => <Extent shown={length} />}
        empty={isEmptyArchive ? archive : noJobs}
        noMatch={
          !isEmptyArchive &&
          Boolean(status || time || search || tests) && {
            title: time === 'past-due' ? 'Nothing is past due' : 'No jobs match',
            sentence:
              time === 'past-due'
                ? 'A job is past due when its time has come and it is still pending.'
                : 'No job of this workspace matches these filters.',
            all: 'Show all jobs',
            onShowAll: () => change(noFilter),
          }
        }
      />
    </>
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

const columnsOf = (onAsk: Asking['onAsk']): readonly Column<JobSummary>[] => [
  { title: 'Status', width: 124, cell: (job) => <JobBadge job={job} /> },
  { title: 'Name', cell: (job) => <JobLink job={job} /> },
  {
    title: 'Type',
    width: 132,
    cell: ({ type, archived_at: archivedAt }) => (
      <span className={`${classes.when} ${classes.dimmed}`}>
        {typeWords[type]}
        {archivedAt && <span className={classes.small}>Archived</span>}
      </span>
    ),
  },
  {
    title: 'Scheduled for',
    width: 176,
    cell: ({ scheduled_for: at }) => (
      <span className={classes.when}>
        <RelativeTime at={at} />
        <span className={classes.small}>
          <InstantText at={at} />
        </span>
      </span>
    ),
  },
  { title: 'Attempts', width: 76, isNumber: true, cell: (job) => `${job.attempts}/${job.max_attempts}` },
  { title: 'Start to end', width: 112, isNumber: true, cell: (job) => <JobDuration job={job} /> },
  { title: 'Result', width: '20%', cell: (job) => <Result job={job} /> },
  {
    title: 'Actions',
    isUntitled: true,
    width: 100,
    cell: (job) => (
      <div className={classes.above}>
        <JobActions job={job} onAsk={onAsk} as="icons" />
      </div>
    ),
  },
];

const Card = ({ job, onAsk }: Asking & { job: JobSummary }) => (
  <>
    <div className={classes.head}>
      <JobBadge job={job} />
      <RelativeTime at={job.scheduled_for} />
    </div>
    <JobLink job={job} />
    <div className={classes.facts}>
      <InstantText at={job.scheduled_for} />
      <span>{typeWords[job.type]}</span>
      {job.archived_at && <span>Archived</span>}
      <span>
        {job.attempts}/{job.max_attempts} attempts
        {job.started_at && job.status !== 'pending' && job.status !== 'paused' && (
          <>
            {' · '}
            <JobDuration job={job} />
          </>
        )}
      </span>
    </div>
    <Result job={job} />
    <div className={classes.above}>
      <JobActions job={job} onAsk={onAsk} as="buttons" />
    </div>
  </>
);

/** What a job came to, in one line: `173 of 184 people · 11 lack Street`. */
function Result({ job }: { job: JobSummary }) {
  const line = lineOf(job);
  return (
    line !== null && (
      <span className={classes.message} data-tone={lineTone(job)} title={job.error_message ?? undefined}>
        {line}
      </span>
    )
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

const noJobs = {
  icon: IconCalendarClock,
  title: 'No jobs yet',
  sentence: 'Each occurrence of a reminder is listed here as a job, with its due time, result and recipients.',
  action: <ButtonLink to="/reminders/new">Create a reminder</ButtonLink>,
};

/** What an empty archive says: whether this workspace has one. */
function useEmptyArchive() {
  const { settings } = useWorkspace().workspace;
  const { mayChange, change, isPending } = useChangeSettings();
  const isOn = settings.autoArchiveJobs === true;
  return {
    icon: IconArchive,
    title: 'No archived jobs',
    sentence: isOn
      ? 'A completed job moves here 30 days after it has ended.'
      : `This workspace does not archive its jobs: they stay in the list.${mayChange ? '' : ' An admin can change that.'}`,
    action: !isOn && mayChange && (
      <Button variant="default" loading={isPending} onClick={() => void change({ autoArchiveJobs: true })}>
        Archive completed jobs after 30 days
      </Button>
    ),
  };
}

/**
 * A job's name, which links to its details. It is a plain link because the router's Link recomputes its URL on every
 * filter change, which is slow with a hundred rows.
 */
function JobLink({ job: { id, name } }: { job: Pick<Job, 'id' | 'name'> }) {
  const navigate = useNavigate({ from: '/jobs' });
  const open = (event: MouseEvent) => {
    // The browser opens new tabs and windows itself.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ search: (before) => ({ ...before, job: id }), resetScroll: false });
  };
  return (
    <a href={`/jobs?job=${id}`} onClick={open} className={classes.opens} title={name}>
      {name}
    </a>
  );
}
