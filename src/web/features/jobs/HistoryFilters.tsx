import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { executionStatuses } from '#contract/job-states.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { runTimes } from '#web/api/job-filter.ts';
import { runsFileUrl } from '#web/api/jobs.ts';
import { useReminders } from '#web/api/reminder-list.ts';
import { useReminder } from '#web/api/reminders.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { ExportLink } from './ExportLink.tsx';
import classes from './JobFilters.module.css';
import { JobSearchBox, PeopleSearched } from './JobSearch.tsx';
import { PhraseMenu } from './PhraseMenu.tsx';
import { TimeMenu } from './TimeMenu.tsx';
import { statusWords } from './job-words.ts';
import { useJobsSearch } from './jobs-search.ts';

/** The filter of the Execution History that the URL names. */
export function useRunFilter() {
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

/** The filters of runs as a sentence, "Show *failed* runs of *last month* over *e-mail*", and of a reminder. */
export function HistoryFilters() {
  const { change } = useJobsSearch();
  const filter = useRunFilter();
  const workspaceId = useWorkspaceId();
  return (
    <div className={classes.filters}>
      <p className={classes.sentence}>
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
      <div className={classes.side}>
        <JobSearchBox />
        <ReminderChoice value={filter.reminderId} onChoose={(reminder) => change({ reminder })} />
        <ExportLink href={runsFileUrl(workspaceId, filter)} />
      </div>
      <PeopleSearched />
    </div>
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
      className={classes.reminder}
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
