import { Group, Text, UnstyledButton } from '@mantine/core';
import type { RecipientCounts, RecipientGroup } from '#contract/job-states.ts';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import classes from './RecipientFilters.module.css';
import { groupWords } from './run-words.ts';

export type RecipientFilter = { group?: RecipientGroup | undefined; search?: string | undefined };

type RecipientFiltersProps = {
  counts: RecipientCounts;
  filter: RecipientFilter;
  onChange: (filter: RecipientFilter) => void;
};

const groups = ['sent', 'waiting', 'problems', 'skipped'] as const satisfies RecipientGroup[];
const tones = { sent: 'good', waiting: 'moving', problems: 'bad', skipped: 'quiet' } as const;

/** Counters that filter the messages of a job, and a search by name, address or number. */
export function RecipientFilters({ counts, filter, onChange }: RecipientFiltersProps) {
  const counter = (group: RecipientGroup | undefined) => (
    <UnstyledButton
      key={group ?? 'all'}
      component="button"
      className={classes.counter}
      data-tone={group === undefined ? undefined : tones[group]}
      data-is-empty={group !== undefined && counts[group] === 0}
      aria-pressed={filter.group === group}
      onClick={() => onChange({ ...filter, group })}
    >
      {group === undefined ? 'All' : groupWords[group]}{' '}
      <span className={classes.figure}>{counts[group ?? 'total'].toLocaleString('en')}</span>
    </UnstyledButton>
  );
  return (
    <Group gap="8px 16px" justify="space-between" mb={12}>
      <Group gap={6} align="stretch" role="group" aria-label="Filter messages">
        <Text component="span" size="sm" c="dimmed" lh="32px" mr={4}>
          Messages
        </Text>
        {counter(undefined)}
        {groups.map(counter)}
      </Group>
      <SearchBox
        className={classes.search}
        label="Search recipients"
        value={filter.search}
        onSearch={(text) => onChange({ ...filter, search: text })}
      />
    </Group>
  );
}
