import { Button, Group } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { jobStatuses } from '#contract/job-states.ts';
import {
  archiveChoices,
  chooseArchived,
  chooseStatus,
  chooseTime,
  type JobTime,
  jobTimes,
  statusOf,
  testsChoices,
} from '#web/api/job-filter.ts';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import classes from './JobFilters.module.css';
import { JobSearchBox, PeopleSearched } from './JobSearch.tsx';
import { PhraseMenu } from './PhraseMenu.tsx';
import { TimeMenu } from './TimeMenu.tsx';
import { archivedWords, statusWords, testsWords } from './job-words.ts';
import { useJobsSearch } from './jobs-search.ts';

/**
 * The list's filters as a sentence, "Show *failed* jobs of *the next 7 days*, *with archived*", and a search.
 */
export function JobFilters() {
  return (
    <Group gap="8px 16px" justify="space-between" mb={16}>
      <Sentence />
      <div className={classes.side}>
        <JobSearchBox />
        <ExportButton />
      </div>
      <PeopleSearched />
    </Group>
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
  const showTime = (chosen: JobTime | undefined) =>
    change({ ...chooseTime(filter, chosen), from: undefined, to: undefined });
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
      jobs <TimeMenu times={jobTimes} value={time} onChoose={showTime} />
      <PhraseMenu label="Tests" choices={testsMenu} value={tests ?? 'without'} onChoose={showTests} />
      <PhraseMenu label="Archive" choices={archivedChoices} value={archived ?? 'without'} onChoose={showArchived} />
    </p>
  );
}

const ExportDialog = lazy(() => import('./ExportDialog.tsx'));

/** Asks which jobs, or which deliveries, and of which days; by default the jobs that the list shows. */
function ExportButton() {
  const { state, open, dialog } = useDialogState();
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconDownload size={15} aria-hidden />}
        onClick={() => open(true)}
      >
        Export
      </Button>
      <Suspense>{state.openCount > 0 && <ExportDialog key={state.openCount} {...dialog} />}</Suspense>
    </>
  );
}
