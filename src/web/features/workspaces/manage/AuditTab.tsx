import { Flex, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { ActKind, actKinds } from '#contract/acts.ts';
import { type Act, auditLogDays } from '#contract/audit-log.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { type ActFilter, actsFileUrl, useActors, useActs } from '#web/api/audit-log.ts';
import { ExportLink } from '#web/features/jobs/ExportLink.tsx';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { List } from '#web/ui/List.tsx';
import type { Column } from '#web/ui/Table.tsx';
import list from '#web/ui/list.module.css';
import prose from '#web/ui/prose.module.css';
import record from '#web/ui/record.module.css';
import classes from './audit.module.css';
import { DayInput } from '#web/ui/pickers/DayInput.tsx';

type AuditTabProps = {
  workspace: Workspace;
  filter: ActFilter;
  /** Undefined ends a part of the filter. */
  onFilter: (changed: ActFilter) => void;
};

const noFilter = { who: undefined, kind: undefined, from: undefined, to: undefined };

/** Who did what in the workspace, and what happened to the accounts of its members. */
export function AuditTab({ workspace, filter, onFilter }: AuditTabProps) {
  const found = useActs(workspace.id, filter);
  return (
    <div className={record.column}>
      <Text maw="80ch" c="dimmed">
        Sign-ins, changes and exports, with who and from which address. Entries are kept for {auditLogDays} days; until
        then nobody can change or delete them.
      </Text>
      <Filters workspace={workspace} filter={filter} onFilter={onFilter} />
      <List
        noun="the audit log"
        of={found}
        columns={actColumns}
        extent={({ length }) => `${length.toLocaleString('en')} shown`}
        empty={{
          icon: IconHistory,
          title: 'Nothing recorded yet',
          sentence: 'Sign-ins of members and changes to this workspace appear here from now on.',
        }}
        noMatch={
          Object.values(filter).some((value) => value !== undefined) && {
            title: 'No entries found',
            sentence: isBackwards(filter)
              ? 'The last day is before the first one.'
              : 'No entry of the audit log matches these filters.',
            all: 'Show the whole log',
            onShowAll: () => onFilter(noFilter),
          }
        }
      />
    </div>
  );
}

export const actColumns: readonly Column<Act>[] = [
  { title: 'When', width: 200, narrow: 'wide', cell: ({ created_at: at }) => <InstantText at={at} show="second" /> },
  { title: 'Who', width: 260, narrow: 'wide', cell: ({ actor }) => <Who actor={actor} /> },
  {
    title: 'What',
    narrow: 'line',
    cell: ({ text, actor, created_at: at, client_address: address }) => (
      <>
        <span>{text}</span>
        <span className={`${list.note} ${list.instead}`}>
          <Who actor={actor} />
          <span>
            <InstantText at={at} show="second" />
            {address !== null && `, from ${address}`}
          </span>
        </span>
      </>
    ),
  },
  {
    title: 'From',
    width: 160,
    narrow: 'wide',
    cell: ({ client_address: address }) => address ?? <span className={prose.small}>Cuebird itself</span>,
  },
];

/** As they were at the time. */
function Who({ actor }: { actor: Act['actor'] }) {
  const [name, note] = wordsOf(actor);
  return (
    <span className={classes.person}>
      <span>{name}</span>
      {note !== null && <span className={prose.small}>{note}</span>}
    </span>
  );
}

function wordsOf({ kind, name, email }: Act['actor']): [name: string, note: string | null] {
  switch (kind) {
    case 'person':
      return [name || 'Unknown', email];
    case 'api_key':
      return [name || 'Unknown', 'API key'];
    case 'stranger':
      return ['Somebody', 'not signed in'];
    case 'administrator':
      return ['Administrator', 'of the installation'];
    case 'system':
      return ['Cuebird', null];
  }
}

const isBackwards = ({ from, to }: ActFilter) => from !== undefined && to !== undefined && to < from;

/** The choice of a kind of act, for a filter bar. */
export const kindChoice = (kind: { value: ActKind | undefined; onChoose: (kind: ActKind | undefined) => void }) => ({
  label: 'Filter by kind',
  all: 'Everything',
  clear: 'Everything',
  width: 220,
  of: ActKind.options.map((value) => ({ value, label: actKinds[value] })),
  value: kind.value,
  onChoose: (chosen: string | undefined) => kind.onChoose(ActKind.options.find((known) => known === chosen)),
});

function Filters({ workspace, filter, onFilter }: AuditTabProps) {
  const { data: actors = [] } = useActors(workspace.id);
  return (
    <FilterBar
      choices={[
        {
          label: 'Filter by person',
          all: 'Everybody',
          clear: 'Everybody',
          none: 'Nobody of this name',
          width: 300,
          of: actors.map(({ id, name, email }) => ({
            value: id,
            label: [name || 'Unknown', email !== null && `(${email})`].filter(Boolean).join(' '),
          })),
          value: filter.who,
          onChoose: (who) => onFilter({ who }),
        },
        kindChoice({ value: filter.kind, onChoose: (kind) => onFilter({ kind }) }),
      ]}
    >
      <Day word="From" label="From day" value={filter.from} onChange={(from) => onFilter({ from })} />
      <Day
        word="To"
        label="To day"
        value={filter.to}
        error={isBackwards(filter) && 'This day is before the first one'}
        onChange={(to) => onFilter({ to })}
      />
      <Flex align="center" ml="auto">
        <ExportLink href={actsFileUrl(workspace.id, filter)} />
      </Flex>
    </FilterBar>
  );
}

type DayProps = {
  word: string;
  label: string;
  value: string | undefined;
  error?: string | false;
  onChange: (day: string | undefined) => void;
};

/** One end of a range of days. */
export const Day = ({ word, label, value = '', onChange, ...limits }: DayProps) => (
  <DayInput
    className={classes.day ?? ''}
    aria-label={label}
    leftSection={<span className={prose.small}>{word}</span>}
    leftSectionWidth={52}
    value={value}
    onChange={onChange}
    {...limits}
  />
);
