import { jobStatuses } from '#contract/jobs.ts';
import {
  archiveChoices,
  chooseArchived,
  chooseStatus,
  chooseTime,
  jobTimes,
  statusOf,
  testsChoices,
} from '#web/api/job-filter.ts';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import classes from './JobFilters.module.css';
import { PhraseMenu } from './PhraseMenu.tsx';
import { archivedWords, statusWords, testsWords, timeWords } from './job-words.ts';
import { useJobsSearch } from './jobs-search.ts';

/**
 * The list's filters as a sentence, "Show *failed* jobs of *the next 7 days*, *with archived*", and a search by name.
 */
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
const archivedChoices = (['without', ...archiveChoices] as const).map((archived) => ({
  value: archived,
  ...archivedWords[archived],
}));

const testsMenu = (['without', ...testsChoices] as const).map((tests) => ({ value: tests, ...testsWords[tests] }));

function Sentence() {
  const { status, time, archived, tests, change } = useJobsSearch();
  const filter = { status, time, archived };
  const showStatus = (value: string) =>
    change(
      chooseStatus(
        filter,
        jobStatuses.find((known) => known === value),
      ),
    );
  const showTime = (value: string) =>
    change(
      chooseTime(
        filter,
        jobTimes.find((known) => known === value),
      ),
    );
  const showArchived = (value: string) =>
    change(
      chooseArchived(
        filter,
        archiveChoices.find((known) => known === value),
      ),
    );
  const showTests = (value: string) => change({ tests: testsChoices.find((known) => known === value) });
  return (
    <p className={classes.sentence}>
      Show
      <PhraseMenu label="Status" choices={statusChoices} value={statusOf(filter)} onChoose={showStatus} />
      jobs {timeWords[time ?? 'all'].before}
      <PhraseMenu label="Time" choices={timeChoices} value={time ?? 'all'} onChoose={showTime} />
      <PhraseMenu label="Tests" choices={testsMenu} value={tests ?? 'without'} onChoose={showTests} />
      <PhraseMenu label="Archive" choices={archivedChoices} value={archived ?? 'without'} onChoose={showArchived} />
    </p>
  );
}
