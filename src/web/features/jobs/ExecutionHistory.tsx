import { Group, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { counted } from '#domain/in-words.ts';
import { channelTypes } from '#contract/channel-types.ts';
import type { JobExecution } from '#contract/executions.ts';
import { executionStatuses } from '#contract/job-states.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { runTimes } from '#web/api/job-filter.ts';
import { runsFileUrl, useExecutions } from '#web/api/jobs.ts';
import { useReminders } from '#web/api/reminder-list.ts';
import { useReminder } from '#web/api/reminders.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { List } from '#web/ui/List.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { ExecutionBadge } from '#web/ui/JobBadge.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { durationText } from '#web/ui/duration.ts';
import classes from '#web/ui/list.module.css';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { ExportLink } from './ExportLink.tsx';
import jobFiltersClasses from './JobFilters.module.css';
import { JobSearchBox, PeopleSearched } from './JobSearch.tsx';
import { PhraseMenu } from './PhraseMenu.tsx';
import { TimeMenu } from './TimeMenu.tsx';
import { statusWords, typeWords } from './job-words.ts';
import { useJobsSearch } from './jobs-search.ts';
import { executionTone } from './run-words.ts';

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
  const { change } = useJobsSearch();
  const filter = useRunFilter();
  const executions = useExecutions(filter);
  useErrorToast(executions.data === undefined ? executions.error : null, { title: 'Error loading job executions' });
  return (
    <>
      <HistoryFilters />
      <List
        noun="job executions"
        of={executions}
        columns={columns}
        card={card}
        extent={({ length }) => `${executions.hasNextPage ? 'The latest ' : ''}${counted(length, 'run')}`}
        empty={{
          icon: IconHistory,
          title: 'Nothing has run yet',
          sentence:
            'Each run of a job is listed here with its duration and logs. Send a test from a reminder to see the first one.',
        }}
        noMatch={
          Object.values(filter).some((value) => value !== undefined) && {
            title: 'No runs match',
            sentence: 'No run of this workspace fits these filters.',
            all: 'Show all runs',
            onShowAll: () => change(noFilter),
          }
        }
      />
    </>
  );
}

const columns: readonly Column<JobExecution>[] = [
  { title: 'Status', width: 124, cell: (execution) => <ExecutionBadge of={execution} /> },
  { title: 'Job', cell: (execution) => <ExecutionLink execution={execution} /> },
  { title: 'Type', width: 132, cell: ({ job }) => <span className={classes.dimmed}>{typeWords[job.type]}</span> },
  {
    title: 'Started',
    width: 190,
    cell: ({ started_at: at }) => (
      <span className={classes.when}>
        <RelativeTime at={at} />
        <span className={classes.small}>
          <InstantText at={at} />
        </span>
      </span>
    ),
  },
  { title: 'Duration', width: 96, isNumber: true, cell: (execution) => durationOf(execution) },
  { title: 'Error', width: '34%', cell: (execution) => <Message execution={execution} /> },
];

const card = (execution: JobExecution) => (
  <>
    <div className={classes.head}>
      <ExecutionBadge of={execution} />
      <RelativeTime at={execution.started_at} />
    </div>
    <ExecutionLink execution={execution} />
    <div className={classes.facts}>
      <InstantText at={execution.started_at} />
      <span>{typeWords[execution.job.type]}</span>
      <span>{durationOf(execution)}</span>
    </div>
    <Message execution={execution} />
  </>
);

const durationOf = ({ duration_ms: took }: JobExecution): string => (took === null ? '–' : durationText(took));

const ExecutionLink = ({ execution: { id, job } }: { execution: JobExecution }) => (
  <Link
    from="/jobs"
    to="/jobs"
    search={(before) => ({ ...before, execution: id })}
    resetScroll={false}
    className={classes.opens}
    title={job.name}
  >
    {job.name}
  </Link>
);

const Message = ({ execution }: { execution: JobExecution }) =>
  execution.error_message && (
    <span className={classes.message} data-tone={executionTone(execution)}>
      {execution.error_message}
    </span>
  );

/** The filter of the Execution History that the URL names. */
function useRunFilter() {
  const { ran: time, from, to, result: status, channel, reminder: reminderId, search } = useJobsSearch();
  return { time, from, to, status, channel, reminderId, search };
}

const statusChoices = [
  { value: 'all', name: 'All', phrase: 'all' },
  ...executionStatuses.map((status) => ({
    value: status,
    name: statusWords[status],
    phrase: statusWords[status].toLowerCase(),
  })),
];
const channelChoices = [
  { value: 'all', name: 'Any channel', phrase: 'any channel' },
  ...channelTypes.map((channel) => ({
    value: channel,
    name: channelLooks[channel].name,
    phrase: channelLooks[channel].name,
  })),
];

/** The filters of runs as a sentence, "Show *failed* runs of *last month* over *email*", and of a reminder. */
function HistoryFilters() {
  const { change } = useJobsSearch();
  const filter = useRunFilter();
  const workspaceId = useWorkspaceId();
  return (
    <Group gap="8px 16px" justify="space-between" mb={16}>
      <p className={jobFiltersClasses.sentence}>
        Show
        <PhraseMenu
          label="Status"
          choices={statusChoices}
          value={filter.status ?? 'all'}
          onChoose={(value) => change({ result: executionStatuses.find((status) => status === value) })}
        />
        runs{' '}
        <TimeMenu
          times={runTimes}
          value={filter.time}
          onChoose={(ran) => change({ ran, from: undefined, to: undefined })}
        />
        over
        <PhraseMenu
          label="Channel"
          choices={channelChoices}
          value={filter.channel ?? 'all'}
          onChoose={(value) => change({ channel: channelTypes.find((channel) => channel === value) })}
        />
      </p>
      <div className={jobFiltersClasses.side}>
        <JobSearchBox />
        <ReminderChoice value={filter.reminderId} onChoose={(reminder) => change({ reminder })} />
        <ExportLink href={runsFileUrl(workspaceId, filter)} />
      </div>
      <PeopleSearched />
    </Group>
  );
}

const offered = 20;

type ReminderChoiceProps = { value: string | undefined; onChoose: (reminder: string | undefined) => void };

function ReminderChoice({ value, onChoose }: ReminderChoiceProps) {
  const chosen = useReminder(value).data;
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed === chosen?.name ? '' : typed, 200);
  const { data: found = [] } = useReminders({ search: search || undefined }, offered);
  const others = found.filter(({ id }) => id !== chosen?.id);
  return (
    <Select
      className={jobFiltersClasses.reminder}
      aria-label="Reminder"
      placeholder="Any reminder"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Any reminder' }}
      nothingFoundMessage="No reminder found"
      data={[...(chosen ? [chosen] : []), ...others].map(({ id, name }) => ({ value: id, label: name }))}
      // The server searches.
      filter={({ options }) => options}
      value={value ?? null}
      onSearchChange={setTyped}
      onChange={(id) => onChoose(id ?? undefined)}
    />
  );
}
