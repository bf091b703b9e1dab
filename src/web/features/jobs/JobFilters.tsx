import { jobStatuses } from '#contract/jobs.ts';
import { jobTimes } from '#web/api/job-filter.ts';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import classes from './JobFilters.module.css';
import { PhraseMenu } from './PhraseMenu.tsx';
import { statusWords, timeWords } from './job-words.ts';
import { useJobsSearch } from './jobs-search.ts';

/** The list's filters as a sentence, "Show *failed* jobs of *the next 7 days*", and a search by name. */
export function JobFilters() {
  const { search = '', change } = useJobsSearch();
  return (
    <div className={classes.filters}>
      <Sentence />
      <SearchBox
        className={classes.search}
        label="Search jobs by name"
        value={search}
        onSearch={(text) => change({ search: text || undefined }, { replace: true })}
      />
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
