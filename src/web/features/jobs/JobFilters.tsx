import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { jobStatuses } from '#contract/jobs.ts';
import { jobTimes } from '#web/api/job-filter.ts';
import classes from './JobFilters.module.css';
import { PhraseMenu } from './PhraseMenu.tsx';
import { statusWords, timeWords } from './job-words.ts';
import { useJobsSearch } from './jobs-search.ts';

/** The list's filters as a sentence, "Show *failed* jobs of *the next 7 days*", and a search by name. */
export function JobFilters() {
  return (
    <div className={classes.filters}>
      <Sentence />
      <Search />
    </div>
  );
}

const statusChoices = [
  { value: 'all', name: 'All', phrase: 'all' },
  ...jobStatuses.map((status) => ({
    value: status,
    name: statusWords[status],
    phrase: statusWords[status].toLowerCase(),
  })),
];
const timeChoices = (['all', ...jobTimes] as const).map((time) => ({ value: time, ...timeWords[time] }));

function Sentence() {
  const { status, time, change } = useJobsSearch();
  const isPastDue = time === 'past-due';
  const showStatus = (value: string) => {
    const chosen = jobStatuses.find((known) => known === value);
    change({ status: chosen, ...(isPastDue && chosen !== 'pending' && { time: undefined }) });
  };
  const showTime = (value: string) => {
    const chosen = jobTimes.find((known) => known === value);
    change({ time: chosen, ...(chosen === 'past-due' && { status: undefined }) });
  };
  return (
    <p className={classes.sentence}>
      Show
      <PhraseMenu
        label="Status"
        choices={statusChoices}
        value={isPastDue ? 'pending' : (status ?? 'all')}
        onChoose={showStatus}
      />
      jobs {timeWords[time ?? 'all'].before}
      <PhraseMenu label="Time" choices={timeChoices} value={time ?? 'all'} onChoose={showTime} />
    </p>
  );
}

function Search() {
  const { search = '', change } = useJobsSearch();
  const [typed, setTyped] = useState(search);
  const seek = useDebouncedCallback(
    (text: string) => change({ search: text.trim() || undefined }, { replace: true }),
    250,
  );
  return (
    <TextInput
      className={classes.search}
      type="search"
      placeholder="Search jobs by name"
      aria-label="Search jobs by name"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      maxLength={200}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        seek(value);
      }}
    />
  );
}
