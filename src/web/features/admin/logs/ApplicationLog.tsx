import { Text } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { adminLogLimits, type LogEntry, logLevels } from '#contract/admin-logs.ts';
import { useLogEntries } from '#web/api/admin-logs.ts';
import type { Tone } from '#web/app/theme.ts';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { List } from '#web/ui/List.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import list from '#web/ui/list.module.css';
import prose from '#web/ui/prose.module.css';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';

const levelChoices = [
  { value: 'error', label: 'Errors' },
  { value: 'warn', label: 'Warnings and errors' },
  { value: 'info', label: 'Without debugging' },
];

/** The log of every process. */
export function ApplicationLog() {
  const { change, ...search } = useAdminSearch();
  const level = logLevels.find((known) => known === search.level);
  const found = useLogEntries({ search: search.search ?? '', level });
  return (
    <>
      <p className={list.note}>
        What the processes report, as LOG_LEVEL decides: the newest {adminLogLimits.lines.toLocaleString('en')} lines.
      </p>
      <FilterBar
        search={{ label: 'Search the log', value: search.search, onSearch: (text) => change({ search: text }) }}
        choices={[
          {
            label: 'Filter by level',
            all: 'All levels',
            clear: 'All levels',
            of: levelChoices,
            value: level,
            onChoose: (chosen) => change({ level: chosen }),
          },
        ]}
      />
      <List
        noun="the log"
        label="Application log"
        of={found}
        columns={columns}
        extent={({ length }) => `${length.toLocaleString('en')} shown`}
        empty={{
          icon: IconFileText,
          title: 'Nothing was logged yet',
          sentence: 'Warnings and errors of every process appear here from now on.',
        }}
        noMatch={
          (search.search !== undefined || level !== undefined) && {
            icon: IconFileText,
            title: 'No lines found',
            sentence: 'No line of the log matches.',
            all: 'Show all lines',
            onShowAll: () => change({ search: undefined, level: undefined }),
          }
        }
      />
    </>
  );
}

const columns: readonly Column<LogEntry>[] = [
  { title: 'When', width: 210, cell: ({ created_at: at }) => <InstantText at={at} show="second" /> },
  { title: 'Level', width: 110, cell: ({ level }) => <ToneBadge word={level} tone={tones[level]} /> },
  {
    title: 'Message',
    narrow: 'line',
    cell: ({ message, details }) => (
      <>
        <span>{message}</span>
        {Object.keys(details).length > 0 && (
          <Text mt={4} ff="monospace" fz="xs" lh="1.125rem" c="dimmed" className={prose.written}>
            {JSON.stringify(details)}
          </Text>
        )}
      </>
    ),
  },
  {
    title: 'Process',
    width: 190,
    narrow: 'line',
    cell: ({ process }) => <span className={list.note}>{process}</span>,
  },
];

const tones: Record<LogEntry['level'], Tone> = {
  trace: 'quiet',
  debug: 'quiet',
  info: 'quiet',
  warn: 'waiting',
  error: 'bad',
  fatal: 'bad',
};
