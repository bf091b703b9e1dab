import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { Agenda } from '#contract/agenda.ts';
import { matchKey } from '#contract/audience.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { useContactGroups, useContactTags } from '#web/api/contact-groups.ts';
import { useContactsLike } from '#web/api/contacts.ts';
import { useReminders } from '#web/api/reminder-list.ts';
import { labelOf } from '#web/features/contacts/contact-words.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import { useAgendaSearch } from './agenda-search.ts';
import classes from './agenda.module.css';

type Names = Agenda['names'] | undefined;

const typingPauseMs = 200;
const offered = 8;

/** What the agenda shows: of which reminder, group, tag, person and channel. Kept in the URL. */
export function AgendaFilters({ names, children }: { names: Names; children: ReactNode }) {
  const { group, tag, channel, change } = useAgendaSearch();
  const groups = useContactGroups().data ?? [];
  const tags = (useContactTags().data ?? []).map((one) => one.tag);
  // A tag of the URL that no contact has any more, or in another spelling.
  const chosen = tag === undefined ? undefined : (tags.find((one) => matchKey(one) === matchKey(tag)) ?? tag);
  return (
    <div data-chrome>
      <FilterBar
        choices={[
          {
            label: 'Filter by group',
            all: 'All groups',
            of: groups.map(({ id, name }) => ({ value: id, label: name })),
            value: group,
            width: 180,
            clear: 'Show all groups',
            none: 'No such group',
            onChoose: (value) => change({ group: value }),
          },
          {
            label: 'Filter by tag',
            all: 'All tags',
            of: [...new Set([...tags, ...(chosen === undefined ? [] : [chosen])])].map((value) => ({
              value,
              label: value,
            })),
            value: chosen,
            width: 140,
            clear: 'Show all tags',
            none: 'No such tag',
            onChoose: (value) => change({ tag: value }),
          },
          {
            label: 'Filter by channel',
            all: 'All channels',
            of: channelTypes.map((value) => ({ value, label: channelLooks[value].name })),
            value: channel,
            width: 140,
            onChoose: (value) => change({ channel: channelTypes.find((one) => one === value) }),
          },
        ]}
      >
        <ReminderFilter name={names?.reminder ?? null} />
        <PersonFilter name={names?.contact ?? null} />
        {children}
      </FilterBar>
    </div>
  );
}

function ReminderFilter({ name }: { name: string | null }) {
  const { reminder, change } = useAgendaSearch();
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed, typingPauseMs);
  const found = useReminders({ search: settled === name ? undefined : settled || undefined }, offered);
  return (
    <SearchedFilter
      label="Filter by reminder"
      all="All reminders"
      value={reminder}
      name={name}
      found={(found.data ?? []).map(({ id, name: label }) => ({ value: id, label }))}
      typed={typed}
      onType={setTyped}
      onChoose={(value) => change({ reminder: value })}
    />
  );
}

function PersonFilter({ name }: { name: string | null }) {
  const { contact, change } = useAgendaSearch();
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed.trim(), typingPauseMs);
  // The text of the field is the chosen person's.
  const isOfChosen = name !== null && (settled === name || settled.startsWith(`${name} (`));
  const found = useContactsLike(settled === '' || isOfChosen ? null : settled);
  return (
    <SearchedFilter
      label="Filter by person"
      all="All people"
      value={contact}
      name={name}
      found={(found.data ?? []).map((one) => ({ value: one.id, label: labelOf(one) }))}
      typed={typed}
      onType={setTyped}
      onChoose={(value) => change({ contact: value })}
    />
  );
}

type SearchedFilterProps = {
  label: string;
  all: string;
  value: string | undefined;
  /** The name of what is chosen; null until it is known. */
  name: string | null;
  found: readonly { value: string; label: string }[];
  typed: string;
  onType: (text: string) => void;
  onChoose: (value: string | undefined) => void;
};

/** A choice among many, which the server searches. */
function SearchedFilter({ label, all, value, name, found, typed, onType, onChoose }: SearchedFilterProps) {
  const chosen = value === undefined || found.some((one) => one.value === value) ? [] : [{ value, label: name ?? '…' }];
  return (
    <Select
      className={classes.searched}
      aria-label={label}
      placeholder={all}
      data={[...chosen, ...found]}
      value={value ?? null}
      onChange={(choice) => onChoose(choice ?? undefined)}
      clearable
      clearButtonProps={{ 'aria-label': `Show ${all.toLowerCase()}` }}
      searchable
      searchValue={typed}
      onSearchChange={onType}
      // The server has searched, also by address and number.
      filter={({ options }) => options}
      nothingFoundMessage={typed.trim() === '' ? 'Type a name' : 'Nothing found'}
      maxDropdownHeight={280}
    />
  );
}
