import { Button, Select } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { adminLogLimits, type LogEntry, logLevels } from '#contract/admin-logs.ts';
import { useLogEntries } from '#web/api/admin-logs.ts';
import type { Tone } from '#web/app/theme.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { ListCard } from '#web/ui/ListCard.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import classes from '#web/features/admin/admin.module.css';
import { RowsSkeleton } from '#web/features/admin/RowsSkeleton.tsx';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';

const failed = 'Error loading the log';

const levelChoices = [
  { value: 'error', label: 'Errors' },
  { value: 'warn', label: 'Warnings and errors' },
  { value: 'info', label: 'Without debugging' },
];

/** The log of every process. */
export function ApplicationLog() {
  const { search, change } = useAdminSearch();
  const level = logLevels.find((known) => known === search.level);
  const found = useLogEntries({ search: search.search ?? '', level });
  const isFiltered = search.search !== undefined || level !== undefined;
  return (
    <>
      <p className={classes.quiet}>
        What the processes report, as LOG_LEVEL decides: the newest {adminLogLimits.lines.toLocaleString('en')} lines.
      </p>
      <search className={classes.filters}>
        <SearchBox
          className={classes.search}
          label="Search the log"
          value={search.search ?? ''}
          onSearch={(text) => change({ search: text || undefined })}
        />
        <Select
          className={classes.choice}
          aria-label="Filter by level"
          placeholder="All levels"
          clearable
          clearButtonProps={{ 'aria-label': 'All levels' }}
          data={levelChoices}
          value={level ?? null}
          onChange={(chosen) => change({ level: chosen ?? undefined })}
        />
      </search>
      <ListCard
        label="Application log"
        of={found}
        failed={failed}
        skeleton={<RowsSkeleton label="Loading the log" />}
        empty={
          <EmptyState
            icon={IconFileText}
            title={isFiltered ? 'No lines found' : 'Nothing was logged yet'}
            sentence={
              isFiltered
                ? 'No line of the log matches.'
                : 'Warnings and errors of every process appear here from now on.'
            }
            action={
              isFiltered && (
                <Button variant="default" onClick={() => change({ search: undefined, level: undefined })}>
                  Show all lines
                </Button>
              )
            }
          />
        }
      >
        {(rows) => (
          <>
            <Lines entries={rows} isStale={found.isPlaceholderData} />
            <LoadMore of={found}>{rows.length.toLocaleString('en')} shown</LoadMore>
          </>
        )}
      </ListCard>
    </>
  );
}

const Lines = ({ entries, isStale }: { entries: readonly LogEntry[]; isStale: boolean }) => (
  <table className={classes.table} data-stale={isStale || undefined}>
    <thead>
      <tr>
        <th className={classes.moment}>When</th>
        <th className={classes.level}>Level</th>
        <th>Message</th>
        <th className={classes.process}>Process</th>
      </tr>
    </thead>
    <tbody>
      {entries.map((entry) => (
        <tr key={entry.id}>
          <td className={classes.moment}>
            <InstantText at={entry.created_at} show="second" />
          </td>
          <td className={classes.level}>
            <ToneBadge word={entry.level} tone={tones[entry.level]} />
          </td>
          <td className={classes.full}>
            <span>{entry.message}</span>
            {Object.keys(entry.details).length > 0 && (
              <p className={classes.details}>{JSON.stringify(entry.details)}</p>
            )}
          </td>
          <td className={`${classes.process} ${classes.full}`}>
            <span className={classes.quiet}>{entry.process}</span>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const tones: Record<LogEntry['level'], Tone> = {
  trace: 'quiet',
  debug: 'quiet',
  info: 'quiet',
  warn: 'waiting',
  error: 'bad',
  fatal: 'bad',
};
