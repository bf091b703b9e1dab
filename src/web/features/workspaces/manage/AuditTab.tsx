import { Button, Select, TextInput } from '@mantine/core';
import { IconFilterOff, IconHistory } from '@tabler/icons-react';
import { ActKind, actKinds } from '#contract/acts.ts';
import { auditLogDays } from '#contract/audit-log.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { type ActFilter, actsFileUrl, useActors, useActs } from '#web/api/audit-log.ts';
import { ExportLink } from '#web/features/jobs/ExportLink.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ListCard } from '#web/ui/ListCard.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { ActRows, ActRowsSkeleton } from './ActRows.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './audit.module.css';

type AuditTabProps = {
  workspace: Workspace;
  filter: ActFilter;
  /** Undefined ends a part of the filter. */
  onFilter: (changed: ActFilter) => void;
};

const failed = 'Error loading the audit log';
const noFilter = { who: undefined, kind: undefined, from: undefined, to: undefined };

/** Who did what in the workspace, and what happened to the accounts of its members. */
export function AuditTab({ workspace, filter, onFilter }: AuditTabProps) {
  const found = useActs(workspace.id, filter);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <div className={classes.tab}>
      <p className={classes.note}>
        Sign-ins, changes and exports, with who and from which address. Entries are kept for {auditLogDays} days; until
        then nobody can change or delete them.
      </p>
      <Filters workspace={workspace} filter={filter} onFilter={onFilter} />
      <ListCard
        label="Audit log"
        of={found}
        failed={failed}
        skeleton={<ActRowsSkeleton />}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconFilterOff}
              title="No entries found"
              sentence={
                isBackwards(filter)
                  ? 'The last day is before the first one.'
                  : 'No entry of the audit log matches these filters.'
              }
              action={
                <Button variant="default" onClick={() => onFilter(noFilter)}>
                  Show the whole log
                </Button>
              }
            />
          ) : (
            <EmptyState
              icon={IconHistory}
              title="Nothing recorded yet"
              sentence="Sign-ins of members and changes to this workspace appear here from now on."
            />
          )
        }
      >
        {(rows) => (
          <>
            <ActRows acts={rows} isStale={found.isPlaceholderData} />
            <LoadMore of={found}>{rows.length.toLocaleString('en')} shown</LoadMore>
          </>
        )}
      </ListCard>
    </div>
  );
}

const isBackwards = ({ from, to }: ActFilter) => from !== undefined && to !== undefined && to < from;

const kindChoices = ActKind.options.map((value) => ({ value, label: actKinds[value] }));

function Filters({ workspace, filter, onFilter }: AuditTabProps) {
  const { data: actors = [] } = useActors(workspace.id);
  return (
    <search className={prose.buttons}>
      <Select
        className={classes.who}
        aria-label="Filter by person"
        placeholder="Everybody"
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Everybody' }}
        nothingFoundMessage="Nobody of this name"
        data={actors.map(({ id, name, email }) => ({
          value: id,
          label: [name || 'Unknown', email !== null && `(${email})`].filter(Boolean).join(' '),
        }))}
        value={filter.who ?? null}
        onChange={(who) => onFilter({ who: who ?? undefined })}
      />
      <Select
        className={classes.kind}
        aria-label="Filter by kind"
        placeholder="Everything"
        clearable
        clearButtonProps={{ 'aria-label': 'Everything' }}
        data={kindChoices}
        value={filter.kind ?? null}
        onChange={(value) => onFilter({ kind: ActKind.options.find((known) => known === value) })}
      />
      <Day word="From" label="From day" value={filter.from} max={filter.to} onChange={(from) => onFilter({ from })} />
      <Day
        word="To"
        label="To day"
        value={filter.to}
        min={filter.from}
        error={isBackwards(filter) && 'This day is before the first one'}
        onChange={(to) => onFilter({ to })}
      />
      <div className={classes.export}>
        <ExportLink href={actsFileUrl(workspace.id, filter)} />
      </div>
    </search>
  );
}

type DayProps = {
  word: string;
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  error?: string | false;
  onChange: (day: string | undefined) => void;
};

/** One end of a range of days. */
export const Day = ({ word, label, value = '', onChange, ...limits }: DayProps) => (
  <TextInput
    className={classes.day}
    type="date"
    aria-label={label}
    leftSection={<span className={prose.small}>{word}</span>}
    leftSectionWidth={52}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value || undefined)}
    {...limits}
  />
);
